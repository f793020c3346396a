@testable import Formats
@testable import Model
@testable import Pipeline
import Foundation
import Support
import Testing

/// Tests the folder to which paths are relative, and rules that match nothing in this folder.
@Suite struct ScanRootTests {
  @Test(arguments: [
    ("Assets", ["a/1"]), ("./Assets/", ["a/1"]), ("Assets/a/..", ["a/1"]), ("Assets/../Assets", ["a/1"]),
  ])
  func `the root may be spelled in many ways`(root: String, paths: [String]) throws {
    let site = try ScanSite("a/1")
    #expect(try site.scan(.path("a", "A"), root: root).paths == paths)
  }

  @Test(arguments: [
    ("level/*/**", "Levels/*/**"), ("Levels/1/*.bn", "Levels/1/*.bin"),
  ])
  func `a finding about a glob names what is spelled almost like it`(glob: String, meant: String) throws {
    let site = try ScanSite("Levels/1/a.bin", "Levels/2/b.bin")
    let scan = try site.scan(.glob(glob, "T"))
    #expect(
      scan.findings == [
        "Manifest.json: error [no-match] \(quoted(glob)) \(quoted(meant))"
      ])
  }

  @Test func `an exclude that empties a glob is named at the glob`() throws {
    let site = try ScanSite("a/1.bin", "a/2.bin", "b/3")
    let scan = try site.scan(.glob("a/*.bin", "T"), .path("b", "B"), exclude: ["**/*.bin"])
    #expect(scan.findings.count == 1)
    #expect(
      scan.findings.first?.hasSuffix(#""a/1.bin" "**/*.bin""#) == true)
    let folder = try site.scan(.glob("a/*", "T"), .path("b", "B"), exclude: ["a"])
    #expect(folder.findings.first?.hasSuffix("\"a\"") == true, "\(folder.findings)")
  }

  @Test func `the manifest's own folder is a root`() throws {
    let site = try ScanSite("a/1")
    let scan = try site.scan(.path("Assets", "A"), root: ".")
    #expect(scan.paths == ["Assets/a/1"])
    #expect(scan.untagged.files == 0, "the manifest is no part of the app")
  }

  @Test func `the root may lie beside the manifest's folder`() throws {
    let site = try ScanSite("a/1")
    try site.folder.writeManifest([.path("a", "A")], to: "Project/Manifest.json", root: "../Assets")
    let manifest = try #require(try ManifestReader(argument: site.folder.path("Project")).manifest)
    let scan = try AssetScan(of: manifest, leavingOut: nil, jobs: 2)
    #expect(scan.tree?.files.map(\.path) == ["a/1"])
    #expect(scan.diagnostics.isEmpty)
  }

  @Test func `the root may be a link`() throws {
    let site = try ScanSite("a/1", "b")
    try site.link("a/link", to: "../b")
    try site.link("a/absolute", to: "SITE/Assets/b")
    try site.link("a/through the link", to: "SITE/Root/b")
    try site.folder.link("Root", to: "Assets")
    let scan = try site.scan(.path("a", "A"), root: "Root")
    #expect(scan.paths == ["a/1", "a/absolute", "a/link", "a/through the link"])
    #expect(scan.findings == [])
  }

  @Test func `a missing root is reported at its place`() throws {
    let site = try ScanSite()
    let manifest = try site.manifest([.path("a", "A")], root: "Asets")
    let scan = try AssetScan(of: manifest, leavingOut: nil, jobs: 2)
    #expect(scan.tree == nil)
    #expect(scan.diagnostics.map(\.check) == [.invalidPath])
    #expect(scan.diagnostics.map(\.namedValues) == ["\"\(site.folder.path("Asets"))\" \"Assets\""])
    #expect(scan.diagnostics.first?.place.position != nil)
  }

  @Test func `a root that is a file is no folder`() throws {
    let site = try ScanSite("a")
    let scan = try site.scan(.path("a", "A"), root: "Assets/a")
    #expect(scan.tree == nil)
    #expect(scan.findings.count == 1)
  }

  @Test(arguments: [
    (TestRule.path("Level 2", "A"), #""Level 2" "Level 1""#),
    (.path("level 1", "A"), #""level 1" "Level 1""#),
    (
      .path("Level 1/hreo.png", "A"),
      #""Level 1/hreo.png" "Level 1/hero.png""#
    ),
    (.path("Levl 1/hreo.png", "A"), #""Levl 1/hreo.png" "Level 1/hero.png""#),
    (.path("Level 1/é", "A"), #""Level 1/é" "Assets""#),
    (.path("Something else", "A"), #""Something else" "Assets""#),
    (.path("Level 1/hero.png/x", "A"), #""Level 1/hero.png/x" "Assets""#),
    (.path("Empty", "A"), #""Empty""#),
    (.path("Psd", "A"), #""Psd" "Psd/1.psd" "**/*.psd""#),
    (.path("Psd/1.psd", "A"), #""Psd/1.psd" "**/*.psd""#),
    (.path("Out", "A"), #""Out" "Out""#),
    (.path("Out/x", "A"), #""Out/x" "Out""#),
    (.path("Empty/.DS_Store", "A"), #""Empty/.DS_Store" ".DS_Store""#),
    (.glob("*.mp3", "A"), #""*.mp3""#),
    (
      .glob("Psd/*", "A"),
      #""Psd/*" "Psd/1.psd" "**/*.psd""#
    ),
    (.path("Level 1/*", "A"), #""path" "glob" "Level 1/*""#),
    (
      .path("Assets/Level 1", "A"),
      #""Assets/Level 1" "Assets" "Level 1""#
    ),
    (
      .glob("*.png", "A"),
      #""*.png" "*" "**/*.png" 1"#
    ),
    (
      .glob("Lev*", "A"),
      #""Lev*" "Level 1" "Lev*/**""#
    ),
    (
      .glob("**/*.PNG", "A"),
      #""**/*.PNG" "**/*.png" 1"#
    ),
    (
      .glob("level 1/h*", "A"),
      #""level 1/h*" "Level 1/hero.png""#
    ),
  ])
  func `a rule that matches nothing is an error with a reason`(rule: TestRule, named: String) throws {
    let site = try ScanSite("Level 1/hero.png", "Psd/1.psd", "Out/x", "Empty/.DS_Store")
    let scan = try site.scan(rule, .path("Level 1/hero.png", "B"), exclude: ["**/*.psd", "Out"])
    #expect(scan.findings == ["Manifest.json: error [no-match] \(named)"])
  }

  @Test func `a wrong root is one error`() throws {
    let site = try ScanSite("Art/Level 1/a", "Art/Level 2/b", "Art/Level 3/c")
    let rules = (1...3).map { TestRule.path("Level \($0)", "T\($0)") }
    let scan = ScanResult(
      try AssetScan(of: site.manifest(rules), leavingOut: nil, jobs: 1), in: site.folder.path)
    #expect(
      scan.findings == [
        #"Manifest.json: error [no-match] 3 "Assets" "Assets/Art""#
      ])
  }

  /// If packtool searched another folder instead of the rejected one, all files would be reported as missing.
  @Test func `below a root that is refused no file is looked for`() throws {
    let site = try ScanSite("a")
    try site.folder.writeManifest([.path("a", "A")], root: "/tmp")
    let preparation = try Preparation(Preparation.Request(argument: site.folder.path, jobs: 1))
    #expect(preparation.diagnostics.map(\.check) == [.invalidPath])
    #expect(preparation.plan == nil)
  }

  @Test func `a rule whose files have findings of their own is not reported as matching nothing`() throws {
    let site = try ScanSite("a/1")
    try site.link("b/dangling", to: "nowhere")
    let scan = try site.scan(.path("a", "A"), .path("b", "B"))
    #expect(scan.findings.map { $0.contains("[dangling-link]") } == [true])
  }

  @Test func `every rule that matches nothing is reported`() throws {
    let site = try ScanSite("level-1000")
    let rules = (1...150).map { TestRule.path("level-\(1000 + $0)", "A") } + [.path("level-1000", "A")]
    let scan = try AssetScan(of: try site.manifest(rules), leavingOut: nil, jobs: 2)
    #expect(scan.diagnostics.map(\.check) == Array(repeating: .noMatch, count: 150))
    // packtool must read a folder for each suggestion, so it makes at most 100 suggestions.
    let guesses = scan.diagnostics.map { $0.names("\"level-1000\"") }
    #expect(guesses == Array(repeating: true, count: 100) + Array(repeating: false, count: 50))
  }
}
