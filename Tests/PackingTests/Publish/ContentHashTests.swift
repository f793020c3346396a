import Model
@testable import Packing
import Pipeline
@testable import System
import Support
import Testing

/// Tests the content hashes.
///
/// Devices use them to find out whether a pack has changed.
@Suite struct ContentHashTests {
  /// Returns settings with this content hash.
  ///
  /// If `hash` is nil, the settings have the default.
  private static func settings(_ layout: Layout, _ hash: ContentHash?, _ time: Int64? = nil) -> TestSettings {
    var choice = LayoutChoice(layout: layout)
    choice.urlPrefix = "https://x.y/"
    choice.contentHash = hash
    return TestSettings(
      container: .zip, modified: time ?? 315_532_800, layout: choice, hasSourceDate: time != nil)
  }

  private static let cases: [(Layout, ContentHash?)] = [
    (.xcode, nil), (.hosted, nil), (.xcode, .modtime), (.hosted, .modtime),
  ]

  /// Makes a site with a new file and an old file.
  private static func site() throws -> XcodeSite {
    let site = try XcodeSite("young", "old")
    try FileOperations.setModificationTime(
      of: site.folder.path("Assets/young"), nanoseconds: 1_600_000_000_000_000_000)
    try FileOperations.setModificationTime(
      of: site.folder.path("Assets/old"), nanoseconds: 1_500_000_000_000_000_000)
    site.waitForClockTick()
    return site
  }

  @Test(arguments: cases) func `an older file that joins or leaves a pack changes the hash`(
    layout: Layout, hash: ContentHash?
  ) throws {
    let site = try Self.site()
    let settings = Self.settings(layout, hash)
    let few: [TestRule] = [.path("young", "A")]
    let many = few + [.path("old", "A")]
    var hashes: Set<String?> = []
    for rules in [few, many, few] {
      try site.build(rules, settings)
      let found = try site.contentHash()
      if hash == .modtime { #expect(!hashes.contains(found)) }
      hashes.insert(found)
      try site.build(rules, settings)
      #expect(try site.contentHash() == found)
    }
    #expect(hashes.count == (hash == .modtime ? 3 : 2))
  }

  @Test(arguments: cases) func `an older file in the place of another changes the hash`(
    layout: Layout, hash: ContentHash?
  ) throws {
    let site = try Self.site()
    try site.build([.path("young", "A")], Self.settings(layout, hash))
    let before = try site.contentHash()
    try site.write("young", "other")
    try FileOperations.setModificationTime(
      of: site.folder.path("Assets/young"), nanoseconds: 1_400_000_000_000_000_000)
    try site.build([.path("young", "A")], Self.settings(layout, hash))
    #expect(try site.contentHash() != before)
  }

  @Test(arguments: [Layout.xcode, .hosted]) func `times of files change nothing that is published`(
    layout: Layout
  ) throws {
    let site = try Self.site()
    let rules: [TestRule] = [.path("young", "A"), .path("old", "A", "B")]
    try site.build(rules, Self.settings(layout, nil))
    let before = try site.stamps()
    try FileOperations.setModificationTime(
      of: site.folder.path("Assets/old"), nanoseconds: 1_700_000_000_000_000_000)
    try site.build(rules, Self.settings(layout, nil))
    let after = try site.stamps()
    #expect(after["AssetPackManifest.plist"] == before["AssetPackManifest.plist"])
    #expect(after == before)
  }

  @Test(arguments: [Layout.xcode, .hosted]) func `two machines write the same bytes`(layout: Layout) throws {
    let sites = try [Self.site(), Self.site()]
    try FileOperations.setModificationTime(
      of: sites[1].folder.path("Assets/old"), nanoseconds: 1_700_000_000_000_000_000)
    let rules: [TestRule] = [.path("young", "A"), .path("old", "A")]
    for time in [nil, Int64(1_577_836_800)] {
      for site in sites { try site.build(rules, Self.settings(layout, nil, time)) }
      #expect(try sites[0].published() == sites[1].published())
    }
  }

  @Test func `a time is never earlier than the one that is published`() throws {
    let site = try Self.site()
    let settings = Self.settings(.hosted, .modtime)
    try site.build([.path("young", "A")], settings)
    #expect(try site.contentHash() == "2020-09-13T12:26:40.000Z")
    try site.build([.path("old", "A")], settings)
    #expect(try site.contentHash() == "2020-09-13T12:26:40.001Z")
    try FileOperations.setModificationTime(
      of: site.folder.path("Assets/old"), nanoseconds: 1_700_000_000_000_000_000)
    try site.write("old", "other")
    try FileOperations.setModificationTime(
      of: site.folder.path("Assets/old"), nanoseconds: 1_700_000_000_000_000_000)
    try site.build([.path("old", "A")], settings)
    #expect(try site.contentHash() == "2023-11-14T22:13:20.000Z")
  }

  @Test(arguments: [
    "1970-01-01T00:00:00.000Z", "2000-02-29T12:34:56.789Z", "1969-12-31T23:59:59.999Z",
    "9999-12-31T23:59:59.998Z",
  ])
  func `a time is read as it is written`(text: String) throws {
    let time = try #require(milliseconds(ofTime: text))
    #expect(timeText(of: time) == text)
    #expect(milliseconds(ofTime: timeText(of: time + 1)) == time + 1)
  }

  @Test(arguments: [
    "", "sha256:00", "2000-02-30T12:34:56.789Z", "2000-13-01T00:00:00.000Z", "2000-1-01T00:00:00.0000Z",
    "٢٠٠٠-01-01T00:00:00.000Z", "2000-02-29 12:34:56.789Z",
  ])
  func `other texts are no times`(text: String) {
    #expect(milliseconds(ofTime: text) == nil)
  }
}
