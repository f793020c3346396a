@testable import Formats
@testable import Model
@testable import Packing
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Compares the files of a build in Xcode's layout with the bytes from another program.
@Suite struct XcodeLayoutTests {
  @Test func `one pack with one file`() throws {
    let site = try XcodeSite("a.png")
    try site.build([.path("a.png", "foo")], XcodeSite.settings(.xcode))
    #expect(
      try site.hex("OnDemandResources.plist")
        == joinedHex(
          """
          62706c6973743030d2010203075f10214e5342756e646c655265736f757263655265717565737441737365745061636b
          735f101b4e5342756e646c655265736f757263655265717565737454616773d104055f103b636f6d2e636f6d70616e79
          2e4170702e61737365742d7061636b2d6163626431386462346363326638356365646566363534666363633461346438
          a10655612e706e67d1080953666f6fd10a0b5c4e5341737365745061636b73a104080d314f529092989b9fa2af000000
          0000000101000000000000000c000000000000000000000000000000b1
          """))
  }

  @Test func `packs that share tags, a folder, a language and an accent`() throws {
    let site = try XcodeSite("a.png", "Levels/1", "Levels/2", "en.lproj/x.strings", "Äther.ogg")
    try site.build(
      [
        .path("a.png", "foo"), .path("Levels", "foo"), .path("en.lproj/x.strings", "bar"),
        .glob("*.ogg", "bar", "foo"),
      ], XcodeSite.settings(.xcode))
    #expect(
      try site.hex("OnDemandResources.plist")
        == joinedHex(
          """
          62706c6973743030d20102030e5f10214e5342756e646c655265736f757263655265717565737441737365745061636b
          735f101b4e5342756e646c655265736f757263655265717565737454616773d304050607090b5f103b636f6d2e636f6d
          70616e792e4170702e61737365742d7061636b2d33376235316431393461373531336534356235366636353234663264
          353166325f103b636f6d2e636f6d70616e792e4170702e61737365742d7061636b2d3838353633323862393965653738
          3831653962663732303532393665303536645f103b636f6d2e636f6d70616e792e4170702e61737365742d7061636b2d
          6163626431386462346363326638356365646566363534666363633461346438a1085f1012656e2e6c70726f6a2f782e
          737472696e6773a10a6900c40074006800650072002e006f00670067a20c0d564c6576656c7355612e706e67d20f1011
          145362617253666f6fd112135c4e5341737365745061636b73a20405d115165c4e5341737365745061636b73a2050600
          08000d0031004f0056009400d20110011201270129013c013f0146014c015101550159015c0169016c016f017c000000
          000000020100000000000000170000000000000000000000000000017f
          """))
  }

  @Test func `a pack is a folder with its files and its own list`() throws {
    let site = try XcodeSite("a.png", "Levels/1", "Levels/2")
    try site.build(
      [.path("a.png", "foo"), .path("Levels", "foo")], XcodeSite.settings(.xcode), initial: ["foo"])
    let name = "com.company.App.foo-acbd18db4cc2f85cedef654fccc4a4d8.assetpack"
    #expect(
      try Set(site.published().keys) == [
        "OnDemandResources.plist", "AssetPackManifest.plist", "OnDemandResources/\(name)/Info.plist",
        "OnDemandResources/\(name)/a.png", "OnDemandResources/\(name)/Levels/1",
        "OnDemandResources/\(name)/Levels/2",
      ])
    let info = try #require(BinaryPlistTests.packs.first)
    #expect(try site.hex("OnDemandResources/\(name)/Info.plist") == joinedHex(info.hex))
  }

  /// The names of the packs of the app com.company.App.ios begin with "com.company.App", like the names of
  /// this app's packs.
  @Test func `packs of an app whose identifier begins alike stay`() throws {
    let site = try XcodeSite("a.png", "b.png")
    let old = PackIdentity(tags: ["old", "x y"], bundleIdentifier: "com.company.App").name
    let other = PackIdentity(tags: ["a"], bundleIdentifier: "com.company.App.ios").name
    for name in [old, other] { try site.folder.write("out/OnDemandResources/\(name).assetpack/x", "x") }
    try site.build([.path("a.png", "a")], XcodeSite.settings(.xcode))
    let names = try FileOperations.names(in: site.folder.path("out/OnDemandResources")).sorted()
    let own = PackIdentity(tags: ["a"], bundleIdentifier: "com.company.App").name
    #expect(names == ["\(own).assetpack", "\(other).assetpack"].sorted())
  }

  @Test(.enabled(if: isInstalled("plutil"))) func `plutil takes every list`() throws {
    let site = try XcodeSite("a.png", "Levels/1", "Äther.ogg")
    try site.build(
      [.path("a.png", "foo"), .path("Levels", "foo", "bar"), .path("Äther.ogg", "日本")],
      XcodeSite.settings(.xcode))
    let lists = try site.published().keys.filter { $0.hasSuffix(".plist") }
    #expect(lists.count == 5)
    for list in lists {
      let lint = try run("plutil", ["-lint", site.folder.path("out/\(list)")])
      #expect(lint.status == 0, "\(lint.output)\(lint.errors)")
    }
  }

  @Test func `a manifest names packs by where they are`() throws {
    let site = try XcodeSite("a.png")
    let rules: [TestRule] = [.path("a.png", "Level 1 & ü+~")]
    let folder =
      PackIdentity(tags: ["Level 1 & ü+~"], bundleIdentifier: "com.company.App").name + ".assetpack"
    let encoded = folder.replacingOccurrences(of: " ", with: "%20").replacingOccurrences(of: "&", with: "%26")
      .replacingOccurrences(of: "ü", with: "%C3%BC")
    for (location, name, url, isStreamable) in [
      (PackLocation.prefix("https://x.y/z?"), "AssetPackManifest.plist", "https://x.y/z?\(encoded)", true),
      (.prefix("http://x/"), "AssetPackManifest.plist", "http://x/\(encoded)", true),
      (.app, "AssetPackManifest.plist", "OnDemandResources/\(folder)", false),
      (
        .buildFolder, "AssetPackManifestTemplate.plist",
        "http://127.0.0.1\(site.folder.path("out"))/OnDemandResources/\(encoded)", true
      ),
    ] {
      try site.build(rules, XcodeSite.settings(.xcode, location))
      let lists = try site.published().keys.filter { $0.hasPrefix("AssetPackManifest") }
      #expect(lists == [name])
      let resource = try site.resources(name)[0]
      #expect(resource["URL"] as? String == url)
      #expect(resource["isStreamable"] as? Bool == isStreamable)
      #expect(resource["downloadPriority"] == nil)
      let info = try site.published().first { $0.key.hasSuffix("/Info.plist") }
      #expect(resource["uncompressedSize"] as? Int == 5 + (info?.value.count ?? 0))
    }
  }

  @Test func `a prefix without a scheme ends a build`() throws {
    let site = try XcodeSite("a.png")
    try site.writeManifest([.path("a.png", "A")])
    let result = try site.site.request(XcodeSite.settings(.xcode, .prefix("x.y/"))).run(Policy())
    let errors = result.findings.filter { $0.severity == .error }
    #expect(errors.map(\.check) == [.doubtfulURLPrefix])
    #expect(result.decisions.isEmpty)
  }

  @Test func `the hash is the newest time in the pack, and files keep theirs`() throws {
    let site = try XcodeSite("a/1", "a/b/2")
    let folder = site.folder
    try FileOperations.setModificationTime(
      of: folder.path("Assets/a/1"), nanoseconds: 1_234_567_890_123_456_789)
    try FileOperations.setModificationTime(of: folder.path("Assets/a/b/2"), nanoseconds: -1)
    try site.build([.path("a", "A")], XcodeSite.settings(.xcode, sourceDate: nil))
    let hash = try site.resources()[0]["primaryContentHash"] as? [String: String]
    #expect(hash == ["hash": "2009-02-13T23:31:30.123Z", "strategy": "modtime"])
    let listing = try run(
      "find", ["out/OnDemandResources", "-mindepth", "1", "-printf", "%f %T@\\n"], in: folder.path)
    let times = Set(
      listing.output.split(separator: "\n").map { $0.split(separator: " ").last.map(String.init) ?? "" })
    #expect(
      times == ["1234567890.1234567890", "-1.9999999990"]
        || times == ["1234567890.1234567890", "-0.0000000010"])
  }

  @Test func `a source date stands for all times, a digest for all of them`() throws {
    let site = try XcodeSite("a/1", "a/b/2")
    let rules: [TestRule] = [.path("a", "A")]
    try site.build(rules, XcodeSite.settings(.xcode))
    #expect(try site.contentHash() == "2001-09-09T01:46:40.000Z")
    let first = try site.published()
    try FileOperations.setModificationTime(of: site.folder.path("Assets/a/1"), nanoseconds: 5_000_000_000)
    try site.build(rules, XcodeSite.settings(.xcode))
    #expect(try site.published() == first)
    let built = try site.build(rules, XcodeSite.settings(.xcode, hash: .sha256, sourceDate: nil))
    let digest = try #require(built.packs.first?.digest.prefixed)
    #expect(try site.contentHash() == digest)
    try site.write("a/1", "other")
    try site.build(rules, XcodeSite.settings(.xcode, hash: .sha256, sourceDate: nil))
    #expect(try site.contentHash() != digest)
  }

  @Test(arguments: [
    (Int64(0), "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.000Z"),
    (951_827_696, "2000-02-29T12:34:56.000Z"), (4_107_542_399, "2100-02-28T23:59:59.000Z"),
    (4_107_542_400, "2100-03-01T00:00:00.000Z"), (253_402_300_799, "9999-12-31T23:59:59.000Z"),
    (-62_135_596_800, "0001-01-01T00:00:00.000Z"), (1_709_251_199, "2024-02-29T23:59:59.000Z"),
  ])
  func `times are UTC by the Gregorian calendar`(seconds: Int64, text: String) {
    #expect(timeText(of: seconds * 1000) == text)
  }

  @Test(arguments: [Layout.xcode, .hosted]) func `a second build touches nothing`(layout: Layout) throws {
    let site = try XcodeSite("a/1", "b/2")
    let rules: [TestRule] = [.path("a", "A"), .path("b", "B")]
    site.waitForClockTick()
    let settings = XcodeSite.settings(layout, .prefix("https://x.y/"), sourceDate: nil)
    try site.build(rules, settings)
    let before = try site.stamps()
    let again = try site.build(rules, settings)
    #expect(again.isUnchanged)
    #expect(try site.stamps() == before)
    try FileOperations.remove(site.folder.path("out/.packtool"))
    try site.build(rules, settings)
    #expect(try site.stamps() == before)
  }

  /// A list that is written only with other settings would contradict this build, so the build removes it.
  @Test(arguments: [
    (Layout.xcode, "AssetPackManifestTemplate.plist"), (.hosted, "AssetPackManifestTemplate.plist"),
    (.hosted, "OnDemandResources.plist"), (.xcode, PublishedNames.ownManifest),
    (.hosted, PublishedNames.ownManifest),
  ])
  func `a list of other settings goes`(layout: Layout, stale: String) throws {
    let site = try XcodeSite("a/1", "b/2")
    let rules: [TestRule] = [.path("a", "A"), .path("b", "B")]
    site.waitForClockTick()
    let settings = XcodeSite.settings(layout, .prefix("https://x.y/"))
    try site.build(rules, settings)
    let before = try site.published()
    #expect(before["AssetPackManifest.plist"] != nil && before[stale] == nil)
    try site.folder.write("out/\(stale)", "stale")
    try site.build(rules, settings)
    #expect(try !FileOperations.exists(site.folder.path("out/\(stale)")))
    #expect(try site.published() == before)
    #expect(try site.build(rules, settings).isUnchanged)
  }

  /// packtool writes large files in blocks.
  ///
  /// The entries of folders must still be written before the blocks of the files in them.
  @Test(arguments: [Layout.xcode, .hosted])
  func `large files stand behind their folders`(layout: Layout) throws {
    let site = try XcodeSite("a/x/1", "a/z/small")
    try site.site.write("a/y/deep/large", Sample.noise(4_300_000))
    try site.site.write("a/y/deep/next", Sample.text(4_300_000))
    site.waitForClockTick()
    let settings = XcodeSite.settings(layout, .prefix("https://x.y/"))
    let first = try site.build([.path("a", "A")], settings)
    if layout == .hosted {
      let archive = site.folder.path("out/\(try #require(first.packs.first).archive.path)")
      let names = try run("python3", ["-m", "zipfile", "-l", archive]).output.split(separator: "\n")
        .dropFirst().compactMap { $0.split(separator: " ").first.map(String.init) }
      #expect(
        names == [
          "META-INF/", "META-INF/com.apple.ZipMetadata.plist", "a/", "a/x/", "a/x/1", "a/y/", "a/y/deep/",
          "a/y/deep/large", "a/y/deep/next", "a/z/", "a/z/small", "Info.plist",
        ])
    }
    // A build that copies from the previous archive writes the same bytes as a clean build.
    try site.write("a/x/1", "changed")
    site.waitForClockTick()
    try site.build([.path("a", "A")], settings)
    let copied = try site.published()
    try FileOperations.remove(site.folder.path("out"))
    try site.build([.path("a", "A")], settings)
    #expect(try site.published() == copied)
  }

  @Test(arguments: [Layout.xcode, .hosted])
  func `only what changed is written, and old packs go`(layout: Layout) throws {
    let site = try XcodeSite("a/1", "b/2")
    site.waitForClockTick()
    let settings = XcodeSite.settings(layout, .prefix("https://x.y/"))
    try site.build([.path("a", "A"), .path("b", "B")], settings)
    let before = try site.stamps()
    try site.write("a/1", "other content")
    let changed = try site.build([.path("a", "A"), .path("b", "B")], settings)
    #expect(changed.isKept.filter { $0 }.count == 1)
    let moved = Set(try site.stamps().filter { before[$0.key] != $0.value }.keys)
    #expect(moved.areAll { $0.contains(".A-") || $0.hasPrefix("AssetPackManifest") })
    try site.build([.path("b", "B")], settings)
    #expect(try site.published().keys.areAll { !$0.contains(".A-") })
  }

  @Test(arguments: [Layout.xcode, .hosted]) func `another order of tags makes other lists`(layout: Layout)
    throws
  {
    let site = try XcodeSite("a/1", "b/2")
    site.waitForClockTick()
    let rules: [TestRule] = [.path("a", "A"), .path("b", "B")]
    let settings = XcodeSite.settings(layout, .prefix("https://x.y/"))
    try site.build(rules, settings)
    try site.build(rules, settings, initial: ["A"])
    let first = try site.published()
    try FileOperations.remove(site.folder.path("out"))
    try site.build(rules, settings, initial: ["A"])
    #expect(try site.published() == first)
  }

  @Test func `a build in another layout is not mixed in`() throws {
    let site = try XcodeSite("a/1")
    try site.build([.path("a", "A")], XcodeSite.settings(.xcode))
    for (layout, count) in [(Layout.packtool, 1), (.hosted, 1), (.xcode, 0)] {
      let output = OutputFolder(site.folder.path("out"), layout: layout)
      let prepared = try Preparation(Preparation.Request(argument: site.folder.path, jobs: 1))
      let findings = try output.findings(about: prepared.plan, root: prepared.root)
      #expect(findings.map(\.check) == Array(repeating: Check.foreignOutput, count: count))
    }
  }

  @Test(arguments: ["Info.plist", "info.PLIST"]) func `a file may not take the place of the pack's own`(
    name: String
  )
    throws
  {
    let site = try XcodeSite("x/\(name)", "META-INF/y")
    try site.writeManifest([.path("x", "A", to: "."), .path("META-INF", "B")])
    for (layout, count) in [(Layout.packtool, 0), (.xcode, 1), (.hosted, 2)] {
      let prepared = try Preparation(Preparation.Request(argument: site.folder.path, jobs: 1))
      var choice = LayoutChoice(layout: layout)
      choice.urlPrefix = "https://example.com/"
      let findings = try choice.findings(about: prepared)
      #expect(findings.map(\.check) == Array(repeating: Check.pathClash, count: count))
    }
  }
}
