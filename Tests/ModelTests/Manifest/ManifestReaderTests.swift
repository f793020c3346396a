@testable import Formats
@testable import Model
@testable import Pipeline
import Support
import Testing

/// Tests the results of reading manifests without mistakes.
@Suite struct ManifestReaderTests {
  @Test(arguments: GoodManifest.all)
  func `nothing is wrong with a good manifest`(_ manifest: GoodManifest) {
    let reader = readManifest(manifest.text)
    #expect(reader.diagnostics.rendered == [])
    #expect(reader.manifest?.rules.isEmpty == false)
  }

  @Test func `the good manifests are many, and the examples are among them`() {
    #expect(GoodManifest.all.count >= 15)
    #expect(
      GoodManifest.examples.map(\.name) == [
        "Examples/Bazel", "Examples/Devices", "Examples/FourTags", "Examples/GreatGame", "Examples/iTravel",
      ])
  }

  /// The limit is in bytes, because a name on a disk is a sequence of bytes.
  ///
  /// No file system allows names of more than 255 bytes.
  @Test(arguments: [("a", 255, 0), ("a", 256, 1), ("\u{e9}", 127, 0), ("\u{e9}", 128, 1)])
  func `a name that no file system holds is a mistake`(letter: String, letters: Int, count: Int) throws {
    let name = String(repeating: letter, count: letters)
    for members in [
      #""path": "a/\#(name)/b""#, #""path": "\#(name)""#, #""path": "a", "destination": "b/\#(name)""#,
    ] {
      let found = readManifest(
        #"{"bundleIdentifier": "a.b", "resources": [{\#(members), "tags": ["T"]}]}"#
      ).diagnostics
      #expect(found.map(\.check) == Array(repeating: .invalidPath, count: count), "\(found.rendered)")
      #expect(found.allSatisfy { $0.message.contains("256 bytes") })
    }
  }

  @Test func `every key arrives`() throws {
    let manifest = try #require(readManifest(GoodManifest.everyKey.text).manifest)
    #expect(manifest.bundleIdentifier == "com.example.great-game_2")
    #expect(manifest.root.value == "../Assets")
    #expect(
      manifest.rules.map(\.text.value) == [
        "Levels/1", "Music/**/*.{ogg,wav}", "Worlds/*/*_??.json", "Sounds",
      ])
    #expect(
      manifest.rules.map { $0.tags.map(\.value) } == [
        ["Level 1", "Levels"], ["Music"], ["Levels"], ["Music"],
      ])
    #expect(manifest.rules.map { $0.templates.map(\.text.value) } == [[], [], ["World $1", "$$$2$3$4"], []])
    #expect(manifest.rules.map(\.destination?.path.components) == [["First"], ["Sound"], nil, nil])
    #expect(manifest.rules.map(\.destination?.isFolder) == [true, false, nil, nil])
    #expect(manifest.rules.map { $0.excepts.map(\.value.text) } == [[], [], [], ["Sounds/voices/**"]])
    #expect(manifest.rules.map(\.isOtherwise) == [false, false, false, true])
    #expect(manifest.excludes.map(\.text) == ["**/*.psd", "**/draft-?"])
    #expect(manifest.tags?.map(\.value) == ["Level 1", "Levels", "Music", "not used yet"])
    #expect(manifest.initialInstallTags.map(\.value) == ["Level 1"])
    #expect(manifest.prefetchTagOrder.map(\.value) == ["Levels", "Music"])
    #expect(manifest.appBundle?.bytes == 180_000_000)
    #expect(manifest.untagged == .warn)
    #expect(manifest.container == .tarZstandard)
    #expect(
      manifest.rules.map(\.traits) == [
        .none, Traits(idiom: .pad, scale: 2, memory: 4, graphics: .apple3v1, gamut: .p3), .none, .none,
      ])
    #expect(
      manifest.deviceClasses(hasVariants: false).map(\.name) == [
        "pad 2x P3 8 GB APPLE8", "phone 3x P3 8 GB APPLE9",
      ])
    #expect(manifest.layout.name == .backgroundAssets && manifest.layout.bundleVersion == .v27)
    #expect(manifest.layout.platforms == [.iOS, .tvOS] && manifest.layout.isSelfHosted)
    #expect(manifest.layout.idMap?.value == "../ids.json" && manifest.layout.ledger?.value == "ledger.json")
    #expect(manifest.layout.urlPrefix?.text == "https://example.com/packs/")
    #expect(manifest.layout.deviceClass?.name == "phone 3x P3 8 GB APPLE9")
    #expect(manifest.hasVariantSuffixes)
    #expect(
      manifest.severities == ["empty-file": .error, "path-clash": .ignore, "no-match": .error])
  }

  @Test func `limits are those of the profile but for what is set`() throws {
    let limits = try #require(readManifest(GoodManifest.everyKey.text).manifest).limits
    #expect(limits.profile.name == "app-store-ios18")
    #expect(limits.limit(.packSize) == .exactly(64_000_000))
    #expect(limits.limit(.packCount) == .exactly(200))
    #expect(limits.limit(.initialInstallSize) == .exactly(1_610_612_736))
    #expect(limits.limit(.prefetchSize) == nil)
    #expect(limits.limit(.totalSize) == .exactly(18_000_000_000))
    #expect(limits.limit(.appBundleSize) == .exactly(2_000_000_000))
    #expect(limits.limit(.tagSize) == .exactly(0))
    #expect(limits.limit(.inUseSize) == .exactly(1_000_000_000))
    #expect(limits.limit(.cellularSize) == .exactly(200_000))
  }

  @Test func `a missing key has its default`() throws {
    let text = #"{ "bundleIdentifier": "a.b", "resources": [{ "path": "x", "tags": ["A"] }] }"#
    let manifest = try #require(readManifest(text).manifest)
    #expect(manifest.root.value == ".")
    #expect(manifest.rootPath == ".")
    #expect(manifest.rules[0].destination == nil)
    #expect(manifest.excludes.isEmpty)
    #expect(manifest.initialInstallTags.isEmpty && manifest.prefetchTagOrder.isEmpty)
    #expect(manifest.appBundle == nil)
    #expect(manifest.limits.profile.name == "app-store")
    #expect(manifest.limits.overrides.isEmpty)
    #expect(manifest.container == .zip)
    #expect(manifest.severities.isEmpty)
  }

  @Test(arguments: [
    (#""\ud83d\ude00""#, "😀"), (#""\uD83D\uDE00""#, "😀"), (#""\udbff\udfff""#, "\u{10ffff}"),
    (#""\ud800\udc00""#, "\u{10000}"), (#""\u00e9\u0065\u0301""#, "\u{e9}e\u{301}"),
    (#""\uFFFD""#, "\u{fffd}"),
    (#""a\\\"b""#, "a\\\"b"), (#""\ud83d\ude00\ud83d\ude01""#, "😀😁"), (#""日本語 👩‍🚀""#, "日本語 👩‍🚀"),
    (#""\ufeff""#, "\u{feff}"), (#""x\\u0041""#, "x\\u0041"),
  ])
  func `escapes stand for their characters`(_ literal: String, _ value: String) throws {
    let text = #"{ "bundleIdentifier": "a.b", "resources": [{ "path": "x", "tags": [\#(literal)] }] }"#
    let manifest = try #require(readManifest(text).manifest)
    #expect(Array(manifest.rules[0].tags[0].value.unicodeScalars) == Array(value.unicodeScalars))
  }

  @Test func `short escapes stand for control characters`() throws {
    let text = #"{ "bundleIdentifier": "a", "$schema": "", "root": "\b\f\n\r\t\/", "resources": [] }"#
    let findings = readManifest(text).diagnostics.rendered
    #expect(findings.first == #"1:51: error [invalid-path] "\u{8}\u{c}\n\r\t/" "/" "/b/f/n/r/t/""#)
  }

  @Test(arguments: [
    ("Manifest.json", "../Assets"), ("./Manifest.json", "../Assets"),
    ("Game/Manifest.json", "Game/../Assets"),
    ("/Manifest.json", "/../Assets"), ("/work/x.json", "/work/../Assets"),
  ])
  func `the root is relative to the folder of the manifest`(_ path: String, _ root: String) throws {
    let text = SourceText(path: path, bytes: Array(GoodManifest.everyKey.text.utf8))
    let reader = ManifestReader(text: text)
    #expect(try #require(reader.manifest).rootPath == root)
  }

  @Test func `places name the path that the manifest was read under`() {
    let reader = ManifestReader(text: SourceText(path: "Game/x.json", bytes: Array("{".utf8)))
    #expect(reader.diagnostics.map(\.place.path) == ["Game/x.json"])
  }
}

extension AppBundle {
  fileprivate var bytes: Int64? {
    if case .size(let bytes) = self { bytes } else { nil }
  }
}
