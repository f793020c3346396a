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
  // The bytes are compared, because strings that are equal in Swift can have different Unicode forms. No
  // expectation compares the lists of lines: for long lists, Swift Testing needs minutes to find the difference.
  if text.utf8.elementsEqual(expected.utf8) { return }
  let new = text.split(separator: "\n", omittingEmptySubsequences: false)
  let old = expected.split(separator: "\n", omittingEmptySubsequences: false)
  let same = zip(new, old).prefix { $0.utf8.elementsEqual($1.utf8) }.count
  Issue.record(
    """
    \(place):\(same + 1) differs; UPDATE_SNAPSHOTS=1 writes the file
    expected: \(old.dropFirst(same).first ?? "the end")
    found: \(new.dropFirst(same).first ?? "the end")
    """, sourceLocation: sourceLocation)
}
