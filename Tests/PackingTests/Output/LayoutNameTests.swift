@testable import Formats
@testable import Model
@testable import Packing
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests which names a layout gives to files, and which names it recognizes.
@Suite struct LayoutNameTests {
  private static let short = "0123456789abcdef"
  private static let long = short + short

  @Test func `names of packs end in a digest`() {
    let own = LayoutFiles(.packtool)
    for suffix in [".zip", ".tar.gz", ".tar.zst", ""] {
      #expect(
        own.isPackName("a.\(Self.short)\(suffix)") && own.isPackName(".\(Self.short)\(suffix)"), "\(suffix)")
      for name in [
        "a-\(Self.short)", "a.\(Self.short)0", "a.\(Self.short.dropLast())", "a.\(Self.short.uppercased())",
        Self.short, "a.\(Self.short.dropLast())g", "a.\(Self.short.dropLast())é", "",
      ] {
        #expect(!own.isPackName(name + suffix), "\(name + suffix)")
      }
    }
    #expect(!own.isPackName("a.\(Self.short).rar") && !own.isPackName("a.\(Self.short).assetpack"))
    for layout in [Layout.xcode, .hosted] {
      let files = LayoutFiles(layout)
      #expect(files.isPackName("a-\(Self.long).assetpack") && files.isPackName("-\(Self.long).assetpack"))
      for name in [
        "a-\(Self.long)", "a.\(Self.long).assetpack", "a-\(Self.short).assetpack",
        "a-\(Self.long)0.assetpack",
        "a-\(Self.long.uppercased()).assetpack", "\(Self.long).assetpack", "a-\(Self.long).zip",
      ] {
        #expect(!files.isPackName(name), "\(name)")
      }
    }
  }

  @Test func `names of lists end in a digest`() {
    let own = LayoutFiles(.packtool)
    for start in ["contents", "elsewhere"] {
      #expect(own.isListName("\(start).\(Self.short).json"))
      for name in [
        "\(start).json", "\(start)-\(Self.short).json", "\(start).\(Self.short).txt",
        "\(start).\(Self.short)",
        "\(start).\(Self.short.dropLast()).json", "\(start).\(Self.short.uppercased()).json",
        "x\(start).\(Self.short).json",
      ] { #expect(!own.isListName(name), "\(name)") }
      #expect(!LayoutFiles(.packtool, scope: .shard).isListName("\(start).\(Self.short).json"))
      for layout in [Layout.xcode, .hosted, .backgroundAssets] {
        #expect(!LayoutFiles(layout).isListName("\(start).\(Self.short).json"))
      }
    }
    #expect(!own.isListName("other.\(Self.short).json"))
  }

  @Test(arguments: [Layout.packtool, .xcode])
  func `packs of an app have its identifier and the digest of their tags`(layout: Layout) {
    let files = LayoutFiles(layout)
    func isOwn(_ tags: [String], _ app: String, of own: String = "com.a", change: (String) -> String = { $0 })
      -> Bool
    {
      let name = change(PackIdentity(tags: tags, bundleIdentifier: app).name)
      return files.isPackName(
        layout == .packtool ? "\(name).\(Self.short).zip" : "\(name).assetpack", of: own)
    }
    for tags in [["A"], ["A", "B"], ["a-b", "c.d"], ["x y", "é", "z"]] {
      #expect(isOwn(tags, "com.a") && isOwn(tags, "com.a.b", of: "com.a.b"), "\(tags)")
      #expect(!isOwn(tags, "com.a.b") && !isOwn(tags, "com.ab") && !isOwn(tags, "com.b"), "\(tags)")
      #expect(!isOwn(tags, "com.a") { $0.dropLast() + ($0.last == "0" ? "1" : "0") }, "\(tags)")
    }
    // The name of the app and the tags alone are not the name of a pack.
    let name = PackIdentity(tags: ["A"], bundleIdentifier: "com.a").name
    for end in ["", ".x", ".zip", ".\(Self.short.dropLast()).zip", "0.assetpack"] {
      #expect(!files.isPackName(name + end, of: "com.a"), "\(end)")
    }
    #expect(!files.isPackName("com.a.A-\(Self.long)", of: "com.a"))
    #expect(!files.isPackName("com.a.A.\(Self.short).zip", of: "com.a"))
  }

  @Test func `the container decides which packs are folders`() {
    let own = LayoutFiles(.packtool)
    #expect(own.isFolderName("a.\(Self.short)") && own.isFolderName(""))
    for suffix in [".zip", ".tar.gz", ".tar.zst"] { #expect(!own.isFolderName("a.\(Self.short)\(suffix)")) }
    #expect(LayoutFiles(.xcode).isFolderName("a.zip") && !LayoutFiles(.hosted).isFolderName("a"))
    #expect(LayoutFiles(.backgroundAssets).isFolderName("a.zip"))
  }

  @Test func `layouts differ in their files`() {
    let all = [Layout.packtool, .xcode, .hosted, .backgroundAssets].map { LayoutFiles($0) }
    #expect(
      all.map(\.indexName) == [
        "index.json", "OnDemandResources.plist", "AssetPackManifest.plist", "tags.json",
      ])
    #expect(all.map(\.replacesInPlace) == [false, true, true, true])
    #expect(all.map(\.writesSidecarIndex) == [false, true, true, true])
    #expect(all.map(\.madeFolders) == [[], [], [], ["manifests"]])
    #expect(all.map(\.cleanedFolders) == [["patches"], [], [], ["archives"]])
    #expect(all.map(\.reservedNames) == [[], ["Info.plist"], ["Info.plist", "META-INF"], []])
    let shards = [Layout.packtool, .xcode].map { LayoutFiles($0, scope: .shard) }
    #expect(shards.map(\.indexName) == ["shard.json", "shard.json"])
    #expect(shards.map(\.writesSidecarIndex) == [false, false])
    let settings = Layout.allCases.map { layout in
      PackSettings(container: .tarGzip, compression: .best, entryTime: 0, layout: layout)
    }
    func choice(_ layout: Layout) -> PackSettings? { settings.first { $0.layout == layout } }
    #expect(choice(.packtool)?.container == .tarGzip && choice(.packtool)?.compression == .best)
    #expect(choice(.xcode)?.container == .folder && choice(.xcode)?.compression == .best)
    #expect(choice(.hosted)?.container == .zip && choice(.hosted)?.compression == .store)
    #expect(choice(.backgroundAssets)?.container == .folder)
  }

  @Test func `patches have names of three digests, and their lists of two`() throws {
    let folder = try TemporaryFolder()
    let output = OutputFolder(folder.path)
    #expect(try output.patches() == nil && output.patches(except: []) == [])
    try folder.write("patches", "a file")
    #expect(try output.patches() == nil)
    try FileOperations.removeFile(folder.path("patches"))
    let (short, long) = (Self.short, Self.long)
    let names = ["\(long).\(short).\(short).zip", "\(short).\(short).json"]
    let others = [
      "\(long).\(short).zip", "\(short).\(short).\(short).zip", "\(long).\(short).\(short).json",
      "\(long).\(long).\(short).zip", "\(long).\(short).\(long).zip", "\(short).json",
      "\(short).\(long).json",
      "\(long).\(short).json", "\(short).\(short).zip", "\(short).\(short)", "\(long).\(short).\(short)",
      "\(long.uppercased()).\(short).\(short).zip", "\(short).\(short.dropLast())g.json",
      "\(long).\(short).\(short)..zip", "\(short)..\(short).json", "zip", "json", ".json",
      "\(long).\(short).\(short).rar",
      "json.\(short).\(short)", "zip.\(long).\(short).\(short)",
    ]
    for name in names + others { try folder.write("patches/\(name)", "") }
    #expect(try output.patches() == names.map { "patches/\($0)" }.sorted())
    #expect(try output.patches(except: ["patches/\(names[0])"]) == ["patches/\(names[1])"])
  }

  @Test func `lists are removed by name`() throws {
    let folder = try TemporaryFolder()
    let output = OutputFolder(folder.path("out"))
    for name in ["b", "a", "c"] { try folder.write("out/\(name)", "") }
    #expect(try output.remove(["c", "none", "a"]) == ["c", "a"])
    #expect(try FileOperations.names(in: output.path) == ["b"])
    try FileOperations.makeFolder(folder.path("out/d"))
    #expect(throws: SystemError.self) { try output.remove(["d"]) }
  }

  /// The root of the file system has the same identity under any path.
  @Test func `parts of other kinds are refused`() throws {
    let folder = try TemporaryFolder()
    let output = OutputFolder(folder.path("out"), layout: .backgroundAssets)
    func unsafe() throws -> [String] {
      try output.unsafeParts.map(\.diagnostic.place.path).map {
        $0.replacing("\(folder.path)/out/", with: "")
      }
    }
    #expect(try unsafe() == [])
    try folder.write("out/packs", "")
    try folder.write("out/manifests", "")
    try folder.write("out/archives", "")
    #expect(try unsafe() == ["packs", "manifests", "archives"])
    for name in ["packs", "manifests", "archives"] {
      try FileOperations.removeFile(folder.path("out/\(name)"))
    }
    try FileOperations.makeFolder(folder.path("out/.packtool/lock"))
    try FileOperations.makeFolder(folder.path("out/.packtool/record"))
    try folder.write("out/.packtool/staging", "")
    #expect(try unsafe() == [".packtool/staging", ".packtool/lock", ".packtool/record"])
    try FileOperations.remove(folder.path("out/.packtool"))
    try folder.link("out/.packtool", to: "elsewhere")
    #expect(try unsafe() == [".packtool"])
    #expect(try OutputFolder("/").unsafeParts.map(\.diagnostic.check) == [.unsafeOutput])
    #expect(try OutputFolder("/..").unsafeParts.count == 1)
  }

  @Test func `a folder shows the app and the packs of its build`() throws {
    let folder = try TemporaryFolder()
    func digest(_ text: String) -> Digest { sha256(Array(text.utf8)) }
    let index = """
      {"bundleIdentifier": "com.a", "packs": [
        {"archive": {"path": "packs/a", "digest": "\(digest("a").prefixed)"}},
        {"archive": {"path": "packs/a", "digest": "\(digest("b").prefixed)"}},
        {"archive": {"digest": "\(digest("b").prefixed)"}}, {"archive": {"path": "packs/c"}}, {}
      ], "contents": {"path": "contents.json", "digest": "\(digest("d").prefixed)"}, "release": 7, "expires": "x"}
      """
    try folder.write("out/index.json", index)
    let output = OutputFolder(folder.path("out"))
    #expect(try output.publishedBundleIdentifier == "com.a")
    #expect(try output.publishedPaths == ["packs/a", "packs/a", "packs/c", "contents.json"])
    #expect(try output.publishedDigests == ["packs/a": digest("a"), "contents.json": digest("d")])
    let edition = try output.publishedEdition
    #expect(edition?.number == 7 && edition?.expiryText == "x")
    for other in [OutputFolder(folder.path("out"), layout: .xcode), OutputFolder(folder.path("none"))] {
      #expect(try other.publishedBundleIdentifier == nil && other.publishedPaths == [])
      #expect(try other.publishedDigests == [:] && other.publishedEdition == nil)
    }
    let shard = OutputFolder(folder.path("out"), files: LayoutFiles(.packtool, scope: .shard))
    #expect(try shard.publishedBundleIdentifier == nil && shard.publishedPaths == [])
    #expect(try shard.publishedDigests == [:] && shard.foreignFile == nil && !shard.holdsBuild)
    try folder.write("out/shard.json", "{}")
    #expect(try shard.holdsBuild)
  }

  @Test func `archives belong to packs by their names`() throws {
    let folder = try TemporaryFolder()
    let output = OutputFolder(folder.path("out"), layout: .backgroundAssets)
    #expect(try output.packagedArchives(ofPacks: ["a"]) == [])
    for name in ["a.\(Self.short).aar", "a.aar", "b.\(Self.short).aar", "a.zip"] {
      try folder.write("out/archives/\(name)", "")
    }
    try folder.write("out/manifests/a.json", "{}")
    let own = ["archives/a.\(Self.short).aar", "archives/a.aar"]
    #expect(try output.packagedArchives(ofPacks: ["a", "c"]) == own)
    #expect(try output.manifestsAndArchives(ofPacks: ["c", "a"]) == ["manifests/a.json"] + own)
    #expect(try output.manifestsAndArchives(ofPacks: ["b"]) == ["archives/b.\(Self.short).aar"])
    try FileOperations.remove(folder.path("out/archives"))
    try folder.link("out/archives", to: folder.path("elsewhere"))
    try folder.write("elsewhere/a.aar", "")
    #expect(try output.packagedArchives(ofPacks: ["a"]) == [])
  }
}
