@testable import Formats
@testable import Model
@testable import Pipeline
import Support
import System
import Testing

/// Rules that do not take every file that they match: `except` and `otherwise`.
@Suite struct ScanSelectionTests {
  @Test func `a rule leaves out what its except matches, and other rules are not affected`() throws {
    let site = try ScanSite("Sounds/a", "Sounds/voices/b", "Sounds/voices/deep/c", "x.psd")
    let scan = try site.scan(
      .path("Sounds", "core").except("Sounds/voices/**"), .glob("Sounds/**", "all"),
      .path(".", "each").except("**/*.psd", "Sounds/voices"))
    #expect(
      scan.files == [
        "Sounds/a [all, core, each]", "Sounds/voices/b [all]", "Sounds/voices/deep/c [all]",
      ])
    #expect(scan.untagged.files == 1)
    #expect(scan.findings == [])
  }

  @Test func `a rule below a folder that its except matches takes nothing`() throws {
    let site = try ScanSite("a/b/1", "a/c")
    let scan = try site.scan(.path("a/b", "B").except("a"), .path("a", "A"))
    #expect(scan.files == ["a/b/1 [A]", "a/c [A]"])
    #expect(scan.findings == [#"Manifest.json: error [no-match] "except" "a/b""#])
  }

  @Test func `a rule for the rest takes files that no other rule takes`() throws {
    let site = try ScanSite("images/hero.png", "images/1.png", "images/2.png", "notes")
    let scan = try site.scan(
      .glob("images/**", "rest").forTheRest, .path("images/hero.png", "hero"),
      .path(".", "all").forTheRest.except("notes"))
    #expect(
      scan.files == [
        "images/1.png [all, rest]", "images/2.png [all, rest]", "images/hero.png [hero]",
      ])
    #expect(scan.untagged.files == 1)
    #expect(scan.findings == [])
  }

  @Test func `a rule whose except leaves a file out does not keep it from the rest`() throws {
    let site = try ScanSite("a/1", "a/2")
    let scan = try site.scan(.path("a", "A").except("a/2"), .path("a", "rest").forTheRest)
    #expect(scan.files == ["a/1 [A]", "a/2 [rest]"])
    #expect(scan.findings == [])
  }

  @Test func `a template makes tags only for files that its rule takes`() throws {
    let site = try ScanSite("1/x", "2/x", "3/x")
    var rule = TestRule.glob("*/**", templates: "Level $1").except("3")
    #expect(try site.scan(rule).files == ["1/x [Level 1]", "2/x [Level 2]"])
    rule = rule.forTheRest
    #expect(try site.scan(rule, .path("1", "First")).files == ["1/x [First]", "2/x [Level 2]"])
  }

  @Test func `a destination counts only for files that its rule takes`() throws {
    let site = try ScanSite("a/1", "a/2")
    let scan = try site.scan(.path("a", "A", to: "b").except("a/2"), .path("a", "B"))
    #expect(scan.files == ["a/1 [A, B] > b/1", "a/2 [B]"])
  }

  @Test func `a rule that matches nothing is an error with a reason`() throws {
    let site = try ScanSite("a/1", "a/2")
    let scan = try site.scan(
      .path("a", "A"), .path(".", "rest").forTheRest, .glob("a/*", "none").except("a/*"),
      .glob("b/*", "rest").forTheRest, .glob("a/?", "both").forTheRest.except("a/1"))
    #expect(
      scan.findings == [
        #"Manifest.json: error [no-match] "otherwise" ".""#,
        #"Manifest.json: error [no-match] "except" "a/*""#,
        #"Manifest.json: error [no-match] "b/*""#,
        #"Manifest.json: error [no-match] "except" "otherwise" "a/?""#,
      ])
  }

  @Test(arguments: [
    ("voices/**", ["Sounds/voices/**", "Sounds/voices/**"]), ("Sounds/voice/**", ["Sounds/voices/**"]),
    ("sounds/voices", ["Sounds/voices"]), ("Music/**", []), ("!Sounds/a", []), ("nothing", []),
    ("Sounds/b ", ["Sounds/b", "1"]),
  ])
  func `an except without effect is a warning`(glob: String, guess: [String]) throws {
    let site = try ScanSite("Sounds/a", "Sounds/b", "Sounds/voices/1", "Music/x")
    let manifest = try site.manifest([.path("Sounds", "core").except(glob), .path("Music", "music")])
    let found = try AssetScan(of: manifest, leavingOut: nil, jobs: 1).diagnostics
    #expect(found.map(\.check) == [.unusedExcept])
    let fix = found.first?.fix.map { manifest.text.bytes.applying([$0]) }
    let fixed = try fix.map { try #require(ManifestReader(text: SourceText(path: "m", bytes: $0)).manifest) }
    #expect(fixed?.rules[0].excepts.map(\.value.text) == guess.first.map { [$0] })
    #expect(found.first?.severity == .warning)
  }

  @Test func `rules for the same pattern but other files are not repeated`() throws {
    let site = try ScanSite("a/1", "a/2", "b")
    let manifest = try site.manifest([
      .path("a", "A").except("a/1"), .path("a", "B"), .path("a", "C").except("a/2"),
      .path(".", "rest").forTheRest,
    ])
    #expect(manifest.rules.count == 4)
    let text = String(decoding: manifest.formatted(root: "Assets").array(), as: UTF8.self)
    #expect(text.contains(#""except": ["a/1"]"#) && text.contains(#""otherwise": true"#))
    let twice = ManifestReader(
      text: SourceText(
        path: "m",
        bytes: Array(
          #"""
          { "bundleIdentifier": "a.b", "resources": [
            { "path": "a", "tags": ["A"], "except": ["x", "y"] },
            { "path": "a", "tags": ["B"], "except": ["y", "x"] } ] }
          """#.utf8)))
    #expect(twice.diagnostics.map(\.check) == [.duplicateRule])
  }

  @Test func `the trace of a path names the rules that pass it over`() throws {
    let site = try ScanSite("a/b/1", "a/2")
    let index = RuleMatcher(
      try site.manifest([
        .path("a", "A").except("a/b"), .path(".", "rest").forTheRest, .path("a/b", "B"),
        .glob("a/*", "C").except("a/b"),
      ]))
    let trace = index.trace("a/b/1")
    #expect(trace.rules.map(\.text.value) == ["a/b"])
    #expect(trace.passed.map(\.rule.text.value) == ["a", "."])
    #expect(trace.passed.map { $0.except?.value.text } == ["a/b", nil])
  }

  /// A name can match thousands of globs of thousands of rules.
  @Test(.noHang) func `many rules with many excepts end soon`() throws {
    let site = try ScanSite("a/b/1", "a/b/2")
    let rules = (0..<3000).map { number in
      TestRule.glob("**/{x\(number),*}", "T\(number % 7)").except("a", "**/b", "a/*/1")
    }
    let manifest = try site.manifest(rules)
    #expect(try AssetScan(of: manifest, leavingOut: nil, jobs: 1).tree?.files.isEmpty == true)
  }
}
