import Foundation
@testable import Model
@testable import Packing
@testable import Pipeline
@testable import System
import Support
import Testing

/// Tests zipped packs by streaming them from a web server in the same way as devices do.
@Suite struct HostedPackTests {
  private static let settings = XcodeSite.settings(.hosted, .prefix("https://example.com/packs/"))

  /// Makes a site with two packs.
  ///
  /// One pack has nested folders and names in other scripts, and the other pack has a file that consists of
  /// several blocks.
  private func makeSite() throws -> XcodeSite {
    let site = try XcodeSite("Levels/1/map.json", "Levels/1/été/ō.txt", "Levels/a-b", "Levels/a/c", "empty")
    try site.site.write("big", Sample.noise(3_000_001))
    try site.write("empty", "")
    try site.build(
      [.path("Levels", "foo"), .path("empty", "foo"), .path("big", "bar")], Self.settings, initial: ["foo"])
    return site
  }

  @Test(.enabled(if: isInstalled("python3"))) func `entries stand in order, with their attributes`() throws {
    let site = try makeSite()
    let name = "com.company.App.foo-acbd18db4cc2f85cedef654fccc4a4d8.assetpack"
    let script = """
      import plistlib, sys, zipfile
      archive = zipfile.ZipFile(sys.argv[1])
      data = open(sys.argv[1], 'rb').read()
      for info in archive.infolist():
        offset = info.header_offset
        flags, method = [int.from_bytes(data[offset + at:offset + at + 2], 'little') for at in (6, 8)]
        assert flags == info.flag_bits and method == 0 == info.compress_type
        assert not info.extra and data[offset + 28:offset + 30] == b'\\0\\0' and info.create_system == 3
        assert info.file_size == info.compress_size
        print(info.filename, '%o' % (info.external_attr >> 16), '%x' % flags, info.file_size, sep='|')
      assert b'PK\\x07\\x08' not in data and b'PK\\x06\\x06' not in data
      metadata = plistlib.loads(archive.read('META-INF/com.apple.ZipMetadata.plist'))
      rest = archive.infolist()[2:]
      assert metadata == {'Version': 2, 'RecordCount': len(rest), 'StandardDirectoryPerms': 16877,
        'StandardFilePerms': -32348, 'TotalUncompressedBytes': sum(info.file_size for info in rest)}, metadata
      """
    let result = try run(
      "python3", ["-c", script, site.folder.path("out/\(name)")], environment: ["PYTHONIOENCODING": "utf-8"])
    #expect(result.errors == "")
    #expect(
      result.output == """
        META-INF/|40755|800|0
        META-INF/com.apple.ZipMetadata.plist|100644|0|170
        Levels/|40755|800|0
        Levels/1/|40755|800|0
        Levels/1/map.json|100644|800|17
        Levels/1/été/|40755|800|0
        Levels/1/été/ō.txt|100644|800|21
        Levels/a-b|100644|800|10
        Levels/a/|40755|800|0
        Levels/a/c|100644|800|10
        empty|100644|800|0
        Info.plist|100644|800|167

        """)
  }

  @Test(arguments: [
    ["unzip", "-tqq"], ["bsdtar", "-xOf"], ["python3", "-m", "zipfile", "-t"], ["7zz", "t", "-bso0"],
  ])
  func `others read it whole`(reader: [String]) throws {
    if !isInstalled(reader[0]) { return }
    let site = try makeSite()
    let packs = try site.published().keys.filter { $0.hasSuffix(".assetpack") }
    #expect(packs.count == 2)
    for pack in packs {
      let result = try run(
        reader[0], reader.dropFirst() + [site.folder.path("out/\(pack)")], environment: ["LC_ALL": "C.UTF-8"])
      #expect(result.status == 0 && result.errors == "", "\(reader): \(result.errors)")
    }
  }

  @Test(.enabled(if: isInstalled("bsdtar"))) func `what comes out is what went in`() throws {
    let site = try makeSite()
    for pack in try site.published().keys where pack.hasSuffix(".assetpack") {
      try FileOperations.makeFolder(site.folder.path("all"))
      try run(
        "bsdtar", ["-xf", site.folder.path("out/\(pack)"), "-C", site.folder.path("all")],
        environment: ["LC_ALL": "C.UTF-8"])
    }
    var files = try site.folder.files(below: "all")
    files["Info.plist"] = nil
    files["META-INF/com.apple.ZipMetadata.plist"] = nil
    #expect(files == (try site.folder.files(below: "Assets")))
  }

  @Test func `an output has the packs and their manifest, nothing else`() throws {
    let site = try makeSite()
    let names = try site.published().keys.map { $0.split(separator: "-")[0] }.sorted()
    #expect(names == ["AssetPackManifest.plist", "com.company.App.bar", "com.company.App.foo"])
    let urls = try site.resources().map { $0["URL"] as? String }
    #expect(urls.areAll { $0?.hasPrefix("https://example.com/packs/com.company.App.") ?? false })
  }

  @Test func `after a change the bytes are those of a clean build`() throws {
    let site = try makeSite()
    site.waitForClockTick()
    let rules: [TestRule] = [.path("Levels", "foo"), .path("empty", "foo"), .path("big", "bar")]
    for change in ["Levels/1/map.json", "Levels/a/c", "empty"] {
      try site.write(change, "changed \(change)")
      #expect(try site.build(rules, Self.settings, initial: ["foo"]).release != nil)
      let built = try site.published()
      try FileOperations.rename(site.folder.path("out"), to: site.folder.path("old \(change.count)"))
      try site.build(rules, Self.settings, initial: ["foo"])
      #expect(try site.published() == built)
      site.waitForClockTick()
    }
  }
}
