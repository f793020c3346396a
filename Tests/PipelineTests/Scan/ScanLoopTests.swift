@testable import Formats
@testable import Model
@testable import Pipeline
import Foundation
import Support
import Testing

/// Symlinks that form a loop.
@Suite(.noHang) struct ScanLoopTests {
  private let site: ScanSite

  init() throws { site = try ScanSite("a/1") }

  private func circle(_ names: String...) -> String {
    "error [link-loop] \(names.map { "\"a/\($0)\"" }.joined(separator: " "))"
  }

  private func leadsUp(_ path: String) -> String {
    #"Assets/\#(path): error [link-loop] "\#(path)""#
  }

  @Test func `a link to itself`() throws {
    try site.link("a/x", to: "x")
    let scan = try site.scan(.path("a", "A"))
    #expect(scan.files == ["a/1 [A]"])
    #expect(scan.findings == ["Assets/a/x: " + circle("x", "x")])
  }

  @Test func `two links to each other`() throws {
    try site.link("a/x", to: "y")
    try site.link("a/y", to: "SITE/Assets/a/x")
    // Both symlinks find the same loop, but each message may begin with another symlink.
    let findings = try site.scan(.path("a", "A")).findings
    #expect(Set(findings.map { $0.prefix(10) }) == ["Assets/a/x", "Assets/a/y"])
    for finding in findings {
      #expect(
        [circle("x", "y", "x"), circle("y", "x", "y")].contains { finding.hasSuffix($0) }, "\(finding)")
    }
  }

  @Test func `links that lead into a circle name only the circle`() throws {
    try site.link("a/way", to: "in")
    try site.link("a/in", to: "x")
    try site.link("a/x", to: "y")
    try site.link("a/y", to: "z")
    try site.link("a/z", to: "x")
    let scan = try site.scan(.path("a/way", "A"))
    #expect(scan.findings.count == 1)
    let finding = try #require(scan.findings.first)
    #expect(
      [circle("x", "y", "z", "x"), circle("y", "z", "x", "y"), circle("z", "x", "y", "z")]
        .contains { finding == "Assets/a/way: " + $0 }, "\(finding)")
  }

  @Test func `a link through itself`() throws {
    try site.link("a/x", to: "x/deeper")
    #expect(try site.scan(.path("a", "A")).findings == ["Assets/a/x: " + circle("x", "x")])
  }

  @Test func `forty links are followed, one more is not, as by the kernel`() throws {
    for number in 1...45 { try site.link("chain/\(number)", to: number == 1 ? "../a/1" : "\(number - 1)") }
    let scan = try site.scan(.path("chain", "A"))
    #expect(scan.paths.count == 40)
    #expect(scan.findings.count == 5)
    #expect(
      scan.findings.first
        == #"Assets/chain/41: error [link-loop] "chain/41" 40"#)
    #expect(FileManager.default.contents(atPath: site.folder.path("Assets/chain/40")) != nil)
    #expect(FileManager.default.contents(atPath: site.folder.path("Assets/chain/41")) == nil)
  }

  @Test(arguments: [".", "..", "../..", "../../a", "SITE/Assets", "SITE/Assets/a", "../b/..", "../b/../b"])
  func `a link to a folder that it is in`(target: String) throws {
    try site.link("a/b/up", to: target)
    let scan = try site.scan(.path("a", "A"))
    #expect(scan.files == ["a/1 [A]"])
    #expect(scan.findings == [leadsUp("a/b/up")])
  }

  @Test func `folders that lead to each other`() throws {
    try site.write("b/2")
    try site.link("a/to b", to: "../b")
    try site.link("b/to a", to: "../a")
    let scan = try site.scan(.path("a", "A"), .path("b", "B"))
    #expect(scan.files == ["a/1 [A]", "a/to b/2 [A]", "b/2 [B]", "b/to a/1 [B]"])
    #expect(scan.findings == [leadsUp("a/to b/to a"), leadsUp("b/to a/to b")])
  }

  @Test func `a loop under globs is passed over`() throws {
    try site.link("a/up", to: "..")
    try site.link("a/x", to: "x")
    let scan = try site.scan(.glob("**/1", "A"))
    #expect(scan.files == ["a/1 [A]"])
    #expect(scan.findings == [])
    #expect(scan.untagged.files == 0)
  }

  @Test(arguments: ["x", "nowhere", "/etc/passwd"])
  func `a rule's path that goes through a bad link does not exist`(target: String) throws {
    try site.link("x", to: target)
    let findings = try site.scan(.path("x/y", "A")).findings
    #expect(findings == [#"Manifest.json: error [no-match] "x/y" "Assets""#])
  }

  /// Each folder can be reached in twice as many ways as the previous folder.
  @Test func `links that double and double end in an error, not in endless folders`() throws {
    for number in 0..<8 {
      try site.link("d\(number)/left", to: "../d\(number + 1)")
      try site.link("d\(number)/right", to: "../d\(number + 1)")
    }
    try site.write("d8/file")
    let manifest = try site.manifest([.path("d0", "A")])
    #expect(try AssetScanner(manifest, leavingOut: nil).scan(jobs: 2).tree.files.count == 256)
    let scan = try AssetScanner(manifest, leavingOut: nil, maxLinkedFolders: 100).scan(jobs: 2)
    #expect(scan.findings.found.findings.map(\.check) == [.linkLoop])
    #expect(
      scan.findings.found.findings.first?.names("100") == true)
  }
}
