@testable import Formats
@testable import Model
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests guesses about paths and globs that match nothing.
@Suite struct GuessTests {
  private func root(_ site: ScanSite) throws -> Folder { try Folder(site.folder.path("Assets")) }

  private func near(_ path: String, in site: ScanSite) throws -> PathGuess.Near? {
    let guess = PathGuess(manifest: try site.manifest([.path(".", "A")]), root: try root(site))
    return guess.nearName(of: try RelativePath(path))
  }

  @Test func `a path is certain if each of its names is`() throws {
    let site = try ScanSite("Level 1/hero.png", "Level 3/hero.png", "Music/a", "cafe\u{301}/x")
    let sure = try #require(try near("Musik/a", in: site))
    #expect(sure.path == "Music/a" && sure.replacement == "Music/a")
    // Levels are numbered, so a digit is not a typo.
    let unsure = try #require(try near("Level 2/hreo.png", in: site))
    #expect(unsure.path == "Level 1/hero.png" && unsure.replacement == nil)
    let certain = try #require(try near("Level 1/hreo.png", in: site))
    #expect(certain.replacement == "Level 1/hero.png")
    let twin = try #require(try near("caf\u{e9}/X", in: site)?.replacement)
    #expect(Array(twin.utf8) == Array("cafe\u{301}/x".utf8))
    for path in ["Level 1/hero.png", "Music", "nothing like it", "Music/quite another"] {
      #expect(try near(path, in: site) == nil, "\(path)")
    }
  }

  @Test func `of equal names the first in byte order counts`() throws {
    let site = try ScanSite("e\u{302}\u{301}/x", "\u{ea}\u{301}/x")
    let found = try #require(try near("\u{1ebf}/x", in: site)?.replacement)
    #expect(Array(found.utf8) == Array("e\u{302}\u{301}/x".utf8))
  }

  @Test func `a folder is named if its contents are unlike the rest`() throws {
    let site = try ScanSite("Music/a.ogg", "Art/b.png")
    for path in ["Musik/unlike it", "Musik/a.ogg/deeper"] {
      let found = try #require(try near(path, in: site), "\(path)")
      #expect(found.path == nil && found.replacement == nil)
    }
    #expect(
      try near("Musik/unlike it", in: site)?.hint
        == #"; "Music" exists, but nothing in it is similar to "unlike it""#)
    let folder = PathGuess.Near.folder("Music", lacking: "x")
    #expect(folder.appending(["y"]).hint == folder.hint)
    let path = PathGuess.Near.path("a", isSure: false).appending(["b", "*"])
    #expect(path.path == "a/b/*" && path.replacement == nil)
  }

