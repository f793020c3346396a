@testable import Formats
@testable import packtool
import Foundation
import Support
import Testing

/// Tests the messages of every check.
///
/// There is one file for each check. Only these files contain the messages; no other test does.
///
/// After an intended change, run `UPDATE_SNAPSHOTS=1 swift test --filter CheckSnapshotTests`, and then read
/// the diff.
@Suite struct CheckSnapshotTests {
  private static let folder = "Tests/packtoolTests/Checks/Snapshots"

  @Test(arguments: Check.all.map(\.id)) func `the words of a check are those of its snapshot`(id: String)
    throws
  {
    let text = try #require(CheckWords.all[id]).get()
    try expectSnapshot(text, at: "\(Self.folder)/\(id).txt")
  }

  @Test func `variants change what is there`() { #expect(CheckVariant.outcome.stale == []) }

  @Test func `each snapshot is of a check`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(packageFolder)/\(Self.folder)")
    #expect(names.sorted() == Check.all.map { "\($0.id).txt" }.sorted())
    #expect(CheckSample.all.keys.filter { Check.named($0) == nil } == [])
  }
}
