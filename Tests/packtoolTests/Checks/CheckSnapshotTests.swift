@testable import Formats
@testable import Model
@testable import Pipeline
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

  /// The findings about bad manifests.
  private static let ofBadManifests = Result {
    let stage = try CheckStage()
    for manifest in BadManifest.all {
      stage.add(readManifest(manifest.bytes).diagnostics.ordered(manifest: manifestPath))
    }
    return stage.found
  }

  @Test(arguments: Check.all.map(\.id)) func `the words of a check are those of its snapshot`(id: String)
    throws
  {
    let check = try #require(Check.named(id))
    let stage = try CheckStage()
    let sample = try #require(
      CheckSample.all[check.id], "no sample in Tests/packtoolTests/Checks provokes \(check.id)")
    try sample(stage)
    let sampled = stage.found[id, default: []]
    let own = try sampled + Self.ofBadManifests.get()[id, default: []].filter { !sampled.contains($0) }
    try #require(!own.isEmpty, "the sample of \(id) does not provoke it")
    // Add a variant's finding only if its words differ from those of the sample.
    let forms = Set(own.map(CheckVariant.form(of:)))
    let more = CheckVariant.outcome.found[id, default: []].filter {
      !forms.contains(CheckVariant.form(of: $0))
    }
    let text = """
      \(check.id): \(check.listedSeverity)
      \(check.summary)

      \((own + more).joined(separator: "\n\n"))

      """
    try expectSnapshot(text, at: "\(Self.folder)/\(check.id).txt")
  }

  @Test func `variants change what is there`() { #expect(CheckVariant.outcome.stale == []) }

  @Test func `each snapshot is of a check`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(packageFolder)/\(Self.folder)")
    #expect(names.sorted() == Check.all.map { "\($0.id).txt" }.sorted())
    #expect(CheckSample.all.keys.filter { Check.named($0) == nil } == [])
  }
}
