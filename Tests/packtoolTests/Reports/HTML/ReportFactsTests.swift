import Formats
import Inspect
import Model
import Pipeline
@testable import packtool
import Support
import Testing

/// Tests the numbers in reports, with packs that are small enough to be counted by hand.
@Suite struct ReportFactsTests {
  private func release(_ files: SyntheticPlan.File..., prefetch: String = "") throws -> Release {
    Release(
      of: try SyntheticPlan(
        files, "\"initialInstallTags\": [\"Intro\"]", "\"prefetchTagOrder\": [\(prefetch)]"
      ).plan)
  }

  private func sample() throws -> Release {
    try release(
      .init("a", 1_000_000, "Intro"), .init("b", 250_000, "Intro", "lang-de"),
      .init("c", 750_000, "Intro", "lang-en"),
      .init("d", 40_000, "Intro", "lang-de", "lang-en"), .init("e", 4_000_000, "Level 1"),
      .init("f", 9_000_000, "Free"), prefetch: "\"Level 1\"")
  }

  @Test func `the initial install is dragged up`() throws {
    let release = try sample()
    let pulledIn = PulledIntoInstall(release)
    #expect(pulledIn.size == 1_040_000)
    #expect(pulledIn.packs.map { release.packs[$0].size } == [750_000, 250_000, 40_000])
    #expect(pulledIn.tags == ["lang-en", "lang-de"])
    #expect(PulledIntoInstall(try self.release(.init("a", 1, "Intro"), .init("b", 2, "Free"))).packs.isEmpty)
  }

  @Test func `tags say what is shared`() throws {
    let loads = try sample().tagLoads
    let intro = try #require(loads.first { $0.tag.name == "Intro" })
    #expect(intro.sharedPacks == 3 && intro.sharedSize == 1_040_000 && intro.tag.size == 2_040_000)
    #expect(loads.first { $0.tag.name == "Free" }?.sharedPacks == 0)
  }

  /// 3G has 780,000 bit/s, and a latency of 200 ms before each download.
  @Test func `times are those of the links`() throws {
    let timeline = LoadTimeline(try sample(), appSize: 10_000_000)
    #expect(timeline.links.map(\.name) == ["3G", "LTE", "Wi-Fi 802.11ac"])
    let link = timeline.links[0]
    #expect(link.app == 102_764_103)
    // The five downloads have 12,040,000 bytes together.
    #expect(link.initialInstall == 5 * 200_000 + 123_487_180)
    #expect(link.prefetch == 6 * 200_000 + 164_512_821)
    #expect([timeline.appEnd, timeline.initialEnd, timeline.end] == [10_000_000, 12_040_000, 16_040_000])
    #expect(LoadTimeline(try sample(), appSize: nil).links[0].app == nil)
  }

  @Test func `limits are used by the largest`() throws {
    let uses = LimitUse.all(of: try sample(), limits: LimitSettings(), appBundleSize: 150_000_000)
    func use(_ kind: LimitKind) throws -> LimitUse { try #require(uses.first { $0.kind == kind }) }
    #expect(try use(.packSize).used == 9_000_000 && use(.packSize).tags == ["Free"])
    #expect(try use(.packCount).used == 6 && use(.packCount).headroom == 994)
    #expect(try use(.prefetchSize).used == 6_040_000 && use(.cellularSize).used == 152_040_000)
    #expect(try use(.cellularSize).headroom == 47_960_000 && !use(.cellularSize).isStoreLimit)
    #expect(LimitUse.all(of: try sample(), limits: LimitSettings(), appBundleSize: nil).count == 7)
    let lifted = LimitSettings(overrides: [.packCount: .init(nil)])
    #expect(
      !LimitUse.all(of: try sample(), limits: lifted, appBundleSize: nil).contains { $0.kind == .packCount })
  }

  @Test(
    arguments: [
      (100, 100, "±0"), (100, 150, "+50 bytes (+50.0 %)"), (1_000_000, 999_999, "-1 byte (-<0.1 %)"),
      (0, 5, "+5 bytes (new)"),
      (1000, 5000, "+4.00 kB (+400 %)"),
    ] as [(Int64, Int64, String)])
  func `changes have sign and part`(before: Int64, after: Int64, text: String) {
    #expect(UpdateTotal.change((before, after)) { ByteSize.text($0) } == text)
  }
}
