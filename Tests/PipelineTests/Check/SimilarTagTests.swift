import Formats
@testable import Model
@testable import Pipeline
import Support
import Testing

/// Tests tags that look like misspellings of other tags.
@Suite struct SimilarTagTests {
  @Test(arguments: [
    ("Castle", "Castel"), ("Castle", "Casle"), ("Castle", "Casttle"), ("Castle", "Cattle"),
    ("Forest", "forest"),
    ("Forest", "Forest "), ("Level 1", "Level1"), ("Level 1", "level_1"), ("Level 1", "Level  1"),
    ("Level 12 Boss", "Level 12 Bsos"), ("Level 1", "Levle 1"), ("lang-en", "Lang-en"),
    ("theme-animals", "theme-animlas"),
    ("caf\u{e9}s harbour", "caf\u{e9}s harbouur"), ("Boss\u{200b}", "Boss"), ("Sea Side", "SeaSide"),
  ])
  func `a slip is found`(tag: String, slip: String) throws {
    let plan = try SyntheticPlan([
      .init("1", 9, tag), .init("2", 9, tag), .init("3", 9, slip), .init("4", 9, tag),
    ])
    let findings = plan.findings().filter { $0.check == .similarTag }
    #expect(findings.map { $0.place.position?.line } == [6])
    #expect(findings.first?.notes.first?.place?.position?.line == 4)
  }

