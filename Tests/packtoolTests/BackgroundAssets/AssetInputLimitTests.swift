@testable import Formats
@testable import Inspect
@testable import Model
@testable import Pipeline
@testable import packtool
import Foundation
import Support
import Testing

/// Tests files of Background Assets that are too large, too deeply nested or too many.
///
/// There must be a finding, and nothing may be written.
@Suite struct AssetInputLimitTests {
  @Test func `an ID map has an end`() throws {
    let site = try AssetSite()
    let map = site.folder.path("ids.json")
    // The file contains spaces, because an output never replaces a file that is not a text file.
    try site.folder.write("ids.json", String(repeating: " ", count: 8192))
    #expect(truncate(map, off_t(PackLockfile.maxSize) + 1) == 0)
    let run = site.build("--id-map", map)
    #expect(run.status == .inputHasErrors)
    #expect(
      run.errors.reports("invalid-id-map", naming: "67,108,864 bytes"), "\(run.errors)")
    #expect(site.names(".").isEmpty)
    #expect(try FileManager.default.attributesOfItem(atPath: map)[.size] as? Int == PackLockfile.maxSize + 1)
  }

  /// If there are too many mistakes to list all of them, the others are counted.
  @Test(arguments: [
    ("{\"A%d\": 1}", "[invalid-id-map]"), ("{\"A%d\": \"ä\"}", "[invalid-id-map]"),
    ("{\"A%d\": \"same\"}", "[identifier-collision]"),
  ]) func `an ID map of mistakes is counted`(member: String, facts: String) throws {
    let site = try AssetSite()
    let members = (0..<3000).map { String(format: String(member.dropFirst().dropLast()), $0) }
    try site.folder.write("ids.json", "{\(members.joined(separator: ","))}")
    let run = site.build("--id-map", site.folder.path("ids.json"))
    #expect(run.status == .inputHasErrors && run.errors.contains(facts))
    #expect(run.errors.findings.count <= 1001)
    #expect(run.errors.contains(/[12],(000|999) more/), "\(run.errors.suffix(500))")
  }

  @Test(arguments: ["[", "{\"a\":"]) func `nothing is too deep`(opening: String) throws {
    let site = try AssetSite()
    let deep = String(repeating: opening, count: 100_000)
    try site.folder.write("ids.json", deep)
    #expect(site.build("--id-map", site.folder.path("ids.json")).errors.reports("json-syntax"))
    site.build()
    try site.folder.write("out/manifests/\(site.id(of: "Musik")).json", deep)
    #expect(site.verify().errors.reports("damaged-index"))
    try site.folder.write("deep.json", "{\"assetPackID\": \(deep)")
    #expect(
      runTool("import", site.folder.path("deep.json"), "-o", site.folder.path("new.json")).status
        == .inputHasErrors)
    try site.folder.write("out/tags.json", deep)
    #expect(site.verify().errors.reports("damaged-index"))
  }

  @Test func `manifests have an end`() throws {
    let site = try AssetSite()
    site.build()
    try site.folder.writeSparse(
      "out/manifests/\(site.id(of: "Musik")).json", size: Int64(BackgroundManifestReader.maxSize) + 1)
    let verified = site.verify()
    #expect(
      verified.status == .inputHasErrors && verified.errors.reports("damaged-index"), "\(verified.errors)")
    try site.folder.writeSparse("large.json", size: Int64(BackgroundManifestReader.maxSize) + 1)
    let imported = runTool("import", site.folder.path("large.json"), "-o", site.folder.path("new.json"))
    #expect(imported.status == .inputHasErrors, "\(imported.errors)")
    #expect(!FileManager.default.fileExists(atPath: site.folder.path("new.json")))
  }

  @Test func `a list of tags has an end`() throws {
    let site = try AssetSite()
    site.build()
    try site.folder.writeSparse("out/tags.json", size: Int64(TagsFormat.maxSize) + 1)
    let run = site.verify()
    #expect(
      run.status == .inputHasErrors && run.errors.reports("missing-index"), "\(run.errors)")
    // A build replaces only files that it made itself.
    let built = site.build()
    #expect(built.status == .done && site.verify().status == .done, "\(built.errors)")
  }

  /// Sizes that no file can have are compared.
  ///
  /// Such sizes are never added, because the sum would overflow.
  @Test(arguments: [9_007_199_254_740_993, Int64.max]) func `huge sizes are reported`(size: Int64) throws {
    let site = try AssetSite()
    site.build()
    let text = String(decoding: try site.folder.read("out/tags.json"), as: UTF8.self)
    try site.folder.write(
      "out/tags.json", text.replacing(/"size": [0-9]+/, with: "\"size\": \(size)"))
    let run = site.verify()
    #expect(
      run.status == .inputHasErrors && run.errors.reports("damaged-pack", naming: "tags.json"),
      "\(run.errors)")
  }

  /// Only the first missing packs are reported.
  ///
  /// The other missing packs are counted.
  @Test func `many missing packs are counted`() throws {
    let site = try AssetSite()
    site.build()
    let digest = "sha256:" + String(repeating: "0", count: 64)
    let packs = (0..<2000).map {
      "\"P\($0)\": {\"digest\": \"\(digest)\", \"size\": 1, \"tags\": [\"T\($0)\"]}"
    }
    let tags = (0..<2000).map { "\"T\($0)\": [\"P\($0)\"]" }
    try site.folder.write(
      "out/tags.json",
      "{\"formatVersion\": 1, \"packs\": {\(packs.joined(separator: ","))}, \"tags\": {\(tags.joined(separator: ","))}}"
    )
    let run = site.verify()
    #expect(run.status == .inputHasErrors)
    #expect(run.errors.components(separatedBy: "[missing-pack]").count <= 1002, "\(run.errors.suffix(300))")
    #expect(run.errors.contains("1,000 more"), "\(run.errors.suffix(500))")
  }

  @Test func `a list of tags has ten thousand packs`() {
    let digest = "sha256:" + String(repeating: "0", count: 64)
    let packs = (0...PublishedTags.maxPacks).map {
      "\"P\($0)\":{\"digest\":\"\(digest)\",\"size\":1,\"tags\":[\"T\"]}"
    }
    let text = "{\"formatVersion\":1,\"tags\":{\"T\":[\"P0\"]},\"packs\":{\(packs.joined(separator: ","))}}"
    let tags = PublishedTags(SourceText(path: "tags.json", bytes: Array(text.utf8)), host: .apple)
    #expect(tags.packs.isEmpty)
    #expect(
      tags.diagnostics.map(\.namedValues) == ["10,001 10,000"])
  }
}