  @Test func `the root's own name is not part of a path`() throws {
    let site = try ScanSite("a/1", "Art/2")
    let guess = PathGuess(manifest: try site.manifest([.path(".", "A")]), root: try root(site))
    #expect(guess.belowRepeatedRoot(["Assets", "a"]) == "a")
    #expect(guess.belowRepeatedRoot(["Assets"]) == nil && guess.belowRepeatedRoot(["a", "1"]) == nil)
    #expect(guess.belowRepeatedRoot(try RelativePath("Assets/a/1")) == "a/1")
    #expect(guess.belowRepeatedRoot(try RelativePath("Assets/b")) == nil)
    let manifest = try site.manifest([.path(".", "A")], root: "./Assets/Art/../Art")
    let deep = PathGuess(manifest: manifest, root: try Folder(manifest.rootPath))
    #expect(
      deep.belowRepeatedRoot(["Art", "2"]) == "2" && deep.belowRepeatedRoot(["Art", "Art", "2"]) == "2")
    #expect(deep.belowRepeatedRoot(["Assets", "2"]) == nil)
  }

  @Test func `the names before a wildcard are guessed`() throws {
    let site = try ScanSite("Music/deep/a.ogg")
    let guess = PathGuess(manifest: try site.manifest([.path(".", "A")]), root: try root(site))
    #expect(try guess.nearFolder(of: Glob("Musik/*/a.ogg"))?.replacement == "Music/*/a.ogg")
    #expect(try guess.nearFolder(of: Glob("Musik/dep"))?.replacement == "Music/dep")
    #expect(try guess.nearFolder(of: Glob("Musik/dep/*"))?.replacement == "Music/deep/*")
    for glob in ["*/Musik", "Music/*", "Musik"] {
      #expect(try guess.nearFolder(of: Glob(glob)) == nil, "\(glob)")
    }
  }

  // MARK: Globs

  private func guess(
    _ site: ScanSite, _ globs: [String] = ["x*"], excludes: [String] = [], maxPaths: Int = 100,
    maxLevels: Int = 100, maxExcluded: Int = 100
  ) throws -> GlobGuess? {
    GlobGuess(
      root: try root(site), for: globs, excludes: try excludes.map { try Glob($0) }, maxPaths: maxPaths,
      maxLevels: maxLevels, maxExcluded: maxExcluded)
  }

  /// Folders are read after all entries of the folder above, the last one first.
  @Test func `only so many paths are read`() throws {
    let site = try ScanSite("a/1", "a/2", "b/3", "b/4")
    func files(maxPaths: Int = 100, maxLevels: Int = 100) throws -> Int? {
      try guess(site, maxPaths: maxPaths, maxLevels: maxLevels)?.count(of: "**")
    }
    #expect(try files() == 4 && guess(site, []) == nil)
    #expect(try files(maxPaths: 2) == nil && files(maxPaths: 3) == 1 && files(maxPaths: 4) == 2)
    #expect(try files(maxPaths: 6) == 4)
    #expect(try files(maxLevels: 1) == 1 && files(maxLevels: 2) == 2 && files(maxLevels: 4) == 4)
  }

  @Test func `excluded folders are read until enough files are known`() throws {
    let site = try ScanSite("b1/1", "b2/1", "b2/sub/2", "c")
    func hint(maxExcluded: Int) throws -> String? {
      let guess = try guess(site, ["**/[12]"], excludes: ["b*"], maxExcluded: maxExcluded)
      return try guess?.hint(for: Glob("**/[12]")).map { values(in: $0.text) }
    }
    #expect(try hint(maxExcluded: 2) == #"3 "b2/1" "b*""#)
    #expect(try hint(maxExcluded: 1) == #"2 "b2/1" "b*""#)
    #expect(try hint(maxExcluded: 100) == #"3 "b2/1" "b*""#)
    #expect(try hint(maxExcluded: 0) == nil)
  }

  @Test func `a name that is not UTF-8 is left out with all below it`() throws {
    let site = try ScanSite("a/1")
    try site.python("import os; os.mkdir(b'\\xff'); open(b'\\xff/1', 'w')")
    #expect(try guess(site)?.count(of: "**") == 1)
  }

  @Test func `counts are of files, also below a folder`() throws {
    let site = try ScanSite("a/1", "a/b/2", "c")
    let guess = try #require(try guess(site))
    #expect(guess.count(of: "a") == 2 && guess.count(of: "c") == 1 && guess.count(of: "**/b") == 1)
    #expect(guess.count(of: "d") == nil && guess.count(of: "[") == nil)
    #expect(
      guess.matches("a/*") && guess.matches("c") && !guess.matches("a") && !guess.matches("[")
        && !guess.matches("d"))
  }

  @Test func `there is a guess for the first ten globs`() throws {
    let site = try ScanSite("a.png", "folder/1")
    let globs = (0..<9).map { "x\($0)*" } + ["*.pgn", "folder*", "*.pn"]
    let guess = try #require(try guess(site, globs))
    #expect(try guess.hint(for: Glob("*.pgn"))?.replacement == "*.png")
    #expect(try guess.hint(forExclude: Glob("*.pgn"))?.replacement == "*.png")
    #expect(try guess.hint(for: Glob("folder*")) == nil && guess.hint(for: Glob("*.pn")) == nil)
    #expect(try guess.hint(forExclude: Glob("*.pn")) == nil)
    #expect(try guess.isGuessed(Glob("x0*")) && !guess.isGuessed(Glob("x9*")))
    // A glob with very many parts takes too long.
    let many = "{" + (0..<1001).map { "a\($0)" }.joined(separator: ",") + "}"
    let few = "{" + (0..<1000).map { "a\($0)" }.joined(separator: ",") + "}"
    let parts = try #require(try self.guess(site, [many, few]))
    #expect(try !parts.isGuessed(Glob(many)) && parts.isGuessed(Glob(few)))
  }

  @Test func `deeper files, other cases and other endings`() throws {
    let site = try ScanSite("a/b/1.psd", "Art/HERO.png", "x.jpg", "y.jpeg")
    func hint(_ glob: String) throws -> GlobGuess.Hint? { try guess(site, [glob])?.hint(for: Glob(glob)) }
    func facts(_ glob: String) throws -> String? { try hint(glob).map { values(in: $0.text) } }
    #expect(try facts("*.psd") == #""*" "**/*.psd" 1"# && facts("b/*.psd") == #""**/b/*.psd" 1"#)
    #expect(try hint("*.psd")?.replacement == nil)
    #expect(try facts("ART/hero*") == #""Art/HERO.png""#)
    #expect(try hint("*.JPG")?.replacement == "*.jpg" && facts("*.JPG") == #""*.jpg" 1"#)
    #expect(try hint("x.jp")?.replacement == "x.jpg" && hint("y.jepg")?.replacement == "y.jpeg")
    #expect(try hint("x.unlike") == nil && hint("z*") == nil && hint("x.q*g*") == nil)
    let exclude = try guess(site, ["*.psd"])?.hint(forExclude: Glob("*.psd"))
    #expect(exclude.map { values(in: $0.text) } == #""**/*.psd" 1"# && exclude?.replacement == nil)
    #expect(try guess(site, ["q*"])?.hint(forExclude: Glob("q*")) == nil)
  }

  @Test func `a folder is not what a glob of a rule matches`() throws {
    let site = try ScanSite("Level 1/a", "Level 2/b")
    let hint = try #require(try guess(site, ["Level ?"])?.hint(for: Glob("Level ?")))
    #expect(hint.replacement == "Level ?/**")
    #expect(values(in: hint.text).hasSuffix(#""Level ?/**""#))
    let slash = try guess(site, ["Level */"])?.hint(for: Glob("Level */"))
    #expect(slash == nil || slash?.replacement == "Level */**")
  }
}

