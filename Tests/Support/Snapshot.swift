import Foundation
package import Testing

/// Holds a text against the file of its name in Fixtures/Reports, or writes that file under UPDATE_SNAPSHOTS=1.
package func expectSnapshot(
  _ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  try expectSnapshot(text, at: "Tests/Fixtures/Reports/\(name)", sourceLocation: sourceLocation)
}

/// Holds a text against a file of the repository, or writes that file under UPDATE_SNAPSHOTS=1.
package func expectSnapshot(
  _ text: String, at place: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let path = "\(packageFolder)/\(place)"
  if ProcessInfo.processInfo.environment["UPDATE_SNAPSHOTS"] == "1" {
    try FileManager.default.createDirectory(
      atPath: URL(fileURLWithPath: path).deletingLastPathComponent().path, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return
  }
  let expected = try String(contentsOfFile: path, encoding: .utf8)
  // Lines, so that a failure shows those that differ; bytes, since equal strings may differ in Unicode form.
  #expect(
    text.split(separator: "\n", omittingEmptySubsequences: false)
      == expected.split(separator: "\n", omittingEmptySubsequences: false), sourceLocation: sourceLocation)
  #expect(Array(text.utf8) == Array(expected.utf8), sourceLocation: sourceLocation)
}
