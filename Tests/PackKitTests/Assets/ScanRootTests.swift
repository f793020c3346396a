@testable import Findings
import Foundation
@testable import PackKit
@testable import Projects
import Support
import Testing

/// The folder that paths are relative to, and rules that match nothing in it.
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
  func `a glob is told what is spelled almost like it`(glob: String, meant: String) throws {
    let site = try ScanSite("Levels/1/a.bin", "Levels/2/b.bin")
    let scan = try site.scan(.glob(glob, "T"))
    #expect(
      scan.findings == [
        "Manifest.json: error: the glob \(quoted(glob)) matches no file; did you mean \(quoted(meant))? [no-match]"
      ])
  }

  @Test func `an exclude that empties a glob is named at the glob`() throws {
    let site = try ScanSite("a/1.bin", "a/2.bin", "b/3")
    let scan = try site.scan(.glob("a/*.bin", "T"), .path("b", "B"), exclude: ["**/*.bin"])
    #expect(scan.findings.count == 1)
    #expect(
      scan.findings.first?.contains("such as \"a/1.bin\", are excluded by \"**/*.bin\" [no-match]") == true)
    let folder = try site.scan(.glob("a/*", "T"), .path("b", "B"), exclude: ["a"])
    #expect(folder.findings.first?.contains("are excluded by \"a\" [no-match]") == true, "\(folder.findings)")
  }

  @Test func `the manifest's own folder is a root`() throws {
    let site = try ScanSite("a/1")
    let scan = try site.scan(.path("Assets", "A"), root: ".")
    #expect(scan.paths == ["Assets/a/1"])
    #expect(scan.untagged.files == 0, "the manifest is no part of the app")
  }

  @Test func `the root may lie beside the manifest's folder`() throws {
    let site = try ScanSite("a/1")
    try site.folder.write(
      "Project/Manifest.json",
      """
      {"bundleIdentifier": "com.example.test", "root": "../Assets", "resources": [{"path": "a", "tags": ["A"]}]}
      """)
    let manifest = try #require(try ManifestReader(argument: site.folder.path("Project")).manifest)
    let scan = try AssetScan(of: manifest, output: nil, jobs: 2)
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

  @Test func `a root that is missing is told at its place`() throws {
    let site = try ScanSite()
    let manifest = try site.manifest([.path("a", "A")], root: "Asets")
    let scan = try AssetScan(of: manifest, output: nil, jobs: 2)
    #expect(scan.tree == nil)
    #expect(scan.diagnostics.map(\.check) == [.invalidPath])
    let message = "the root folder \"\(site.folder.path("Asets"))\" does not exist"
    #expect(scan.diagnostics.map(\.message) == [message])
    #expect(scan.diagnostics.first?.place.position != nil)
  }

  @Test func `a root that is a file is no folder`() throws {
    let site = try ScanSite("a")
    let scan = try site.scan(.path("a", "A"), root: "Assets/a")
    #expect(scan.tree == nil)
    #expect(scan.findings.count == 1)
  }

  @Test(arguments: [
    (TestRule.path("Level 2", "A"), "\"Level 2\" does not exist; did you mean \"Level 1\"?"),
    (.path("level 1", "A"), "\"level 1\" does not exist; did you mean \"Level 1\"?"),
    (
      .path("Level 1/hreo.png", "A"),
      "\"Level 1/hreo.png\" does not exist; did you mean \"Level 1/hero.png\"?"
    ),
    (.path("Levl 1/hreo.png", "A"), "\"Levl 1/hreo.png\" does not exist; did you mean \"Level 1\"?"),
    (.path("Level 1/é", "A"), "\"Level 1/é\" does not exist"),
    (.path("Something else", "A"), "\"Something else\" does not exist"),
    (.path("Level 1/hero.png/x", "A"), "\"Level 1/hero.png/x\" does not exist"),
    (.path("Empty", "A"), "the folder \"Empty\" holds no file to pack"),
    (.path("Psd", "A"), "the folder \"Psd\" holds no file to pack"),
    (.path("Psd/1.psd", "A"), "\"Psd/1.psd\" is never packed, for \"**/*.psd\" is excluded"),
    (.path("Out", "A"), "\"Out\" is never packed, for \"Out\" is excluded"),
    (.path("Out/x", "A"), "\"Out/x\" is never packed, for \"Out\" is excluded"),
    (.path("Empty/.DS_Store", "A"), "\"Empty/.DS_Store\" is never packed, for \".DS_Store\" is excluded"),
    (.glob("*.mp3", "A"), "the glob \"*.mp3\" matches no file"),
    (
      .glob("Psd/*", "A"),
      "the glob \"Psd/*\" matches no file; the file that it is for, such as \"Psd/1.psd\", is excluded by \"**/*.psd\""
    ),
    (.path("Level 1/*", "A"), "\"path\" takes no wildcards; use \"glob\": \"Level 1/*\""),
    (
      .path("Assets/Level 1", "A"),
      "\"Assets/Level 1\" does not exist below the root \"Assets\"; paths begin below the root: \"Level 1\""
    ),
    (
      .glob("*.png", "A"),
      "the glob \"*.png\" matches no file; \"*\" stays within one folder, \"**/*.png\" would match 1 file"
    ),
    (
      .glob("Lev*", "A"),
      "the glob \"Lev*\" matches no file; it matches the folder \"Level 1\", but globs match files: use \"Lev*/**\""
    ),
    (
      .glob("**/*.PNG", "A"),
      "the glob \"**/*.PNG\" matches no file; \"**/*.png\" would match 1 file: upper and lower case differ"
    ),
    (
      .glob("level 1/h*", "A"),
      "the glob \"level 1/h*\" matches no file; upper and lower case differ, as in \"Level 1/hero.png\""
    ),
  ])
  func `a rule that matches nothing is an error with a reason`(rule: TestRule, message: String) throws {
    let site = try ScanSite("Level 1/hero.png", "Psd/1.psd", "Out/x", "Empty/.DS_Store")
    let scan = try site.scan(rule, .path("Level 1/hero.png", "B"), exclude: ["**/*.psd", "Out"])
    #expect(scan.findings == ["Manifest.json: error: \(message) [no-match]"])
  }

  @Test func `a wrong root is one error`() throws {
    let site = try ScanSite("Art/Level 1/a", "Art/Level 2/b", "Art/Level 3/c")
    let rules = (1...3).map { TestRule.path("Level \($0)", "T\($0)") }
    let scan = ScanResult(
      try AssetScan(of: site.manifest(rules), output: nil, jobs: 1), in: site.folder.path)
    #expect(
      scan.findings == [
        "Manifest.json: error: none of the 3 rules matches a file below the root \"Assets\"; did you mean "
          + "\"Assets/Art\"? [no-match]"
      ])
  }

  /// Another folder has not these files, so all of them would be said to be missing.
  @Test func `below a root that is refused no file is looked for`() throws {
    let site = try ScanSite("a")
    try site.folder.write(
      "Manifest.json",
      #"{ "bundleIdentifier": "c.x", "root": "/tmp", "resources": [{ "path": "a", "tags": ["A"] }] }"#)
    let preparation = try Preparation(Preparation.Request(site.folder.path, jobs: 1))
    #expect(preparation.diagnostics.map(\.check) == [.invalidPath])
    #expect(preparation.plan == nil)
  }

  @Test func `a rule whose files have findings of their own is not said to match nothing`() throws {
    let site = try ScanSite("a/1")
    try site.link("b/dangling", to: "nowhere")
    let scan = try site.scan(.path("a", "A"), .path("b", "B"))
    #expect(scan.findings.map { $0.hasSuffix("[dangling-link]") } == [true])
  }

  @Test func `every rule that matches nothing is told`() throws {
    let site = try ScanSite("level-1000")
    let rules = (1...150).map { TestRule.path("level-\(1000 + $0)", "A") } + [.path("level-1000", "A")]
    let scan = try AssetScan(of: try site.manifest(rules), output: nil, jobs: 2)
    #expect(scan.diagnostics.map(\.check) == Array(repeating: .noMatch, count: 150))
    // Each guess costs the reading of a folder: there are a hundred.
    let guesses = scan.diagnostics.map { $0.message.hasSuffix("; did you mean \"level-1000\"?") }
    #expect(guesses == Array(repeating: true, count: 100) + Array(repeating: false, count: 50))
  }
}
