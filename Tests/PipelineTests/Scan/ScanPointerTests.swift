@testable import Formats
@testable import Model
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests pointers in scans that accept them instead of the files.
@Suite struct ScanPointerTests {
  private let content = Data("a level of many bytes".utf8)

  private func scan(_ site: ScanSite, _ rules: TestRule..., acceptsPointers: Bool = true) throws -> ScanResult
  {
    let manifest = try site.manifest(rules)
    return ScanResult(
      try AssetScan(of: manifest, leavingOut: nil, acceptsPointers: acceptsPointers, jobs: 2),
      in: site.folder.path)
  }

  private func replace(_ path: String, by kind: PointerKind, in site: ScanSite) throws {
    try kind.replace("Assets/\(path)", content, in: site.folder)
  }

  @Test(arguments: PointerKind.allCases) func `a pointer has the size and digest of its file`(
    kind: PointerKind
  )
    throws
  {
    let site = try ScanSite("a/real")
    try replace("a/level.bin", by: kind, in: site)
    try replace("untagged.bin", by: kind, in: site)
    let scan = try scan(site, .path("a", "A"))
    #expect(scan.findings == [])
    let files = try #require(scan.tree).files
    #expect(files.map(\.path) == ["a/level.bin", "a/real"])
    #expect(files.map(\.size) == [Int64(content.count), 6])
    #expect(files[0].pointer?.isLink == (kind == .annexLink) && files[1].pointer == nil)
    #expect(scan.untagged.files == 1 && scan.untagged.size == Int64(content.count))
  }

  @Test(arguments: [UntaggedListing.ignored, .counted, .listed])
  func `untagged links count only if untagged files do`(untagged: UntaggedListing) throws {
    let site = try ScanSite("a/real")
    try replace("b.bin", by: .annexLink, in: site)
    let manifest = try site.manifest([.path("a", "A")])
    let scan = try AssetScan(
      of: manifest, leavingOut: nil, acceptsPointers: true, jobs: 1, untagged: untagged)
    let count = try #require(scan.tree).untagged
    #expect(scan.diagnostics.isEmpty && count.files == (untagged == .ignored ? 0 : 1))
    #expect(count.size == (untagged == .ignored ? 0 : Int64(content.count)))
  }

  @Test func `without being asked a scan takes pointers for files like others`() throws {
    let site = try ScanSite()
    try replace("a/lfs", by: .lfs, in: site)
    try replace("a/file", by: .annexFile, in: site)
    try replace("a/link.bin", by: .annexLink, in: site)
    let scan = try scan(site, .path("a", "A"), acceptsPointers: false)
    let files = try #require(scan.tree).files
    #expect(files.map(\.path) == ["a/file", "a/lfs"])
    #expect(files.areAll { $0.pointer == nil && $0.size != content.count })
    let finding = try #require(scan.findings.first)
    #expect(
      scan.findings.count == 1
        && finding.hasPrefix("Assets/a/link.bin: error [lfs-pointer] \"a/link.bin\""))
    #expect(
      finding.hasSuffix(
        "\"git annex get\""
      ))
  }

  @Test func `a link is a pointer only where no file is to be had`() throws {
    let site = try ScanSite("a/real")
    let key = PointerKind.key(of: content, "x.bin")
    try site.write(".git/annex/objects/\(key)", "what is there now")
    try site.link("a/there.bin", to: "../.git/annex/objects/\(key)")
    try site.link("a/outside.bin", to: "/nowhere/annex/objects/\(key)")
    try site.link("a/lost.bin", to: "nothing")
    let scan = try scan(site, .path("a", "A"))
    let files = try #require(scan.tree).files
    #expect(files.map(\.path) == ["a/outside.bin", "a/real", "a/there.bin"])
    #expect(files.map { $0.pointer != nil } == [true, false, false])
    #expect(files[2].size == 17)
    #expect(
      scan.findings == [
        #"Assets/a/lost.bin: error [dangling-link] "a/lost.bin" "nothing" "a/nothing""#
      ])
  }

  @Test func `a key without a digest stays what it is`() throws {
    let site = try ScanSite()
    let key = "MD5E-s21--d41d8cd98f00b204e9800998ecf8427e.bin"
    try site.write("a/file", "/annex/objects/\(key)\n")
    try site.link("a/link", to: "../.git/annex/objects/mq/f8/\(key)/\(key)")
    let scan = try scan(site, .path("a", "A"))
    let files = try #require(scan.tree).files
    #expect(files.count == 1 && files[0].pointer == nil && files[0].size == Int64(16 + key.utf8.count))
    #expect(scan.findings.count == 1)
    #expect(
      scan.findings[0].hasSuffix(
        "\"git annex get\""
      ))
  }

  @Test func `a folder link leads to pointers too`() throws {
    let site = try ScanSite()
    try replace("b/level", by: .lfs, in: site)
    try site.link("a", to: "b")
    let scan = try scan(site, .path("a", "A"))
    #expect(try #require(scan.tree).files.map(\.size) == [Int64(content.count)])
    #expect(scan.untagged.files == 1 && scan.untagged.size == Int64(content.count))
  }
}