  @Test func `the message names both`() throws {
    let plan = try SyntheticPlan([.init("1", 9, "Castle"), .init("2", 9, "Castle"), .init("3", 9, "Castel")])
    #expect(
      plan.lines(of: "similar-tag") == [
        #"6:28: warning [similar-tag] "Castel" 1 "Castle" 2 "tags""#,
        #"note "Castle""#,
      ])
  }

  @Test func `of two equals the later is the slip`() throws {
    let plan = try SyntheticPlan([.init("1", 9, "Castel"), .init("2", 9, "Castle")])
    #expect(plan.lines(of: "similar-tag").map { $0.prefix(4) } == ["5:28", "note"])
  }

  @Test func `fewer files make the slip`() throws {
    let plan = try SyntheticPlan([.init("1", 9, "Castel"), .init("2", 9, "Castle"), .init("3", 9, "Castle")])
    #expect(plan.lines(of: "similar-tag").map { $0.prefix(4) } == ["4:28", "note"])
  }

  /// The misspelled tag is in the rule for a large folder.
  ///
  /// The correct tag is in two rules or in a list.
  @Test(arguments: [
    (["Castle", "Castle", "Casttle", "Casttle2"], ""),
    (["Castle", "Casttle"], #""initialInstallTags": ["Castle"]"#),
  ])
  func `a slip that many files carry is found`(tags: [String], lists: String) throws {
    let folder = try TemporaryFolder()
    let members = lists.isEmpty ? "\"root\": \".\"" : lists
    var rules: [String] = []
    for (number, tag) in tags.enumerated() {
      for file in 0..<9 { try folder.write("\(number)/\(file)", "\(number)\(file)") }
      rules.append(#"{"path": "\#(number)", "tags": ["\#(tag)"]}"#)
    }
    let prepared = try PreparedFolder(folder, rules: rules.joined(separator: ","), members: members)
    #expect(
      prepared.lines(of: "similar-tag").filter {
        $0.contains(#"[similar-tag] "Casttle" 9 "Castle""#)
      }
      .count == 1, "\(prepared.lines)")
  }

  /// Misspellings that cannot be intentional, even if many files have the misspelled tag.
  @Test(arguments: [
    ("terrain-graphics", "tterrain-graphics"), ("locale", "llocale"), ("images mainmenu", "images mainmnu"),
    ("images projectile", "images pojectile"), ("levels factory", "levvels factory"),
  ])
  func `a letter too many or too few is found`(tag: String, slip: String) throws {
    let many = (0..<20).map { SyntheticPlan.File("b\($0)", 9, slip) }
    let plan = try SyntheticPlan((0..<9).map { .init("a\($0)", 9, tag) } + many)
    #expect(plan.lines(of: "similar-tag").count { $0.contains("[similar-tag]") } == 1)
  }

  /// Different words with similar spellings.
  @Test(arguments: [
    ["desert", "dessert"], ["mountain", "fountain"], ["explore", "explorer"], ["animate", "animated"],
    ["character", "characters"], ["country", "county"], ["book", "books"], ["later", "latter"],
  ])
  func `two words are quiet`(tags: [String]) throws {
    let files = tags.enumerated().flatMap { number, tag in
      (0..<9).map { SyntheticPlan.File("\(number)\($0)", 9, tag) }
    }
    #expect(try SyntheticPlan(files).lines(of: "similar-tag") == [])
  }

  /// Groups of similar tags from real projects.
  @Test(arguments: [
    ["Level 1", "Level 2", "Level 10", "Level 11", "Level 1-1", "Level 1-2"],
    ["lang-en", "lang-el", "lang-fr", "lang-es"],
    ["World A", "World B", "World C"], ["Act I", "Act II", "Act III", "Act IV", "Act VI"],
    ["deu", "dut", "dan"],
    ["langEn", "langEs", "langEt"], ["hero_a", "hero_b"], ["v1.0", "v1.1"], ["cat", "bat", "hat", "car"],
    ["horse", "house", "mouse", "moose"], ["level", "levels"], ["sound", "sounds"], ["x86", "x64"],
    ["en-GB", "en-US"],
    ["tile-01a", "tile-01b", "tile-02a"], ["elf", "elves", "orc", "orcs"], ["left", "lift"],
    ["C", "C#", "C++"],
    ["night", "light", "fight", "right"], ["Zone 1 East", "Zone 1 West"], ["north", "south"],
    ["1x", "2x", "3x"],
  ])
  func `a family is quiet`(tags: [String]) throws {
    let files = tags.enumerated().flatMap { number, tag in
      (0..<3).map { SyntheticPlan.File("\(number)-\($0)", 9, tag) }
    }
    #expect(try SyntheticPlan(files).lines(of: "similar-tag") == [])
  }

  /// If short tags differ in one letter, one of them counts as a misspelling only if one file has it and many
  /// files have the other tag.
  @Test func `a short word needs evidence`() throws {
    let many = (0..<8).map { SyntheticPlan.File("\($0)", 9, "Music") }
    #expect(try SyntheticPlan(many + [.init("x", 9, "Musik")]).lines(of: "similar-tag").count == 2)
    #expect(
      try SyntheticPlan(many + (0..<3).map { .init("x\($0)", 9, "Musik") }).lines(of: "similar-tag") == [])
  }

  /// These tags are from a real collection of stamps.
  @Test func `words with many files each are meant`() throws {
    let files = ["plants", "planets", "planes"].flatMap { tag in
      (0..<5).map { SyntheticPlan.File("\(tag)/\($0)", 9, tag) }
    }
    #expect(try SyntheticPlan(files).lines(of: "similar-tag") == [])
  }

  @Test func `a list of all tags means both`() throws {
    let plan = try SyntheticPlan(
      [.init("1", 9, "Castle"), .init("2", 9, "Castel")], "\"tags\": [\"Castle\", \"Castel\"]")
    #expect(plan.findings(appBundle: 1) == [])
  }

  /// If a rule has an error, its tags are unknown.
  ///
  /// So the check draws no conclusions from the other rules.
  @Test func `checks that depend on other rules do not run after an error`() throws {
    let folder = try TemporaryFolder()
    try folder.write("a/x", "1")
    try folder.write("b/x", "22")
    let prepared = try PreparedFolder(
      folder, rules: #"{"path": "a", "tags": ["Castle", "Red"]}"#, #"{"path": "b", "tags": ["Castel"]}"#,
      #"{"path": "c", "tags": ["Blue"]}"#, members: #""initialInstallTags": ["Castle", "Castel"]"#)
    #expect(prepared.findings.map(\.check) == [.noMatch])
  }

  /// Returns the findings for files in folders whose names are tags, and for other rules.
  ///
  /// Each folder has nine files.
  private func generated(_ folders: [String], rules: [String], members: String = #""root": ".""#) throws
    -> [String]
  {
    let folder = try TemporaryFolder()
    for name in folders + ["1", "2"] {
      for file in 0..<9 {
        try folder.write("\(name.count > 1 ? "gen/" : "")\(name)/\(file)", "\(name)\(file)")
      }
    }
    let literal = rules.enumerated().map { #"{"path": "\#($0 + 1)", "tags": ["\#($1)"]}"# }
    let template = #"{"glob": "gen/*/**", "tagTemplates": ["$1"]}"#
    let all = folders.isEmpty ? literal : [template] + literal
    return try PreparedFolder(folder, rules: all.joined(separator: ", "), members: members).lines(
      of: "similar-tag")
  }

  @Test func `generated tags are misspelled only if a list or rule has them`() throws {
    let list = #""initialInstallTags": ["Casttle"]"#
    #expect(try generated(["Casttle"], rules: ["Castle", "Castle"], members: list).count == 1)
    #expect(try generated(["Casttle"], rules: ["Castle", "Castle"]) == [])
    #expect(try generated(["mainmenu", "mainmnu"], rules: ["Forest", "Ocean"]) == [])
    #expect(try generated([], rules: ["mainmenu", "mainmnu"]).count == 1)
  }

  @Test func `of several similar tags the most frequent is proposed`() throws {
    let others = [("Castle", 9), ("Casele", 5), ("Casale", 7), ("Casule", 6), ("Casile", 8)]
    let files = others.flatMap { tag, count in (0..<count).map { SyntheticPlan.File("\(tag)\($0)", 9, tag) } }
    let plan = try SyntheticPlan(files + [.init("slip", 9, "Casle")])
    let found = plan.lines(of: "similar-tag").filter { $0.contains(#"[similar-tag] "Casle" 1"#) }
    #expect(found.count == 1 && found[0].contains(#""Castle" 9"#), "\(found)")
  }

  @Test func `a space around a tag is a finding even without a similar tag`() throws {
    func found(_ tags: String...) throws -> [Diagnostic] {
      let files = tags.enumerated().map { SyntheticPlan.File("\($0)", 9, $1) }
      return try SyntheticPlan(files).findings().filter { $0.check == .similarTag }
    }
    let tags = ["Forest ", " Forest", " Forest "]
    let all = try tags.map { try #require(try found($0, "Ocean").first) }
    #expect(all.map(\.fix?.replacement) == Array(repeating: "\"Forest\"", count: 3))
    #expect(all.areAll { $0.notes.isEmpty && $0.names("\"Forest\"") && $0.place.position?.line == 4 })
    let words = all.map { $0.message.replacing(/"[^"]*"/, with: "") }
    #expect(Set(words).count == 3)
    #expect(try found("Deep Forest", "Ocean") == [])
    // The other tag is not the tag without the space.
    let other = try found("Castel ", "Castle", "Castle", "Castle")
    #expect(other.count == 1 && other[0].fix == nil && other[0].notes.count == 1)
    let same = try found("Castle ", "Castle", "Castle", "Castle")
    #expect(same.count == 1 && same[0].fix?.replacement == "\"Castle\"" && same[0].notes.count == 1)
  }

  @Test func `several tags in one string are a finding`() throws {
    let plan = try SyntheticPlan([
      .init("1", 9, "Castle, Forest"), .init("2", 9, "Castle"), .init("3", 9, "Forest"),
    ])
    let found = plan.findings().filter { $0.check == .similarTag }
    #expect(
      found.map(\.place.position?.line) == [4]
        && found.first?.names("1", "2", "\"Castle\"", "\"Forest\"") == true)
    #expect(found.first?.fix?.replacement.contains("\"Castle\", \"Forest\"") == true)
    let other = try SyntheticPlan([.init("1", 9, "Castle, Forest"), .init("2", 9, "Castle")])
    #expect(other.findings().allSatisfy { $0.check != .similarTag })
  }
}