/// Tests the findings about rules that match nothing.
@Suite struct UnmatchedRuleTests {
  private func findings(
    _ site: ScanSite, _ rules: [TestRule], root: String = "Assets", exclude: [String] = []
  ) throws -> [Diagnostic] {
    let manifest = try site.manifest(rules, root: root, exclude: exclude)
    return try AssetScan(of: manifest, leavingOut: nil, jobs: 1).diagnostics
  }

  @Test func `three rules without a file are a wrong root`() throws {
    let site = try ScanSite("Art/1/x", "Art/2/x", "Art/3/x", "other")
    let rules = ["1", "2", "3"].map { TestRule.path($0, "T\($0)") }
    let wrong = try findings(site, rules)
    #expect(wrong.map(\.namedValues) == [#"3 "Assets" "Assets/Art""#])
    #expect(wrong.first?.notes.map(\.namedValues) == ["\"1\""])
    #expect(try findings(site, Array(rules.prefix(2))).map(\.checkAndValues).count == 2)
    #expect(try findings(site, rules + [.path("other", "O")]).count == 3)
    // The first rule has a reason of its own.
    #expect(try findings(site, [.path("otehr", "O")] + rules).count == 4)
    // Globs do not show whether the root is wrong.
    #expect(try findings(site, rules.dropLast() + [.glob("3*", "T3")]).count == 3)
  }

  /// The folder of the manifest comes first, then its folders, then those of the root.
  @Test func `another root is guessed in order`() throws {
    let site = try ScanSite("Art/1/x", "Sound/1/x")
    let rules = ["1", "2", "3"].map { TestRule.path($0, "T\($0)") }
    #expect(try findings(site, rules).map(\.namedValues) == [#"3 "Assets" "Assets/Art""#])
    try site.folder.write("Zone/1/x", "")
    #expect(try findings(site, rules).map(\.namedValues) == [#"3 "Assets" "Zone""#])
    try site.folder.write("1/x", "")
    #expect(try findings(site, rules).map(\.namedValues) == [#"3 "Assets" ".""#])
    let above = try ScanSite("Game/Assets/x", "1/x")
    try above.folder.write("Assets/Game/Manifest.json", "")
    try above.folder.writeManifest(rules, to: "Assets/Game/Manifest.json", root: "Assets")
    let manifest = try #require(try ManifestReader(argument: above.folder.path("Assets/Game")).manifest)
    let found = try AssetScan(of: manifest, leavingOut: nil, jobs: 1).diagnostics
    #expect(found.map(\.namedValues) == [#"3 "Assets" "..""#])
    #expect(found.map(\.place) == [manifest.text.place(at: manifest.root.offset)])
  }

  @Test func `without a root in the manifest the rules are the place`() throws {
    let site = try ScanSite("x")
    try site.folder.writeManifest((1...3).map { TestRule.path("nothing\($0)", "T") })
    let manifest = try #require(try ManifestReader(argument: site.folder.path).manifest)
    let found = try AssetScan(of: manifest, leavingOut: nil, jobs: 1).diagnostics
    #expect(found.map(\.place) == [manifest.text.place(at: manifest.rulesOffset)] && manifest.rulesOffset > 0)
  }

