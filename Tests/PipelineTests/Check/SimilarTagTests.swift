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
}
