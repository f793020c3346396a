import Formats
import Model
import Packing
import Pipeline
@testable import Serving
import System
import Foundation
import Support
import Testing

/// Tests damaged folders in Apple's layouts.
///
/// Each mistake must be reported once, at its place.
@Suite struct BrokenTableTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Builds packs for three tags in a layout.
  ///
  /// Each pack has one file. Returns the path of the build.
  private func build(_ change: (inout BuildRequest) -> Void) throws -> String {
    for tag in ["A", "B", "C"] { try folder.write("\(tag)/x", tag) }
    let rules = ["A", "B", "C"].map { "{\"path\": \"\($0)\", \"tags\": [\"\($0)\"]}" }
    try folder.writeManifest(rules: rules.joined(separator: ", "), app: "a.b")
    var request = BuildRequest(
      Preparation.Request(argument: folder.path, jobs: 1), output: folder.path("out"),
      entryTime: 1_000_000_000)
    change(&request)
    #expect(try request.run(Policy()).release != nil)
    return folder.path("out")
  }

  private func buildHosted() throws -> String {
    try build { request in
      request.layout = LayoutChoice(layout: .hosted)
      request.layout.urlPrefix = "http://localhost/packs/"
    }
  }

  private func buildAssets(isSelfHosted: Bool) throws -> String {
    try build { request in
      request.layout = LayoutChoice(layout: .backgroundAssets)
      guard isSelfHosted else { return }
      request.layout.urlPrefix = "https://example.com/"
      request.layout.assets.isSelfHosted = true
      request.layout.assets.ledger = folder.path("ledger.json")
    }
  }

  @Test func `every pack of a hosted folder is served at its URL`() throws {
    let reading = try BuiltTable(buildHosted())
    #expect(reading.diagnostics == [])
    let table = try #require(reading.table)
    #expect(table.prefix == "http://localhost/packs/")
    let tags: [[String]] = table.packs.map(\.tags)
    #expect(Set(tags) == [["A"], ["B"], ["C"]] && tags.count == 3)
    #expect(table.paths.count == 7 && table.paths.count { $0.hasPrefix("packs/") } == 3)
    for path in table.paths where path.hasPrefix("packs/") {
      let file = try #require(table[RequestPath(decoded: path)])
      #expect(table[RequestPath(decoded: String(path.dropFirst(6)))] === file)
    }
    #expect(table.fetchedSizes == [0, 0, 0])
    #expect(table.tags.map(\.name) == ["A", "B", "C"])
    for tag in table.tags { #expect(tag.packs.map { table.packs[$0].tags } == [[tag.name]]) }
  }

  @Test func `each resource without a key is reported, and none is served`() throws {
    let path = try buildHosted()
    let plist = try PropertyListSerialization.propertyList(
      from: folder.read("out/AssetPackManifest.plist"), format: nil)
    var manifest = try #require(plist as? [String: Any])
    var resources = try #require(manifest["resources"] as? [[String: Any]])
    for number in 0..<2 { resources[number]["bundleKey"] = nil }
    manifest["resources"] = resources
    try folder.write(
      "out/AssetPackManifest.plist",
      PropertyListSerialization.data(fromPropertyList: manifest, format: .xml, options: 0))
    let reading = try BuiltTable(path)
    #expect(reading.table == nil)
    let own = reading.diagnostics.filter { $0.check == .damagedIndex && $0.message.contains("\"bundleKey\"") }
    #expect(own.count >= 2 && own.allSatisfy { $0.place.path == "\(path)/AssetPackManifest.plist" })
  }

  @Test func `a damaged property list is reported at its place`() throws {
    let path = try buildHosted()
    for text in ["", "<plist>", "{"] {
      try folder.write("out/AssetPackManifest.plist", text)
      let reading = try BuiltTable(path)
      #expect(reading.table == nil && reading.diagnostics.map(\.check) == [.damagedIndex], "\(text)")
      #expect(reading.diagnostics.map(\.place.path) == ["\(path)/AssetPackManifest.plist"])
    }
  }

  /// The packs of the layout `xcode` are in the app, so its property list has no URLs.
  @Test func `a folder for Xcode has no packs for a server`() throws {
    let path = try build { $0.layout = LayoutChoice(layout: .xcode) }
    let reading = try BuiltTable(path)
    #expect(reading.table == nil && reading.diagnostics.map(\.check) == [.missingIndex])
    #expect(reading.diagnostics.map(\.place.path) == [path])
  }

  /// Changes the URLs in the property list of a hosted folder.
  private func changeURLs(_ change: (_ number: Int, _ url: String) -> String) throws {
    let list = "out/AssetPackManifest.plist"
    let plist = try PropertyListSerialization.propertyList(from: folder.read(list), format: nil)
    var manifest = try #require(plist as? [String: Any])
    var resources = try #require(manifest["resources"] as? [[String: Any]])
    for number in resources.indices {
      resources[number]["URL"] = change(number, try #require(resources[number]["URL"] as? String))
    }
    manifest["resources"] = resources
    try folder.write(
      list, PropertyListSerialization.data(fromPropertyList: manifest, format: .xml, options: 0))
  }

  @Test func `packs with several URL prefixes have no common one`() throws {
    let path = try buildHosted()
    try changeURLs { number, url in
      number == 1 ? url.replacing("http://localhost/packs/", with: "https://other/x/y/") : url
    }
    let table = try #require(try BuiltTable(path).table)
    #expect(table.prefix == nil && table.packs.count == 3)
    #expect(
      table.paths.count { $0.hasPrefix("packs/") } == 2 && table.paths.count { $0.hasPrefix("x/y/") } == 1)
    try changeURLs { _, url in url.replacing(/.*\//, with: "https://other/") }
    let other = try #require(try BuiltTable(path).table)
    #expect(other.prefix == "https://other/" && other.paths.count == 4)
  }

  /// Devices request archives at the URLs in the download manifest.
  @Test func `an archive is served at all its URLs`() throws {
    let path = try buildAssets(isSelfHosted: true)
    let before = try BuiltTable(path)
    let places = before.diagnostics.compactMap(\.place.path)
    #expect(places.count == 3 && before.diagnostics.allSatisfy { $0.severity == .warning })
    let first = try #require(places.first)
    try folder.write(String(first.dropFirst(folder.path.count + 1)), "an archive")
    let reading = try BuiltTable(path)
    #expect(reading.diagnostics.map(\.check) == [.missingPack, .missingPack])
    #expect(reading.diagnostics.map(\.place.path) == Array(places.dropFirst()))
    let table = try #require(reading.table)
    let id = try #require(table.packs.first?.id)
    let file = try #require(table[RequestPath(decoded: String(first.dropFirst(path.count + 1)))])
    #expect(file.size == 10 && file.pack == 0 && table.packs.map(\.size) == [10, 1, 1])
    for other in [id, "assets/\(id)"] { #expect(table[RequestPath(decoded: other)] === file, "\(other)") }
    #expect(table.paths.count { $0.hasPrefix("manifests/") } == 3)
    #expect(table[RequestPath(decoded: "manifest")]?.path == "download-manifest.json")
    // Without an archive, the files of a pack are served.
    #expect(table.paths.count { $0.hasSuffix("/x") } == 2)
    try folder.write(
      "out/download-manifest.json",
      String(decoding: folder.read("out/download-manifest.json"), as: UTF8.self)
        .replacing("https://example.com/\(id)", with: "https://other/\(id)"))
    #expect(try BuiltTable(path).table?.prefix == nil)
  }

  /// Only a pack on the developer's own server can have an id with dots.
  @Test func `the ids of packs depend on the host`() throws {
    try folder.write("ids.json", "{\"A\": \"com.example.a\"}")
    let path = try build { request in
      request.layout = LayoutChoice(layout: .backgroundAssets)
      request.layout.urlPrefix = "https://example.com/"
      request.layout.assets.isSelfHosted = true
      request.layout.assets.ledger = folder.path("ledger.json")
      request.layout.assets.idMap = folder.path("ids.json")
    }
    let table = try #require(try BuiltTable(path).table)
    #expect(table.packs.map(\.id).contains("com.example.a"))
    try FileManager.default.removeItem(atPath: "\(path)/download-manifest.json")
    let reading = try BuiltTable(path)
    #expect(reading.table == nil && reading.diagnostics.hasErrors)
  }

  @Test func `a list of tags that is not a file is reported`() throws {
    let path = try buildAssets(isSelfHosted: false)
    try FileManager.default.removeItem(atPath: "\(path)/tags.json")
    try folder.write("out/tags.json/x", "")
    let reading = try BuiltTable(path)
    #expect(reading.table == nil && reading.diagnostics.map(\.check) == [.missingIndex])
    #expect(reading.diagnostics.map(\.place.path) == ["\(path)/tags.json"])
    #expect(reading.indexPath == "\(path)/tags.json")
  }

  /// A signature belongs to the index with the same name.
  @Test func `a signature is served next to its index`() throws {
    let path = try build { _ in }
    try folder.write("out/index.json.minisig", "a signature")
    try folder.write("out/old.json", folder.read("out/index.json"))
    let signature = RequestPath(decoded: "index.json.minisig")
    for name in ["", "/", "/index.json"] {
      let reading = try BuiltTable(path + name)
      #expect(reading.table?[signature]?.caching == .revalidated && reading.indexPath == "\(path)/index.json")
    }
    let old = try BuiltTable("\(path)/old.json")
    #expect(old.table?[signature] == nil && old.table?.index.path == "old.json" && old.diagnostics == [])
    #expect(Set((old.table?.packs ?? []).map(\.tags)) == [["A"], ["B"], ["C"]])
  }

  @Test func `hosted packs that are missing are warnings`() throws {
    let path = try buildHosted()
    let names = try FileManager.default.contentsOfDirectory(atPath: path).filter {
      $0.hasSuffix(".assetpack")
    }.sorted()
    #expect(names.count == 3)
    for name in names.prefix(2) { try FileManager.default.removeItem(atPath: "\(path)/\(name)") }
    let reading = try BuiltTable(path)
    #expect(reading.diagnostics.map(\.check) == [.missingPack, .missingPack])
    #expect(reading.diagnostics.map(\.place.path) == names.prefix(2).map { "\(path)/\($0)" })
    #expect(reading.diagnostics.allSatisfy { $0.severity == .warning })
    #expect(try #require(reading.table).packs.map(\.tags) == [["C"]])
  }

  @Test func `packs for Background Assets are served with their files`() throws {
    let path = try buildAssets(isSelfHosted: false)
    let reading = try BuiltTable(path)
    #expect(reading.diagnostics == [])
    let table = try #require(reading.table)
    #expect(table.packs.map(\.tags) == [["A"], ["B"], ["C"]] && table.packs.allSatisfy { $0.size == 1 })
    #expect(table.paths.count { $0.hasSuffix("/x") } == 3)
    #expect(table.prefix == nil)
  }

  @Test func `a missing manifest is reported, and other packs are served`() throws {
    let path = try buildAssets(isSelfHosted: false)
    let table = try #require(try BuiltTable(path).table)
    let manifests = table.paths.filter {
      $0.hasSuffix(".json") && $0 != "packtool-tags.json" && $0 != table.index.path
    }
    #expect(manifests.count == 3)
    try FileManager.default.removeItem(atPath: "\(path)/\(manifests[0])")
    let reading = try BuiltTable(path)
    #expect(reading.diagnostics.map(\.check) == [.damagedIndex])
    #expect(reading.diagnostics.map(\.place.path) == ["\(path)/\(manifests[0])"])
    let left = try #require(reading.table).paths
    #expect(left.count { $0.hasSuffix("/x") } == 2)
    try folder.write("out/\(manifests[1])", "{")
    let checks = try BuiltTable(path).diagnostics.map(\.check)
    #expect(checks.count == 2)
  }

  @Test func `files of packs that are missing are warnings`() throws {
    let path = try buildAssets(isSelfHosted: false)
    let files = try #require(try BuiltTable(path).table).paths.filter { $0.hasSuffix("/x") }
    for file in files.dropFirst() { try FileManager.default.removeItem(atPath: "\(path)/\(file)") }
    let found = try BuiltTable(path).diagnostics
    #expect(found.map(\.check) == [.missingPack, .missingPack])
    #expect(found.map(\.place.path) == files.dropFirst().map { "\(path)/\($0)" })
  }

  @Test func `missing files of packs that are folders are warnings`() throws {
    let site = try BuiltSite(.folder)
    let path = site.path
    let files = try #require(try BuiltTable(path).table).paths.filter { $0.hasPrefix("packs/") }
    #expect(files.count > 2)
    for file in files.prefix(2) { try FileManager.default.removeItem(atPath: "\(path)/\(file)") }
    let found = try BuiltTable(path).diagnostics
    #expect(found.map(\.check) == [.missingPack, .missingPack])
    #expect(found.map(\.place.path) == files.prefix(2).map { "\(path)/\($0)" })
  }

  @Test func `a damaged download manifest is reported`() throws {
    let path = try buildAssets(isSelfHosted: true)
    let whole = try folder.read("out/download-manifest.json")
    // Before Apple's tool has run, there are no archives.
    let found = try BuiltTable(path)
    #expect(found.diagnostics.map(\.check) == [.missingPack, .missingPack, .missingPack])
    #expect(found.table?.prefix == "https://example.com/")
    #expect(found.table.map { $0.paths.contains("manifest") } == true)
    for text in ["{", "{}", "[]"] {
      try folder.write("out/download-manifest.json", text)
      let reading = try BuiltTable(path)
      #expect(reading.table == nil && reading.diagnostics.map(\.check) == [.damagedIndex], "\(text)")
      #expect(reading.diagnostics.map(\.place.path) == ["\(path)/download-manifest.json"])
    }
    try folder.write("out/download-manifest.json", whole)
    #expect(try BuiltTable(path).table != nil)
  }

  @Test func `patches that are missing are warnings`() throws {
    let site = try PatchSite()
    _ = try site.build()
    let whole = try BuiltTable(site.site.folder.path("out"))
    #expect(whole.diagnostics == [])
    let patches = try #require(whole.table).paths.filter { $0.hasPrefix("patches/") && $0.hasSuffix(".zip") }
    #expect(patches.count > 2)
    try FileOperations.removeFile(site.site.folder.path("out/\(patches[0])"))
    try site.site.folder.write("out/\(patches[1])", "x")
    let reading = try BuiltTable(site.site.folder.path("out"))
    #expect(reading.diagnostics.map(\.check) == [.damagedPatch, .damagedPatch])
    #expect(reading.diagnostics.allSatisfy { $0.severity == .warning })
    let left = try #require(reading.table).paths
    #expect(!left.contains(patches[0]) && !left.contains(patches[1]) && left.contains(patches[2]))
  }

  @Test func `a list of patches that is damaged is an error`() throws {
    let site = try PatchSite()
    _ = try site.build()
    let folder = site.site.folder
    let list = try #require(try site.index().patches.first?.1)
    try folder.write("out/\(list.path)", "{}")
    let reading = try BuiltTable(folder.path("out"))
    #expect(reading.table == nil && reading.diagnostics.map(\.check) == [.damagedPatch])
    #expect(reading.diagnostics.map(\.place.path) == [folder.path("out/\(list.path)")])
  }

  /// If a file exists but cannot be opened, this is a failure of the machine.
  ///
  /// Such a file does not count as missing.
  @Test(.enabled(if: canBeNobody), arguments: ["packtool", "hosted", "assets", "self-hosted"])
  func `a file that may not be opened ends the reading`(layout: String) throws {
    let path =
      switch layout {
      case "packtool": try build { _ in }
      case "hosted": try buildHosted()
      default: try buildAssets(isSelfHosted: layout == "self-hosted")
      }
    if layout == "packtool" { try folder.write("out/index.json.minisig", "a signature") }
    // The server does not serve these files, because they are for programs on other machines.
    let unread: Set = ["AssetTags.swift", "package.sh"]
    let files = try folder.files(below: "out").keys.filter {
      !$0.hasPrefix(".packtool") && !unread.contains($0) && !($0.hasSuffix("/x") && layout == "self-hosted")
    }.sorted()
    #expect(files.count > 3)
    #expect(try BuiltTable(path).table != nil)
    for file in files {
      let whole = "\(path)/\(file)"
      #expect(chmod(whole, 0) == 0)
      #expect(throws: SystemError.self, "\(file)") {
        try asNobody(in: folder) { try BuiltTable(path) }
      }
      #expect(chmod(whole, 0o644) == 0)
    }
    #expect(try asNobody(in: folder) { try BuiltTable(path) }.table != nil)
  }
}
