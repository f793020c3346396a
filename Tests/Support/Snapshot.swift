import Foundation
package import Testing

/// Compares a text with a file in Fixtures/Reports, or writes that file if UPDATE_SNAPSHOTS=1 is set.
package func expectSnapshot(
  _ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  try expectSnapshot(text, at: "Tests/Fixtures/Reports/\(name)", sourceLocation: sourceLocation)
}

/// Compares a text with a file of the repository, or writes that file if UPDATE_SNAPSHOTS=1 is set.
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
  // Lines are compared so that a failure shows which lines differ. The bytes are compared as well, because
  // strings that are equal in Swift can have different Unicode forms.
  #expect(
    text.split(separator: "\n", omittingEmptySubsequences: false)
      == expected.split(separator: "\n", omittingEmptySubsequences: false), sourceLocation: sourceLocation)
  #expect(Array(text.utf8) == Array(expected.utf8), sourceLocation: sourceLocation)
}
