@testable import Formats
@testable import Model
@testable import Packing
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests packs that are folders, and packs that a device unpacks while it downloads them.
@Suite struct PackFolderTests {
  /// A thread copies 64 files at a time, and reads a file in blocks of 1 MiB.
  @Test func `a folder has all files, whatever their number and size`() throws {
    let site = try ScanSite()
    let counts = [1, 63, 64, 65, 128, 129]
    for count in counts {
      for number in 0..<count { try site.write("\(count)/\(number % 7)/\(number)", "\(count) \(number)") }
    }
    for size in [0, 1 << 20, (1 << 20) + 1] { try site.write("large/\(size)", Sample.noise(size)) }
    let rules = counts.map { TestRule.path("\($0)", "T\($0)") } + [.path("large", "L")]
    let result = try site.build(rules, .test(.folder))
    let packs = try #require(result.release).packs
    let assets = try site.folder.files(below: "Assets")
    for pack in packs {
      let path = "out/\(try #require(pack.published).archive.path)"
      let prefix = pack.tags == ["L"] ? "large/" : "\(pack.tags[0].dropFirst())/"
      let files = try site.folder.files(below: path)
      #expect(
        files == assets.filter { $0.key.hasPrefix(prefix) } && files.count == pack.fileCount, "\(prefix)")
      let file = try #require(files.keys.first)
      let status = try FileOperations.status(of: site.folder.path("\(path)/\(file)"), symlinks: .notFollowed)
      #expect(status.modified == 1_000_000_000 * 1_000_000_000 && status.isReadableByAll)
    }
    #expect(packs.map(\.fileCount).sorted() == [1, 3, 63, 64, 65, 128, 129])
    #expect(result.reads.hashed == packs.reduce(0) { $0 + $1.size })
  }

  private func file(_ path: String) -> AssetFile {
    AssetFile(path: path, size: 1, stamp: .unknown, tagSet: 0, destination: nil)
  }

  @Test func `each folder comes before the first file in it`() throws {
    let plan = try makePlan(["a/b/1", "a/b/2", "a/c/3", "a/b/d/e/4", "5"].map { PlannedFile($0, ["A"]) })
    let files = ["a/b/1", "a/b/2", "a/c/3", "a/b/d/e/4", "5"].map(file)
    let extras = StreamedZipExtras(of: plan.packs[0], files: files)
    #expect(extras.folders == [["a", "a/b"], [], ["a/c"], ["a/b/d", "a/b/d/e"], []])
    let settings = PackSettings(container: .zip, entryTime: 0, layout: .hosted)
    #expect(settings.frame(of: plan.packs[0], files: files)?.folders == extras.folders)
    #expect(settings.info(of: plan.packs[0]) == nil)
    for layout in [Layout.packtool, .xcode, .backgroundAssets] {
      let other = PackSettings(container: .zip, entryTime: 0, layout: layout)
      #expect(other.frame(of: plan.packs[0], files: files) == nil)
      #expect((other.info(of: plan.packs[0]) != nil) == (layout == .xcode))
    }
  }

  @Test(.enabled(if: isInstalled("unzip"))) func `a streamed pack begins with the number of its entries`()
    throws
  {
    let site = try XcodeSite("a/b/1", "a/b/22", "a/c/3", "4")
    let built = try site.build(
      [.path("a", "A"), .path("4", "A")], XcodeSite.settings(.hosted, .prefix("https://x.y/")))
    let pack = try #require(built.packs.first)
    let files = try site.site.contents(of: pack, by: "unzip")
    let metadata = "META-INF/com.apple.ZipMetadata.plist"
    let bytes = try #require(files[metadata])
    let list = try #require(
      try PropertyListSerialization.propertyList(from: bytes, format: nil) as? [String: Int])
    let rest = files.filter { $0.key != metadata }
    #expect(Set(rest.keys) == ["a/b/1", "a/b/22", "a/c/3", "4", "Info.plist"])
    // The three folders are entries, too.
    #expect(list["RecordCount"] == 8 && list["Version"] == 2)
    #expect(list["TotalUncompressedBytes"] == rest.values.reduce(0) { $0 + $1.count })
    #expect(list["StandardDirectoryPerms"] == 16_877 && list["StandardFilePerms"] == -32_348)
    let resource = try site.resources()[0]
    #expect(resource["uncompressedSize"] as? Int == rest.values.reduce(0) { $0 + $1.count })
  }

  @Test func `the newest time of files is that of the settings, unless files keep theirs`() {
    func settings(_ time: Int64, keepsTimes: Bool = false, layout: Layout = .xcode) -> PackSettings {
      PackSettings(
        container: .folder, entryTime: time, layout: layout,
        xcode: XcodeSettings(contentHash: keepsTimes ? .modtime : .sha256))
    }
    let files = [5, 9, 7].map { (time: Int64) in
      let stamp = FileStamp(modified: time, changed: 100, identity: FileIdentity(device: 0, inode: 0))
      return AssetFile(path: "a", size: 1, stamp: stamp, tagSet: 0, destination: nil)
    }
    #expect(settings(3).newestTime(of: files) == 3_000_000_000)
    #expect(settings(3, keepsTimes: true).newestTime(of: files) == 9)
    #expect(settings(3, keepsTimes: true).newestTime(of: []) == 3_000_000_000)
    #expect(settings(3, keepsTimes: true, layout: .packtool).newestTime(of: files) == 3_000_000_000)
    #expect(settings(9_223_372_036).newestTime(of: files) == 9_223_372_036_000_000_000)
    #expect(settings(9_223_372_037).newestTime(of: files) == .max)
    let manifest = Manifest(text: SourceText(path: "Manifest.json", bytes: []), folder: ".")
    let names = ["packtool", "layout", "container", "compression", "entry time"]
    let own = settings(3, layout: .packtool).key(for: manifest).parts
    #expect(own.prefix(5).map(\.name) == names && own[1].value == "packtool" && own[4].value == "3")
    let xcode = settings(3, keepsTimes: true).key(for: manifest).parts
    #expect(xcode.count == own.count + 3)
    #expect(xcode.suffix(3).map(\.name) == ["times of files", "initial install tags", "prefetch order"])
    #expect(xcode.suffix(3).map(\.value) == ["their own", "", ""])
    #expect(settings(3).key(for: manifest).parts.suffix(3).map(\.value) == ["fixed", "", ""])
    #expect(
      settings(3).patchMaker != settings(4).patchMaker && settings(3).patchMaker == settings(3).patchMaker)
    #expect(settings(3).patchMaker.hasSuffix("folder, default, 3"))
  }
}
