import Formats
import Foundation
@testable import Model
@testable import Pipeline
import Support
import Testing

/// Tests files that are never packed.
@Suite struct ScanExcludeTests {
  @Test func `files of systems and version control are skipped`() throws {
    let site = try ScanSite(
      ".DS_Store", "a/.DS_Store", "a/._1", "._", "a/Thumbs.db", "desktop.ini", ".git/config", "a/.svn/x/y",
      ".hg/z",
      "CVS/Root", "a/CVS")
    let scan = try site.scan(.path(".", "A"), .glob("**", "B"))
    #expect(scan.files == [])
    #expect(scan.untagged.files == 0)
  }

  @Test func `names that only look alike are packed`() throws {
    let names = [
      ".DS_Store2", ".Git", ".gitignore", ".hgignore", "._x.", "CVS2", "Desktop.ini", "_._", "cvs", "git",
      "thumbs.db", "x.DS_Store",
    ]
    let site = try ScanSite()
    for name in names where name != "._x." { try site.write(name) }
    #expect(try site.scan(.path(".", "A")).paths == names.filter { $0 != "._x." })
  }

  @Test func `the user's globs leave files and whole folders out`() throws {
    let site = try ScanSite("a/1.psd", "a/1.png", "b/src/2.png", "b/src/c/3.png", "src", "src2", "d/e/f/4")
    let scan = try site.scan(
      .path(".", "A"), .path("a/1.psd", "B"), exclude: ["**/*.psd", "**/src", "d/e/**", "nothing/**"])
    #expect(scan.files == ["a/1.png [A]", "src2 [A]"])
    #expect(
      scan.findings == [
        #"Manifest.json: error [no-match] "a/1.psd" "**/*.psd""#,
        #"Manifest.json: warning [unused-exclude] "nothing/**""#,
      ])
    #expect(scan.untagged.files == 0)
  }

  @Test(arguments: [
    ("a", ["b/a/3", "b/c/4"]), ("**/a", ["b/c/4"]), ("a/**", ["b/a/3", "b/c/4"]),
    ("*/a", ["a/1", "a/2", "b/c/4"]),
    ("**/a/*", ["b/c/4"]), ("b/{a,c}", ["a/1", "a/2"]), ("[a-b]/[1c]", ["a/2", "b/a/3"]),
    ("A", ["a/1", "a/2", "b/a/3", "b/c/4"]),
    ("**", []), ("b/c/4", ["a/1", "a/2", "b/a/3"]),
  ])
  func `an exclude is a glob from the root`(glob: String, left: [String]) throws {
    let site = try ScanSite("a/1", "a/2", "b/a/3", "b/c/4")
    #expect(try site.scan(.path(".", "A"), exclude: [glob]).paths == left)
  }

  @Test func `an excluded folder is not even read`() throws {
    let site = try ScanSite("a/b/1", "c")
    try site.link("a/b/loop", to: "loop")
    try site.link("a/b/outside", to: "/etc")
    #expect(mkfifo(site.folder.path("Assets/a/b/fifo"), 0o644) == 0)
    let scan = try site.scan(.path(".", "A"), exclude: ["a"])
    #expect(scan.files == ["c [A]"])
    #expect(scan.findings == [])
  }

  /// Excludes have no negation, unlike .gitignore.
  ///
  /// The finding contains the exclude that the pattern is probably intended to cancel. There is no automatic
  /// fix.
  @Test func `an exclude that begins with an exclamation mark is a warning`() throws {
    let site = try ScanSite("a/1", "a/2", "b", "!c")
    func unused(_ excludes: String...) throws -> [Diagnostic] {
      let manifest = try site.manifest([.path("a", "A"), .path("b", "A")], exclude: excludes)
      return try AssetScan(of: manifest, leavingOut: nil, jobs: 1).diagnostics.filter {
        $0.check == .unusedExclude
      }
    }
    let alone = try unused("!a/1")
    #expect(alone.map(\.facts) == [#"warning [unused-exclude] "!a/1""#])
    #expect(alone.allSatisfy { $0.fix == nil && $0.notes.isEmpty && $0.place.position?.line == 1 })
    let two = try unused("a/1", "!a/1")
    #expect(two.map(\.facts) == [#"warning [unused-exclude] "!a/1""#])
    #expect(two.first?.notes.map(\.facts) == [#"note "a/1" "a/1""#])
    let noted = try #require(two.first?.notes.first?.place?.position)
    let found = try #require(two.first?.place.position)
    #expect(found.line == noted.line && found.column > noted.column)
    #expect(two.first?.fix == nil)
    // Without its first letter, this exclude would be the same.
    #expect(try unused("a/1", "!a/1", "xa/1").map(\.notes.count) == [1, 0])
    // The name of a file can begin with an exclamation mark.
    #expect(try unused("!c") == [])
  }

  @Test(arguments: ["", "/", "/."])
  func `the output folder inside the root is not packed`(ending: String) throws {
    let site = try ScanSite("a/1", "build/out/index.json", "build/out/packs/x.zip", "build/2")
    let scan = try site.scan(.path(".", "A"), output: "Assets/build/out\(ending)")
    #expect(scan.paths == ["a/1", "build/2"])
    #expect(scan.untagged.files == 0)
  }

  @Test func `the output folder may be named by a link`() throws {
    let site = try ScanSite("a/1", "out/2")
    try site.folder.link("link", to: "Assets/out")
    #expect(try site.scan(.path(".", "A"), output: "link").paths == ["a/1"])
  }

  @Test func `a link inside the root leads into the output folder in vain`() throws {
    let site = try ScanSite("a/1", "out/packs/2")
    try site.link("a/out", to: "../out")
    try site.link("a/packs", to: "../out/packs")
    try site.link("a/two", to: "../out/packs/2")
    let scan = try site.scan(.path(".", "A"), output: "Assets/out")
    #expect(scan.paths == ["a/1"])
    #expect(scan.findings == [])
  }

  @Test func `what an earlier build wrote elsewhere in the root is not packed`() throws {
    let site = try ScanSite("a/1", "old/index.json", "old/.packtool/record", "old/packs/x.zip", "old/sub/2")
    #expect(try site.scan(.path(".", "A")).paths == ["a/1"])
    #expect(try site.scan(.path(".", "A"), output: "Assets/new").paths == ["a/1"])
  }

  @Test func `a file of the record's name marks no build`() throws {
    let site = try ScanSite("a/.packtool", "a/1")
    #expect(try site.scan(.path("a", "A")).paths == ["a/.packtool", "a/1"])
  }

  @Test func `an output folder that is not there yet is nobody's`() throws {
    let site = try ScanSite("a/1")
    #expect(try site.scan(.path(".", "A"), output: "Assets/no/such").paths == ["a/1"])
  }

  private func unused(_ site: ScanSite, _ exclude: String..., root: String = "Assets") throws -> [Diagnostic]
  {
    let manifest = try site.manifest([.path(".", "A")], root: root, exclude: exclude)
    return try AssetScan(of: manifest, leavingOut: nil, jobs: 1).diagnostics
  }

  @Test(
    arguments: [
      ("Art/b ", #""Art/b " "Art/b" 1"#, "Art/b"), (" Art/*", #"" Art/*" "Art/*" 2"#, "Art/*"),
      ("  Music  ", #""  Music  " "Music" 1"#, "Music"),
      ("Assets/Art/*", #""Assets/Art/*" "Assets" "Art/*""#, "Art/*"),
      ("Music/b", #""Music/b""#, nil), ("Musik", #""Musik" "Music""#, "Music"),
      ("Musik/*", #""Musik/*" "Music/*""#, "Music/*"),
      ("Musik/*.mp3", #""Musik/*.mp3""#, nil), ("*.psd", #""*.psd" "**/*.psd" 1"#, nil),
      ("Assets/other", #""Assets/other""#, nil),
      ("Musik/quite other", #""Musik/quite other" "Music" "quite other""#, nil),
    ] as [(String, String, String?)])
  func `a guess excludes files`(glob: String, facts: String, replacement: String?) throws {
    let site = try ScanSite("Art/a.psd", "Art/b", "Music/c")
    let found = try unused(site, glob)
    #expect(found.map(\.namedValues) == [facts])
    let fix = try found.first?.fix.map {
      try JSONDecoder().decode([String].self, from: Data("[\($0.replacement)]".utf8))
    }
    #expect(fix == replacement.map { [$0] })
  }

  @Test func `two excludes do not get the same correction`() throws {
    let site = try ScanSite("Music/c", "x")
    let found = try unused(site, "Musik", "Musick", "none")
    #expect(found.map { $0.fix != nil } == [true, false, false])
    #expect(try unused(site, "Music", "Musik").map { $0.fix != nil } == [false])
  }

  @Test func `eleven excludes get ten guesses`() throws {
    let site = try ScanSite("Music/c", "x")
    let manifest = try site.manifest([.path(".", "A")], exclude: (0..<11).map { "Musik/{c,\($0)}" })
    let found = try AssetScan(of: manifest, leavingOut: nil, jobs: 1).diagnostics
    #expect(found.map { $0.names("\"Music/{c,0}\"") } == [true] + Array(repeating: false, count: 10))
    #expect(found.map { $0.fix == nil } == Array(repeating: false, count: 10) + [true])
    let excepts = (0..<11).map { "Musik/{c,\($0)}" }
    var rule = TestRule.path(".", "A")
    rule.except = excepts
    let rules = try AssetScan(of: site.manifest([rule]), leavingOut: nil, jobs: 1).diagnostics
    #expect(rules.map { $0.fix == nil } == Array(repeating: false, count: 10) + [true])
  }

  @Test func `an except is relative to the root`() throws {
    let site = try ScanSite("Music/c", "Music/d/e", "x")
    func found(_ excepts: String...) throws -> [Diagnostic] {
      var rule = TestRule.path("Music", "A")
      rule.except = excepts
      return try AssetScan(of: site.manifest([rule, .path("x", "B")]), leavingOut: nil, jobs: 1).diagnostics
    }
    #expect(try found("d").map(\.namedValues) == [#""d" "Music" "Music/d""#] && found("d")[0].fix != nil)
    // The rule has this glob already.
    #expect(try found("c", "Music/c").map { $0.fix == nil } == [true])
    #expect(try found("x").map(\.namedValues) == [#""x" "Music""#] && found("q")[0].fix == nil)
    let negated = try found("!Music/c")
    #expect(negated.map { $0.fix == nil } == [true] && negated[0].names("\"except\""))
    // A glob from its fixed part on.
    var rule = TestRule.glob("Music/*", "A")
    rule.except = ["c"]
    let glob = try AssetScan(of: site.manifest([rule, .path(".", "B")]), leavingOut: nil, jobs: 1).diagnostics
    #expect(glob.map(\.namedValues) == [#""c" "Music/*" "Music/c""#])
  }
}
