@testable import Formats
import Support
import Testing

/// Tests the exact messages about exceeded limits of the store.
@Suite struct LimitMessageTests {
  @Test func `initial install names the tag that passes the limit`() throws {
    let plan = try SyntheticPlan(
      [.init("a", 1_500_000_000, "A"), .init("b", 600_000_000, "B"), .init("c", 47_483_649, "C")],
      "\"initialInstallTags\": [\"A\", \"B\", \"C\"]")
    #expect(
      plan.lines(of: "initial-install-size") == [
        "8:36: warning [initial-install-size] 2,147,483,649 bytes 2.15 GB 1 2,147,483,648 2 GiB",
        #"note "B" "C""#,
        #"note "A" 1,500,000,000 bytes 1.50 GB "B" 600,000,000 bytes 600 MB "C" 47,483,649 bytes 47.5 MB"#,
      ])
  }

  /// If the total is between the two interpretations of the limit, the note contains the tag with which the
  /// total exceeds the smaller interpretation.
  @Test func `doubtful install names the tag that passes the smaller reading`() throws {
    let plan = try SyntheticPlan(
      [.init("a", 1_500_000_000, "A"), .init("b", 600_000_000, "B"), .init("c", 1, "C")],
      "\"initialInstallTags\": [\"A\", \"B\", \"C\"]")
    #expect(
      plan.lines(of: "initial-install-size").prefix(2) == [
        "8:31: warning [initial-install-size] 2,100,000,001 bytes 2.10 GB 2,000,000,000 10 9 bytes 2,147,483,648 2 30",
        #"note "A" "B""#,
      ])
  }

  @Test func `prefetch order that cannot fit names its tag`() throws {
    let plan = try SyntheticPlan(
      [
        .init("a", 4_000_000_000, "A"), .init("b", 200_000_000, "B"), .init("cb", 94_967_296, "C", "B"),
        .init("d", 1, "D"), .init("e", 7, "E"),
      ], "\"initialInstallTags\": [\"A\"]", "\"prefetchTagOrder\": [\"B\", \"D\", \"E\"]")
    #expect(
      plan.lines(of: "prefetch-size") == [
        "11:29: warning [prefetch-size] 4,294,967,304 bytes 4.29 GB 8 4,294,967,296 4 GiB",
        #"note "B" "D""#,
        #"note "A" 4,000,000,000 bytes 4.00 GB "B" 200,000,000 bytes 200 MB "B" "C" 94,967,296 bytes 95.0 MB"#,
      ])
  }

  @Test func `first tag may be too much already`() throws {
    let plan = try SyntheticPlan(
      [.init("a", 9, "A"), .init("b", 5_000_000_000, "B"), .init("c", 1, "C")],
      "\"initialInstallTags\": [\"A\"]", "\"prefetchTagOrder\": [\"B\", \"C\"]")
    let lines = plan.lines(of: "prefetch-size")
    #expect(
      lines.first?.hasPrefix("9:24: warning [prefetch-size] 5,000,000,010")
        == true)
    #expect(lines.dropFirst().first == #"note "B""#)
  }

  @Test func `initial install may leave no room to prefetch`() throws {
    let plan = try SyntheticPlan(
      [.init("a", 5_000_000_000, "A"), .init("b", 1, "B"), .init("c", 1, "C")],
      "\"initialInstallTags\": [\"A\"]", "\"prefetchTagOrder\": [\"B\", \"C\"]")
    let lines = plan.lines(of: "prefetch-size")
    #expect(
      lines.first?.hasPrefix("9:24: warning [prefetch-size] 5,000,000,002")
        == true)
    #expect(
      lines.dropFirst().first == "note")
  }

  @Test func `sum names the three largest packs`() throws {
    let plan = try SyntheticPlan([
      .init("a", 1, "A"), .init("b", 21_474_836_480, "B"), .init("c", 300, "C"), .init("d", 20, "D"),
    ])
    #expect(
      plan.lines(of: "total-size") == [
        "3:16: warning [total-size] 21,474,836,801 bytes 21.5 GB 321 21,474,836,480 20 GiB",
        #"note "B" 21,474,836,480 bytes 20 GiB "C" 300 bytes "D" 20 bytes"#,
      ])
  }

  @Test func `advice is no limit`() throws {
    let plan = try SyntheticPlan(
      [.init("a", 3_000_000_000, "A"), .init("ab", 1, "A", "B"), .init("b", 67_108_864, "B")],
      "\"appBundle\": {\"size\": 150000000}", "\"initialInstallTags\": [\"B\"]")
    #expect(
      plan.lines(of: "tag-size") == [
        #"4:28: warning [tag-size] "A" 2 3,000,000,001 bytes 3.00 GB 2,936,000,001 2.94 GB 64,000,000 64.0 MB"#,
        #"note "A" 3,000,000,000 bytes 3.00 GB "A" "B" 1 byte"#,
        #"5:34: warning [tag-size] "B" 2 67,108,865 bytes 67.1 MB 3,108,865 3.11 MB 64,000,000 64.0 MB"#,
        #"note "B" 67,108,864 bytes 64 MiB "A" "B" 1 byte"#,
      ])
    #expect(
      plan.lines(of: "in-use-size") == [
        #"4:28: warning [in-use-size] "A" 2 3,000,000,001 bytes 3.00 GB 1,000,000,001 1.00 GB 2,000,000,000 2.00 GB"#,
        #"note "A" 3,000,000,000 bytes 3.00 GB "A" "B" 1 byte"#,
      ])
    #expect(
      plan.lines(of: "cellular-size", appBundle: 150_000_000) == [
        "8:16: warning [cellular-size] 150,000,000 150 MB 67,108,865 bytes 67.1 MB 217,108,865 bytes 217 MB 17,108,865 17.1 MB 200,000,000 200 MB",
        #"note "B" 67,108,864 bytes 64 MiB "A" "B" 1 byte"#,
      ])
  }

  /// If a tag has only one pack, the notes are those for a pack that is too large.
  @Test func `tag of one pack names its files`() throws {
    let plan = try SyntheticPlan([.init("a", 40_000_000, "A"), .init("b", 30_000_000, "A")])
    let finding = try #require(plan.findings().first { $0.check == .tagSize })
    #expect(finding.measurement == .init(70_000_000, limit: 64_000_000))
    #expect(finding.notes.contains { $0.namedValues.hasPrefix("\"a\"") })
  }

  /// A finding about a pack is not repeated for its tag.
  @Test func `one thing has one finding`() throws {
    let size: Int64 = 600_000_000
    let one = try SyntheticPlan([.init("a", size, "A")]).findings().map(\.check)
    #expect(one.contains(.packSize) && !one.contains(.tagSize))
    let two = try SyntheticPlan([.init("a", size, "A"), .init("b", 1, "A", "B")]).findings().map(\.check)
    #expect(two.contains(.packSize) && two.contains(.tagSize))
    let lifted = try SyntheticPlan([.init("a", size, "A")], "\"limits\": {\"packSize\": null}").findings()
    #expect(lifted.contains { $0.check == .tagSize })
  }

  /// An empty pack is never close to a limit, even if the limit is 0.
  @Test func `empty things are not near a limit`() throws {
    let plan = try SyntheticPlan([.init("a", 0, "A")], "\"limits\": {\"packSize\": 0, \"totalSize\": 0}")
    #expect(plan.findings(appBundle: 0).map(\.check.id) == ["empty-file"])
  }

  /// The largest numbers that a manifest can contain are compared without an overflow.
  @Test func `huge numbers do not cause a crash`() throws {
    let huge = "\"limits\": {\"packCount\": 9223372036854775807, \"packSize\": 9223372036854775807}"
    let plan = try SyntheticPlan(
      [.init("a", 5, "A")], huge, "\"appBundle\": {\"size\": 9223372036854775807}",
      "\"initialInstallTags\": [\"A\"]")
    let ids = plan.findings(appBundle: .max).map(\.check.id)
    #expect(ids == ["app-bundle-size", "cellular-size", "raised-limit", "raised-limit"])
  }
}
