@testable import Model
@testable import Pipeline
@testable import packtool
import Support
import Testing

/// Tests the update of Examples/LevelUpdate.
///
/// The numbers were calculated by hand from the sizes of the files.
@Suite struct LevelUpdateTests {
  private static let folder = "\(packageFolder)/Examples/LevelUpdate"
  private static let (old, new) = ("\(folder)/1.0", "\(folder)/1.1")

  @Test func `the update downloads whole levels`() throws {
    let report = try DiffReport(Self.old, Self.new, "--having", "Level 2")
    // Level 1 has 16,453 + 120 + 6,109 bytes, and 85 + 2,044 bytes for the bridge. Level 2 has 19,052 + 76 +
    // 89 + 6,117 bytes.
    let (first, second) = (try report.pack("Level 1"), try report.pack("Level 2"))
    #expect([first.status, second.status] == ["changed", "changed"])
    #expect(first.sizes == [24_811, 22_682, 24_811])
    #expect(second.sizes == [25_334, 25_334, 25_334])
    #expect(first.counts == [2, 0, 0])
    #expect(second.counts == [0, 0, 1])
    #expect(second.files.map(\.path) == ["Levels/2/dialogue.json"])
    // Level 3 has 16,543 + 55 bytes.
    let third = try report.pack("Level 3")
    #expect(third.status == "added" && third.size == 16_598 && third.oldSize == 0)
    #expect(try report.pack("Level 1", "Level 2").status == "unchanged")
    #expect(
      report.summary
        == DiffReport.Summary(
          unchanged: .init(packs: 1, size: 2731), changed: .init(packs: 2, size: 50_145),
          added: .init(packs: 1, size: 16_598), removed: .init(packs: 0, size: 0),
          downloadByPacks: 66_743, downloadByFiles: 18_803, downloadByContent: 18_803))
    #expect(report.users.map(\.has) == ["everything", "initialInstall", "tags"])
    #expect(report.users.map(\.downloadByPacks) == [66_743, 24_811, 50_145])
    #expect(report.users.map(\.downloadByFiles) == [18_803, 2129, 2205])
    #expect(report.deliveries["prefetch"]?.totals == [25_334, 76, 76])
    #expect(report.tags["Level 3"]?.totals == [16_598, 16_598, 16_598])
  }

  @Test func `a tag of its own is proposed`() throws {
    let report = try DiffReport(Self.old, Self.new)
    #expect(
      report.remarks == [
        .init(
          kind: "ownTag",
          message:
            "the pack of {\"Level 2\"} is downloaded again for 1 changed file, \"Levels/2/dialogue.json\": "
            + "add the tag \"Level 2 update\" to it; this update still downloads 25,334 bytes, "
            + "but the next similar update only 76",
          tags: ["Level 2"], files: ["Levels/2/dialogue.json"], proposedTag: "Level 2 update", saving: 25_258),
        .init(
          kind: "ownTag",
          message:
            "the pack of {\"Level 1\"} is downloaded again for 2 new files, \"Levels/1/bridge.json\" and "
            + "\"Levels/1/bridge.png\": add the tag \"Level 1 update\" to them, and this update downloads 2,129 "
            + "bytes instead of 24,811",
          tags: ["Level 1"], files: ["Levels/1/bridge.json", "Levels/1/bridge.png"],
          proposedTag: "Level 1 update", saving: 22_682),
      ])
  }

  /// With the proposed change, the update is smaller by the stated number of bytes.
  ///
  /// A request for "Level 1" still includes the bridge.
  @Test func `the proposal saves what it says`() throws {
    let report = try DiffReport(Self.old, "\(Self.new)/Tagged.json")
    #expect(report.totals == [66_743 - 22_682, 18_803, 18_803])
    #expect(try report.pack("Level 1").status == "unchanged")
    #expect(try report.pack("Level 1", "Level 1 update").download == 2129)
    #expect(report.users[1].downloadByPacks == 2129)
    let tag = runTool("explain", "Level 1", "\(Self.new)/Tagged.json")
    #expect(tag.output.contains("{\"Level 1\", \"Level 1 update\"}"))
  }

  @Test func `budgets hold for the proposal alone`() {
    let tagged = runTool("validate", "\(Self.new)/Tagged.json", "--baseline", Self.old)
    #expect(tagged.status == .done, "\(tagged.errors)")
    #expect(tagged.errors.hasPrefix("update from \(Self.old): devices download 44.1 kB of 69.5 kB\n"))
    let whole = runTool("diff", Self.old, Self.new, "--budget-update", "48 kB")
    #expect(whole.status == .inputHasErrors)
    #expect(
      whole.errors.reports("update-size", naming: Self.old, "66,743 bytes", "18,743", "48,000"))
  }

  @Test func `history of four releases`() throws {
    let run = runTool("diff", Self.old, Self.new, Self.old, Self.new)
    #expect(run.status == .done)
    #expect(run.output.contains("\n{\"Level 2\"}          3 of 3   76.0 kB              228 bytes\n"))
    #expect(
      run.output.contains(
        "- the pack of {\"Level 2\"} changed in 3 updates, and devices downloaded 76,002 bytes in all; if "
          + "\"Levels/2/dialogue.json\" had a tag of its own in addition to \"Level 2\", such as \"Level 2 volatile\", the "
          + "download would have been 228 bytes, 75,774 bytes less"
      ))
  }
}
