@testable import Formats
@testable import Model
@testable import Pipeline
import Foundation
import Support
import Testing

/// Tests the paths that files have in their packs.
@Suite struct ScanDestinationTests {
  @Test(arguments: [
    ("x/y", "a/1 [A] > x/y"), ("x/y/", "a/1 [A] > x/y/1"), ("x//./y", "a/1 [A] > x/y"), (".", "a/1 [A] > 1"),
    ("./", "a/1 [A] > 1"), ("a/1", "a/1 [A] > a/1"), ("x/../y", "a/1 [A] > y"),
  ])
  func `a file gets the place, or with a slash behind it the folder`(destination: String, line: String) throws
  {
    let site = try ScanSite("a/1")
    let scan = try site.scan(.path("a/1", "A", to: destination))
    #expect(scan.files == [line])
    #expect(scan.findings == [])
  }

  @Test(arguments: [
    ("x", ["x/1", "x/b/2"]), ("x/y/", ["x/y/1", "x/y/b/2"]), (".", ["1", "b/2"]), ("a", ["a/1", "a/b/2"]),
  ])
  func `a folder's files keep their paths below it`(destination: String, places: [String]) throws {
    let site = try ScanSite("c/a/1", "c/a/b/2")
    let tree = try #require(try site.scan(.path("c/a", "A", to: destination)).tree)
    #expect(tree.files.map(\.packPath) == places)
  }

  @Test(arguments: [".", "./."])
  func `the root's files keep their paths`(root: String) throws {
    let site = try ScanSite("a/1", "2")
    let tree = try #require(try site.scan(.path(root, "A", to: "x")).tree)
    #expect(tree.files.map(\.packPath) == ["x/2", "x/a/1"])
  }

  @Test(arguments: [
    ("m/**/*.ogg", ["D/1.ogg", "D/a/2.ogg"]), ("m/*/*.ogg", ["D/a/2.ogg"]),
    ("**/*.ogg", ["D/m/1.ogg", "D/m/a/2.ogg"]),
    ("m/a/2.ogg", ["D/2.ogg"]), ("m/a/?.ogg", ["D/2.ogg"]), ("m/{1,a/2}.ogg", ["D/1.ogg", "D/a/2.ogg"]),
    ("{m,n}/*.ogg", ["D/m/1.ogg"]), ("m/[a-b]/*", ["D/a/2.ogg"]), ("./m//*.ogg", ["D/1.ogg"]),
    ("m/**", ["D/1.ogg", "D/a/2.ogg"]), ("n/../m/*.ogg", ["D/1.ogg"]), ("n/o/../../m/a/*", ["D/2.ogg"]),
  ])
  func `a glob's files keep their paths after its fixed part`(glob: String, places: [String]) throws {
    let site = try ScanSite("m/1.ogg", "m/a/2.ogg")
    for destination in ["D", "D/"] {
      let tree = try #require(try site.scan(.glob(glob, "A", to: destination)).tree)
      #expect(tree.files.map(\.packPath) == places)
    }
  }

  @Test func `rules that agree on a place may both match`() throws {
    let site = try ScanSite("a/b/1")
    let scan = try site.scan(
      .path("a", "A", to: "x"), .path("a/b/1", "B", to: "x/b/1"), .glob("a/b/*", "C", to: "x/b"))
    #expect(scan.files == ["a/b/1 [A, B, C] > x/b/1"])
    #expect(scan.findings == [])
  }

  @Test func `two places for a file are an error at both rules`() throws {
    let site = try ScanSite("a/1", "a/2")
    let manifest = try site.manifest([.path("a", "A"), .path("a/2", "B", to: "x")])
    let scan = try AssetScan(of: manifest, leavingOut: nil, jobs: 1)
    #expect(scan.diagnostics.map(\.check) == [.twoDestinations])
    let finding = try #require(scan.diagnostics.first)
    #expect(finding.namedValues == #""a/2" "x" "a/2""#)
    #expect(finding.severity == .error)
    let text = String(decoding: try site.folder.read("Manifest.json"), as: UTF8.self)
    #expect(finding.place == place(of: "\"a\\/2\"", in: text, at: finding.place.path))
    #expect(finding.notes.count == 1)
    #expect(finding.notes.first?.place == place(of: "\"a\"", in: text, at: finding.place.path))
  }

  @Test func `a rule without destination has one too: the path`() throws {
    let site = try ScanSite("a/1")
    let scan = try site.scan(.path("a", "A", to: "x"), .glob("a/*", "B"))
    #expect(
      scan.findings == [
        #"Manifest.json: error [two-destinations] "a/1" "a/1" "x/1""#
      ])
  }

  /// Swift combines a slash and a combining accent into one Character, so the scan must compare bytes.
  @Test func `a name may begin with an accent`() throws {
    let site = try ScanSite("a/\u{301}1", "b/c/\u{308}/2")
    let scan = try site.scan(
      .path("a", "A", to: "x"), .path("b/c/\u{308}", "B", to: "y/\u{302}"))
    let places = try #require(scan.tree).files.map { Array($0.packPath.utf8) }
    #expect(places == ["x/\u{301}1", "y/\u{302}/2"].map { Array($0.utf8) })
    #expect(scan.findings == [])
  }

  @Test func `a place longer than an archive holds is an error`() throws {
    let site = try ScanSite("a/1", "a/22")
    let folder = String(repeating: "d/", count: 32_766) + "d"
    #expect(try site.scan(.path("a", "A", to: folder)).files.count == 1)
    let findings = try site.scan(.path("a", "A", to: folder)).findings
    #expect(
      findings == [
        "Assets/a/22: error [invalid-name] 65,536 bytes 65,535"
      ])
  }

  @Test func `a finding names each file that two rules send to different places`() throws {
    let site = try ScanSite("a/1", "a/2", "a/3")
    let scan = try site.scan(.path("a", "A", to: "x"), .path("a/2", "B", to: "y"), .glob("*/3", "C", to: "z"))
    #expect(scan.findings.count == 2)
    #expect(scan.findings.areAll { $0.contains("[two-destinations]") })
  }
}

/// Returns the place of the first occurrence of a string in a manifest.
private func place(of text: String, in manifest: String, at path: String) -> Place? {
  guard let range = manifest.range(of: text) else { return nil }
  let before = manifest[..<range.lowerBound]
  let line = before.count { $0 == "\n" } + 1
  let column = before.utf8.count - (before.lastIndex(of: "\n").map { before[...$0].utf8.count } ?? 0) + 1
  return Place(path, position: Place.Position(line: line, column: column))
}