  @Test func `a file without a rule is perhaps a renamed one`() throws {
    let site = try ScanSite(
      "a/1.map", "a/2.map", "a/folder/x", "b/c/x", "b/d.map", "v.1/maps 2/x", "v.1/x.map")
    func notes(_ rules: TestRule..., exclude: [String] = []) throws -> [[String]] {
      try findings(site, rules, exclude: exclude).filter { $0.check == .noMatch }.map {
        $0.notes.map(\.namedValues)
      }
    }
    #expect(try notes(.path("a/1.map", "A"), .path("a/intro.dat", "B")) == [["\"a/2.map\""]])
    #expect(try notes(.path("b/d.map", "A"), .path("b/opening", "B")) == [["\"b/c\""]])
    #expect(try notes(.path("v.1/x.map", "A"), .path("v.1/opening", "B")) == [["\"v.1/maps 2\""]])
    // Two files are without a rule, or two rules are without a file.
    #expect(try notes(.path("b/c", "A"), .path("a/intro.dat", "B")) == [[]])
    #expect(
      try notes(.path("a/1.map", "A"), .path("a/intro.dat", "B"), .path("a/opening.dat", "C")) == [[], []])
    // Another rule in the folder matches a file that exists.
    let excluded = try notes(
      .path("a/1.map", "A"), .path("a/folder", "F"), .path("a/intro.dat", "B"), exclude: ["**/folder"])
    #expect(excluded == [[], ["\"a/2.map\""]])
    #expect(try notes(.path("a/1.map", "A"), .path("a/2.map", "A"), .path("a/intro.dat", "B")) == [[]])
  }

  @Test(arguments: [(10, true), (11, false)]) func `ten folders are searched for them`(
    count: Int, isNoted: Bool
  ) throws {
    let site = try ScanSite("tagged")
    for number in 0..<count { try site.write("\(number)/map.a") }
    let rules = (0..<count).map { TestRule.path("\($0)/quite another.b", "T") }
    let found = try findings(site, [.path("tagged", "A")] + rules)
    #expect(
      found.map { $0.notes.map(\.namedValues) } == (0..<count).map { isNoted ? ["\"\($0)/map.a\""] : [] })
  }

  @Test func `two rules do not get the same correction`() throws {
    let site = try ScanSite("Levels/1", "Music/1")
    let found = try findings(
      site, [.path("Level", "A"), .path("Levles", "B"), .path("Musik", "C"), .path("Music", "D")])
    #expect(found.map { $0.fix?.replacement } == ["\"Levels\"", nil, nil])
    #expect(found.map(\.namedValues) == [#""Level" "Levels""#, #""Levles" "Levels""#, #""Musik" "Music""#])
  }

  @Test func `corrections of globs combine the folder and the rest`() throws {
    let site = try ScanSite("Level 1/hero.png", "other")
    let found = try findings(site, [.glob("level 1/h*", "A"), .path("other", "B")])
    #expect(
      found.map { $0.fix?.replacement } == ["\"Level 1\\/h*\""]
        || found.map { $0.fix?.replacement } == ["\"Level 1/h*\""])
    let path = try findings(site, [.path("**/*.PNG", "A"), .path("other", "B")])
    #expect(path.map(\.namedValues) == [#""path" "glob" "**/*.png""#] && path.first?.fix == nil)
    let repeated = try findings(site, [.path("Assets/other", "A"), .path("Level 1", "B")])
    #expect(repeated.map { $0.fix?.replacement } == ["\"other\""])
  }

  @Test func `eleven globs get ten guesses`() throws {
    let site = try ScanSite("Level 1/hero.png", "other")
    let globs = (0..<11).map { "Levle 1/*.{png,x\($0)}" }
    let found = try findings(site, globs.map { .glob($0, "A") } + [.path("other", "B")])
    let guesses = globs.map { quoted($0.replacing("Levle", with: "Level")) }
    #expect(found.map { $0.names(guesses[0]) } == [true] + Array(repeating: false, count: 10))
    #expect(zip(found, guesses).map { $0.names($1) } == Array(repeating: true, count: 10) + [false])
  }

  @Test func `after a hundred rules no reasons are searched`() throws {
    let site = try ScanSite("tagged", "Empty/.DS_Store", "File/x.psd")
    let rules = (0..<100).map { TestRule.path("missing \($0)", "T") }
    let last: [TestRule] = [
      .path("Empty", "E"), .path("File/x.psd", "F"), .path("File", "G"), .path("taged", "H"),
    ]
    let all = try findings(site, [.path("tagged", "A")] + rules + last, exclude: ["**/*.psd"])
    let found = all.suffix(4).map { $0 }
    #expect(all.count == 104)
    #expect(found.map(\.namedValues) == [#""Empty""#, #""File/x.psd""#, #""File""#, #""taged" "Assets""#])
    let words = found.map { $0.message.replacing(/"[^"]*"/, with: "") }
    #expect(words[0] != words[1] && words[0] == words[2])
    let first = try findings(site, [.path("tagged", "A")] + last, exclude: ["**/*.psd"])
    #expect(
      first.map(\.namedValues) == [
        #""Empty""#, #""File/x.psd" "**/*.psd""#, #""File" "File/x.psd" "**/*.psd""#, #""taged" "tagged""#,
      ])
  }

  @Test func `a missing root is corrected`() throws {
    let site = try ScanSite("a")
    let found = try findings(site, [.path("a", "A")], root: "Asets")
    #expect(found.map { $0.fix?.replacement } == ["\"Assets\""])
    let file = try findings(site, [.path("a", "A")], root: "Assets/a")
    #expect(file.map { $0.fix == nil } == [true] && file.map(\.check) == [.invalidPath])
    #expect(file.first?.message != found.first?.message && file.first?.names("\"Assets\"") == false)
  }

  @Test func `excludes come before excepts, and both before rules`() throws {
    let site = try ScanSite("a/1", "b")
    let found = try findings(
      site, [.path("a", "A").except("nothing"), .path("b", "B"), .path("missing", "C")], exclude: ["none/*"])
    #expect(found.map(\.check) == [.unusedExclude, .unusedExcept, .noMatch])
  }

  @Test func `too many generated tags are one error`() throws {
    let site = try ScanSite()
    // Each file has a set of 1,000 tags.
    for number in 0..<101 { try site.write("\(number)", "") }
    var rule = TestRule(glob: "*", tags: nil)
    rule.tagTemplates = (0..<1000).map { "\($0) $1" }
    let manifest = try site.manifest([rule])
    let scan = try AssetScan(of: manifest, leavingOut: nil, jobs: 1)
    #expect(scan.tree == nil && scan.root == nil)
    #expect(scan.diagnostics.map(\.facts) == ["error [invalid-value] 100,000"])
    #expect(
      scan.diagnostics.map(\.place) == [manifest.text.place(at: manifest.rules[0].templates[0].text.offset)])
  }
}

