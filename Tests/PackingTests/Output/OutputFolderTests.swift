@testable import Formats
@testable import Model
@testable import Packing
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests which files in an output folder a build recognizes as its own, removes, or does not touch.
@Suite struct OutputFolderTests {
  private static let rules: [TestRule] = [.path("a", "A"), .path("b", "B")]
  private static let list = "contents.0123456789abcdef.json"
  private static let patch = "patches/0123456789abcdef0123456789abcdef.0123456789abcdef.0123456789abcdef.zip"
  private static let patchList = "patches/0123456789abcdef.0123456789abcdef.json"
  private static let pack =
    "packs/\(PackIdentity(tags: ["A"], bundleIdentifier: "com.example.test").name).0123456789abcdef.zip"

  /// A build never creates folders with these names, so they belong to somebody else.
  @Test func `folders with the names of files stay`() throws {
    let site = try ScanSite("a/1", "b/2")
    let files = [Self.list, Self.patch, Self.patchList, Self.pack].map { "out/\($0)/mine" }
    for file in files { try site.folder.write(file, "mine") }
    let result = try site.build(Self.rules)
    #expect(result.release != nil)
    for file in files { #expect(try site.folder.read(file) == Data("mine".utf8), "\(file)") }
    try site.write("a/1", "other")
    #expect(try site.build(Self.rules).changes.removed.count == 2)
  }

  @Test func `files of older builds go, and the folder of patches with the last`() throws {
    let site = try ScanSite("a/1", "b/2")
    try site.build(Self.rules)
    for file in [Self.list, Self.patch, Self.patchList, Self.pack] {
      try site.folder.write("out/\(file)", "old")
    }
    let removed = try site.build(Self.rules).changes.removed
    #expect(removed == [Self.list, Self.pack, Self.patch, Self.patchList].sorted())
    #expect(try !FileOperations.exists(site.folder.path("out/patches")))
    try site.folder.write("out/patches/mine", "mine")
    try site.folder.write("out/\(Self.patch)", "old")
    #expect(try site.build(Self.rules).changes.removed == [Self.patch])
    #expect(try site.folder.read("out/patches/mine") == Data("mine".utf8))
  }

  @Test(arguments: [true, false])
  func `what a build began goes where it is abandoned`(isBuilt: Bool) throws {
    let site = try ScanSite("a/1", "b/2")
    if isBuilt { try site.build(Self.rules) }
    try site.folder.write("out/packs/mine", "mine")
    let before = try site.folder.files(below: "out")
    let lock = try OutputLock(OutputFolder(site.folder.path("out")), lockWait: .fails)
    let snapshot = try lock.prepareForWriting()
    for file in [Self.list, Self.patch, Self.patchList, Self.pack, ".packtool/staging/0"] {
      try site.folder.write("out/\(file)", "new")
    }
    lock.abandon(snapshot)
    #expect(try site.folder.files(below: "out") == before)
    #expect(try FileOperations.exists(site.folder.path("out/.packtool")) == isBuilt)
    #expect(try !FileOperations.exists(site.folder.path("out/.packtool/staging")))
    #expect(try !FileOperations.exists(site.folder.path("out/patches")))
  }

  @Test func `an output folder that was made for a lock goes with it`() throws {
    let site = try ScanSite("a/1")
    let lock = try OutputLock(OutputFolder(site.folder.path("new/deep/out")), lockWait: .fails)
    let snapshot = try lock.prepareForWriting()
    #expect(
      snapshot.made
        == ["new", "new/deep", "new/deep/out", "new/deep/out/.packtool", "new/deep/out/packs"].map(
          site.folder.path))
    #expect(snapshot.packs.isEmpty && snapshot.patches == nil)
    lock.abandon(snapshot)
    #expect(try !FileOperations.exists(site.folder.path("new")))
  }

  @Test(arguments: Layout.allCases)
  func `files that another program wrote are known`(layout: Layout) throws {
    let folder = try TemporaryFolder()
    let output = OutputFolder(folder.path("out"), layout: layout)
    func foreign(_ name: String, _ text: String) throws -> Bool {
      try FileOperations.remove(folder.path("out"))
      try folder.write("out/\(name)", text)
      let found = try output.foreignFile
      if let found { #expect(found == folder.path("out/\(name)")) }
      return found != nil
    }
    let own = #"{"formatVersion": 1, "bundleIdentifier": "a.b", "packs": []}"#
    let tags = #"{"formatVersion": 1, "tags": {}, "packs": {}}"#
    #expect(try output.foreignFile == nil)
    #expect(try foreign("index.json", "{}") == (layout != .backgroundAssets))
    #expect(try foreign("index.json", "{") == (layout != .backgroundAssets))
    #expect(try foreign("index.json", own) == (layout == .xcode || layout == .hosted))
    #expect(try foreign("index.json", #"{"formatVersion": 1, "packs": []}"#) == (layout != .backgroundAssets))
    #expect(try foreign("tags.json", "{}") == (layout == .backgroundAssets))
    #expect(try foreign("tags.json", "[") == (layout == .backgroundAssets))
    #expect(try !foreign("tags.json", tags))
    #expect(try foreign("package.sh", "#!/bin/sh\n") == (layout == .backgroundAssets))
    #expect(try foreign("AssetTags.swift", "enum AssetTag {}") == (layout == .backgroundAssets))
    #expect(try !foreign("AssetTags.swift", "// \(PackageScript.mark)"))
    // If the folder contains a build cache or a pack, packtool assumes that it wrote the other files as well.
    try folder.write("out/.packtool/x", "")
    try folder.write("out/index.json", "{}")
    #expect(try (output.foreignFile != nil) == (layout == .xcode || layout == .hosted))
  }

  @Test func `an index beside a pack is packtool's`() throws {
    let folder = try TemporaryFolder()
    try folder.write("out/index.json", "damaged")
    try folder.write("out/packs/notes.txt", "")
    let output = OutputFolder(folder.path("out"))
    #expect(try output.foreignFile == output.indexPath)
    try folder.write("out/\(Self.pack)", "")
    #expect(try output.foreignFile == nil)
  }

  /// If a build has written packs and then fails, the next build recognizes these packs.
  @Test func `packs that were noted before a failure are known`() throws {
    let folder = try TemporaryFolder()
    let output = OutputFolder(folder.path("out"), layout: .backgroundAssets)
    try folder.write("out/.packtool/x", "")
    let path = "\(output.files.packsFolder)/a-12345678"
    try output.journal(["\(output.files.packsFolder)/gone-12345678", path])
    #expect(
      try output.journaledPacks.sorted() == [path, "\(output.files.packsFolder)/gone-12345678"].sorted())
    try folder.write("out/\(path)/x", "")
    try output.journal(["\(output.files.packsFolder)/b-12345678"])
    #expect(try output.journaledPacks == [path, "\(output.files.packsFolder)/b-12345678"])
  }
}
