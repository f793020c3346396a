@testable import Formats
@testable import Model
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests the checks of files that exist only as pointers.
@Suite struct PointerCheckTests {
  private func findings(_ site: ScanSite, _ rules: TestRule..., acceptsPointers: Bool) throws -> [String] {
    _ = try site.manifest(rules)
    var request = Preparation.Request(argument: site.folder.path, jobs: 2)
    request.acceptsPointers = acceptsPointers
    let prepared = try Preparation(request)
    let all = try prepared.diagnostics + prepared.planFindings(jobs: 2)
    // The manifest does not contain the size of the app.
    return all.filter { ![.appBundleSize, .cellularSize].contains($0.check) }.map(\.checkAndValues)
  }

  @Test func `a pointer is a finding unless it is taken for its file`() throws {
    let commands = ["git lfs pull", "git annex get"]
    let site = try ScanSite()
    for kind in [PointerKind.lfs, .annexFile] {
      try kind.replace("Assets/a/0", Data("content".utf8), in: site.folder)
      let facts = "[lfs-pointer] \"a/0\" \"\(commands[kind == .lfs ? 0 : 1])\""
      #expect(try findings(site, .path("a", "A"), acceptsPointers: false) == [facts])
      #expect(try findings(site, .path("a", "A"), acceptsPointers: true) == [])
    }
    try site.write("a/1", "SHA256E-s21--\(String(repeating: "0a", count: 32)).png")
    let found = try findings(site, .path("a/1", "A"), acceptsPointers: false)
    #expect(found == ["[lfs-pointer] \"a/1\" \"\(commands[1])\""])
    // There is one finding for all pointers.
    let all = try findings(site, .path("a", "A"), acceptsPointers: false)
    #expect(all == ["[lfs-pointer] \"a/0\" \"\(commands[1])\" 2"])
  }

  @Test(arguments: [false, true]) func `a key without a digest is a finding in any case`(
    acceptsPointers: Bool
  )
    throws
  {
    let site = try ScanSite()
    try site.write("a/0", "/annex/objects/MD5E-s21--d41d8cd98f00b204e9800998ecf8427e.bin\n")
    #expect(
      try findings(site, .path("a", "A"), acceptsPointers: acceptsPointers) == [
        #"[lfs-pointer] "a/0" "git annex get""#
      ])
  }

  /// The folder contains one of the two files, and a pointer for the other file.
  @Test(arguments: PointerKind.allCases) func `duplicates are found by digests of pointers`(kind: PointerKind)
    throws
  {
    let site = try ScanSite()
    let content = Sample.noise(20_000)
    try site.write("a/0", content)
    try site.write("c/0", Sample.noise(20_000, seed: 2))
    try kind.replace("Assets/b/0", content, in: site.folder)
    let found = try findings(site, .path("a", "A"), .path("b", "B"), .path("c", "C"), acceptsPointers: true)
    #expect(found.count == 1)
    #expect(
      found[0].hasPrefix(
        #"[duplicate-content] "A" "B" 2 20,000 bytes"#))
  }
}