/// Tests lines about files that a copied rule was perhaps intended for.
@Suite struct DuplicateRuleTests {
  private func notes(_ site: ScanSite, _ rules: [TestRule]) throws -> [[String]] {
    let rules = rules.map { rule in
      "{\"path\": \"\(rule.path ?? "")\", \"tags\": [\"\(rule.tags?.first ?? "")\"]}"
    }
    try site.folder.writeManifest(rules: rules.joined(separator: ",\n"), root: "Assets")
    let prepared = try Preparation(Preparation.Request(argument: site.folder.path, jobs: 1))
    return prepared.diagnostics.filter { $0.check == .duplicateRule }.map { finding in
      finding.notes.filter { $0.message.contains("no rule is for") }.map(\.namedValues)
    }
  }

  @Test func `files and folders next to the path are named`() throws {
    let site = try ScanSite("a", "b", "c/1", "d/1", "e/x", "e/y", "e/z", "e/f/1", "e/.hidden")
    #expect(try notes(site, [.path("a", "A"), .path("a", "B")]) == [["\"b\""]])
    #expect(try notes(site, [.path("c", "A"), .path("c", "B")]) == [["\"d\" \"e\""]])
    #expect(try notes(site, [.path("e/x", "A"), .path("e/x", "B"), .path("e/y", "C")]) == [["\"e/z\""]])
    #expect(try notes(site, [.path("e/x", "A"), .path("e/x", "B")]) == [["\"e/y\" \"e/z\""]])
    #expect(try notes(site, [.path("e/f", "A"), .path("e/f", "B")]) == [[]])
    #expect(try notes(site, [.path(".", "A"), .path(".", "B")]) == [[]])
    #expect(try notes(site, [.path("gone", "A"), .path("gone", "B")]) == [[]])
  }

  @Test func `they are searched for ten rules`() throws {
    let site = try ScanSite()
    var rules: [TestRule] = []
    for number in 10..<22 {
      for name in ["a", "b"] { try site.write("\(number)/\(name)") }
      rules += [.path("\(number)/a", "A"), .path("\(number)/a", "B")]
    }
    let expected = (10..<22).map { $0 < 20 ? ["\"\($0)/b\""] : [] }
    #expect(try notes(site, rules) == expected)
  }
}
