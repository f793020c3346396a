@testable import Formats
@testable import Model
@testable import Pipeline
import Foundation
import Support
import Testing

/// Tests folders that the user is not permitted to read.
///
/// If the tests run as root, the scan runs as the user nobody.
@Suite(.enabled(if: canBeNobody)) struct ScanRightsTests {
  @Test func `a tagged folder that may not be read is an error`() throws {
    let site = try ScanSite("a/1", "a/closed/2", "b/3")
    try close("a/closed", in: site, to: 0)
    let scan = try asNobody(in: site) { try site.scan(.path("a", "A"), .glob("b/*", "B"), jobs: 1) }
    #expect(scan.files == ["a/1 [A]", "b/3 [B]"])
    #expect(
      scan.findings == [
        #"Assets/a/closed: error [unreadable-file] "a/closed" "chmod a+rx Assets/a/closed""#
      ])
  }

  @Test func `a folder of which only the names may be read is no better`() throws {
    let site = try ScanSite("a/1")
    try close("a", in: site, to: 0o444)
    let scan = try asNobody(in: site) { try site.scan(.path("a", "A"), jobs: 1) }
    #expect(
      scan.findings == [
        #"Assets/a: error [unreadable-file] "a" "chmod a+rx Assets/a""#
      ])
  }

  @Test func `an untagged one is a warning`() throws {
    let site = try ScanSite("a/1", "b/2")
    try close("b", in: site, to: 0)
    let scan = try asNobody(in: site) { try site.scan(.path("a", "A"), jobs: 1) }
    #expect(scan.files == ["a/1 [A]"])
    #expect(
      scan.findings == [
        #"Assets/b: warning [unreadable-file] "b" "chmod a+rx Assets/b""#
      ])
  }

  @Test func `an excluded one is not even tried`() throws {
    let site = try ScanSite("a/1", "b/2", ".git/3")
    try close("b", in: site, to: 0)
    try close(".git", in: site, to: 0)
    let scan = try asNobody(in: site) { try site.scan(.path(".", "A"), exclude: ["b"], jobs: 1) }
    #expect(scan.files == ["a/1 [A]"])
    #expect(scan.findings == [])
  }

  @Test func `a link through a closed folder is a finding`() throws {
    let site = try ScanSite("a/1", "b/c/2")
    try site.folder.write("outside/x", "")
    try site.link("a/inside", to: "../b/c/2")
    try site.link("a/outside", to: "../../outside/x")
    try close("b", in: site, to: 0)
    try close("../outside", in: site, to: 0)
    let scan = try asNobody(in: site) { try site.scan(.path("a", "A"), jobs: 1) }
    #expect(scan.files == ["a/1 [A]"])
    let errors = scan.findings.filter { $0.contains(": error ") }
    #expect(
      errors == [
        #"Assets/a/inside: error [unreadable-file] "a/inside" "b/c""#,
        #"Assets/a/outside: error [link-escapes-root] "a/outside" "outside/x""#,
      ])
  }

  @Test func `a file that may not be read is found when it is looked into`() throws {
    let site = try ScanSite("a/1", "a/2")
    _ = try site.manifest([.path("a", "A")])
    try close("a/2", in: site, to: 0)
    let found = try asNobody(in: site) { try allFindings(in: site.folder.path, jobs: 1) }
    let findings = found.filter { $0.check == .unreadableFile }
    let command = "chmod a+r \(site.folder.path("Assets/a/2"))"
    #expect(findings.map(\.namedValues) == ["\"a/2\" \"\(command)\""])
    #expect(findings.map(\.severity) == [.error])
  }

  private func close(_ path: String, in site: ScanSite, to mode: mode_t) throws {
    #expect(chmod(site.folder.path("Assets/\(path)"), mode) == 0)
  }
}
