@testable import Formats
@testable import Model
@testable import System
import Support
import Testing

/// Tests the names of published files and of delivery modes.
@Suite struct ReleaseNameTests {
  private static let digest = SHA256.digest(of: Array("a".utf8).span.bytes)

  @Test func `an archive for Background Assets is named by contents and manifest`() {
    let manifest = Array("{}".utf8)
    let path = PublishedNames.archivePath(ofPack: "a.b", contentsDigest: Self.digest, manifestBytes: manifest)
    let key = SHA256.digest(of: (Array(Self.digest.hex.utf8) + manifest).span.bytes)
    #expect(path == "archives/a.b.\(key.short).aar")
    #expect(key.short.utf8.count == 16)
    #expect(PublishedNames.pack(ofArchive: "a.b.\(key.short).aar") == "a.b")
    #expect(PublishedNames.pack(ofArchive: "a.b.\(key.short)0.aar") == "a.b.\(key.short)0")
    #expect(
      PublishedNames.pack(ofArchive: "a.b.\(key.short.dropLast()).aar") == "a.b.\(key.short.dropLast())")
    #expect(PublishedNames.pack(ofArchive: "a.aar") == "a" && PublishedNames.pack(ofArchive: "a.zip") == nil)
  }

  @Test(arguments: [
    ("OnDemandResources/x", "xcode"), ("AssetTags.swift", "background-assets"),
    ("AssetPackManifest.plist", "hosted"),
  ]) func `a build without an index is known by its files`(file: String, layout: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("out/other", "")
    #expect(try PublishedNames.layout(of: folder.path("out")) == nil)
    #expect(try PublishedNames.hint(onBuild: folder.path("out")) == nil)
    try folder.write("out/\(file)", "")
    #expect(try PublishedNames.layout(of: folder.path("out"))?.rawValue == layout)
    let hints = [try PublishedNames.hint(onBuild: folder.path("out"))].compactMap { $0 }
    #expect(hints.map { values(in: $0) } == ["\"\(folder.path("out"))\" \"\(layout)\""])
    try folder.write("out/\(PublishedNames.sidecarIndex)", "")
    let others = [try PublishedNames.hint(onBuild: folder.path("out"))].compactMap { $0 }
    #expect(others.map { values(in: $0) } == hints.map { values(in: $0) } && others != hints)
  }

  @Test func `a title says which packs another tag pulls in`() {
    let title = Delivery.onDemand.title
    #expect(Delivery.onDemand.title(ofPacks: [.onDemand, .onDemand]) == title)
    #expect(Delivery.onDemand.title(ofPacks: []) == title)
    #expect(Delivery.prefetch.title(ofPacks: [.initialInstall]) == Delivery.prefetch.title)
    let whole = Delivery.onDemand.title(ofPacks: [.prefetch, .prefetch])
    #expect(whole.hasPrefix(Delivery.prefetch.title) && whole != Delivery.prefetch.title)
    for packs in [[Delivery.prefetch, .initialInstall], [.prefetch, .onDemand]] {
      let part = Delivery.onDemand.title(ofPacks: packs)
      #expect(part.hasPrefix(title) && values(in: part) == (packs[1] == .onDemand ? "1 2" : "2 2"))
    }
  }

  /// A tag must have the same Unicode normalization in the whole manifest, even if it is only in a list and
  /// in no rule.
  @Test(arguments: ["initialInstallTags", "prefetchTagOrder"])
  func `a tag in another form is found in each list`(list: String) {
    let reader = readManifest(
      """
      {"bundleIdentifier": "a.b", "resources": [{"path": "a", "tags": ["\u{e9}"]}],
      "\(list)": ["e\u{301}"]}
      """)
    #expect(reader.diagnostics.map(\.check) == [.tagInTwoForms])
    #expect(reader.diagnostics.map { $0.place.position?.line } == [2])
  }

  /// The Kelvin sign is another form of the letter K, which is in ASCII.
  @Test func `a tag in another form is found in consecutive rules`() {
    let reader = readManifest(
      """
      {"bundleIdentifier": "a.b", "resources": [
      {"path": "a", "tags": ["K"]},
      {"path": "b", "tags": ["\u{212a}"]}]}
      """)
    #expect(reader.diagnostics.map(\.check) == [.tagInTwoForms])
    #expect(reader.diagnostics.map { $0.place.position?.line } == [3])
  }

  /// If the folder of a manifest does not exist, it is created before the manifest is written.
  ///
  /// In /sys nobody can create a folder.
  @Test(.enabled(if: (try? FileOperations.exists("/sys")) == true))
  func `a manifest is written where its folder can be made`() throws {
    let folder = try TemporaryFolder()
    try folder.write("Assets/x", "")
    var manifest = Manifest(text: SourceText(path: "m", bytes: []), folder: folder.path)
    manifest.root = Located("Assets", at: 0)
    #expect(try manifest.rootPath(relativeTo: folder.path("new/deep/m.json")) == "../../Assets")
    #expect(try FileOperations.exists(folder.path("new/deep")))
    #expect(try manifest.rootPath(relativeTo: folder.path("Assets/m.json")) == ".")
    let error = #expect(throws: SystemError.self) {
      try manifest.rootPath(relativeTo: "/sys/packtool/m.json")
    }
    #expect(error?.isMissing == false)
  }
}
