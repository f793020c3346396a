@testable import Formats
import Support
import Testing

/// Tests guesses of names, and which tags look like a misspelling of another tag.
@Suite struct SpellingTests {
  @Test func `100 names are guessed`() {
    var guesses = Guesses()
    for _ in 0..<99 { #expect(guesses.nearest(to: "x", in: ["nothing"]) == nil) }
    #expect(guesses.nearest(to: "Musik", in: ["Music"])?.name == "Music")
    #expect(guesses.nearest(to: "Musik", in: ["Music"]) == nil)
  }

  @Test(
    arguments: [
      ("dest", "destination"), ("des", nil), ("tags", "tags"), ("tagT", "tagTemplates"), ("path", "path"),
      ("exce", nil),
      ("", nil),
    ] as [(String, String?)]) func `an abbreviation has one name`(name: String, expected: String?)
  {
    let names = ["destination", "tags", "tagTemplates", "path", "except", "excess"]
    #expect(onlyName(abbreviatedAs: name, in: names) == expected)
  }

  @Test(
    arguments: [
      ("bundleID", "bundleIdentifier"), ("bundle_id", "bundleIdentifier"), ("bundle", "bundleIdentifier"),
      ("path", "path"), ("pathName", "path"), ("pat", nil), ("tagsX", nil), ("rootX", "rootPath"),
      ("Root", nil),
      ("iconName", nil), ("initialX", nil), ("bund", nil),
    ] as [(String, String?)]) func `a name begins with the word of one other`(name: String, expected: String?)
  {
    let names = ["bundleIdentifier", "path", "tag", "rootPath", "icons", "initialInstall", "initialLoad"]
    #expect(onlyName(beginningAs: name, in: names) == expected)
  }

  @Test func `a name has up to 200 scalars of any size`() {
    let faces = String(repeating: "😀", count: 200)
    #expect(nearest(to: faces, in: [faces]) == faces && nearest(to: faces + "a", in: [faces]) == nil)
  }

  @Test func `keys of other tools have a counterpart`() {
    #expect(commonName(for: "rules", in: ["resources", "x"]) == "resources")
    #expect(commonName(for: "rules", in: ["x"]) == nil && commonName(for: "x", in: ["x"]) == nil)
  }

  @Test(
    arguments: [
      ("Castle, Forest", ["Castle", "Forest"]), ("Castle;Forest", ["Castle", "Forest"]),
      (" Forest |\tCastle ", ["Forest", "Castle"]), ("A b,Castle", ["A b", "Castle"]), ("Castle", nil),
      ("Castle,", nil), ("Castle,Forest,Castle", nil), ("Castle, Moat", nil),
      (",Castle,,Forest,", ["Castle", "Forest"]),
      ("Castle Forest", nil), ("a,b;Castle", ["a,b", "Castle"]), ("", nil),
    ] as [(String, [String]?)]) func `tags with separators are separate`(text: String, tags: [String]?)
  {
    #expect(separateTags(in: text, among: ["Castle", "Forest", "A b", "a,b", ""]) == tags)
  }

  @Test func `strings are listed`() { #expect(listedStrings(["a", "b\""]) == #""a", "b\"""#) }

  private func evidence(_ first: String, _ second: String) throws -> TagTypo.Evidence? {
    let forms = try [first, second].map { try #require(TagTypo.Form($0)) }
    let found = TagTypo.evidence(forms[0], forms[1])
    #expect(TagTypo.evidence(forms[1], forms[0]) == found)
    return found
  }

  @Test(
    arguments: [
      // The same letters.
      ("Level One", "levelOne", .strong), ("level_one", "levelone", .strong), ("a\u{200b}b", "ab", .strong),
      ("_a__b_", "A-B", .strong), ("hero", "HERO", .strong), ("World 1-1", "World 11", nil),
      ("World 1-a", "World1a", .strong),
      ("World a-1", "Worlda1", .strong),
      // Two letters that are swapped.
      ("hreo", "hero", .strong), ("cta", "cat", nil), ("caxxle", "castle", nil),
      ("castel-x", "castle-x", .strong),
      ("x1cta", "x1cat", nil),
      // A letter that is missing.
      ("at", "bat", nil), ("cats", "cat", .weak), ("cast", "cat", .weak), ("house", "huse", .weak),
      ("castle", "catle", .moderate), ("monster", "monter", .moderate), ("mountain", "mountan", .strong),
      ("monsters", "monster", .weak), ("monsterx", "monster", .moderate), ("monsters-a", "monster-a", .weak),
      ("monsters-aa", "monster-aa", .weak), ("castlle", "castle", .moderate), ("hheros", "heros", .strong),
      ("hhero", "hero", .weak), ("x-ccastle", "x-castle", .strong), ("caastle", "castle", .strong),
      ("casstle", "castle", .moderate), ("plantss", "plants", .weak), ("castlek", "castle", .moderate),
      ("castlekk", "castlek", .moderate), ("1monsters", "1monster", .weak),
      // A letter that is another.
      ("cut", "cat", nil), ("curt", "cart", .weak), ("hoase", "house", .weak),
      ("cassle", "castle", .moderate),
      ("x-cassle-1", "x-castle-1", .moderate), ("a-curt", "a-cart", .weak),
      ("a-cut-castle", "a-cat-castle", nil),
      // Members of a family.
      ("level-iv", "level-vi", nil), ("civil", "civic", nil), ("level-1", "level-2", nil),
      ("castle.", "castle", nil),
      ("castle1", "castle", nil), ("levela1", "levelb1", .moderate), ("level-a1", "level-b1", nil),
      ("mix", "mil", nil),
      ("cabbtle", "castle", nil), ("castle", "castleab", nil), ("castle", "forest", nil), ("", "", .strong),
      ("", "a", nil),
    ] as [(String, String, TagTypo.Evidence?)])
  func `tags differ like a typo`(first: String, second: String, expected: TagTypo.Evidence?) throws {
    #expect(try evidence(first, second) == expected)
  }

  @Test func `forms of a tag have neighbours`() throws {
    let form = try #require(TagTypo.Form("Ab c1-1"))
    #expect(
      form.neighbours == [
        "abc1-1", "ab-c1-1", "b-c1-1", "a-c1-1", "ab-1-1", "ab-c-1", "ab-c11", "ab-c1-",
      ])
    #expect(try #require(TagTypo.Form("- _")).neighbours == [""])
    #expect(try #require(TagTypo.Form("ÀB")).neighbours == ["àb", "b", "à"])
    #expect(TagTypo.Form(String(repeating: "a", count: 128)) != nil)
    #expect(TagTypo.Form(String(repeating: "a", count: 129)) == nil)
  }

  @Test(arguments: [
    ("a1", "a2", false), ("Castel", "Castle", true), ("Level ½", "Level", false), ("cat", "cat", true),
  ]) func `a guess is sure without other digits`(name: String, candidate: String, isSure: Bool) {
    let found = NearestName(to: name, in: [candidate])
    #expect((found?.sureName == candidate) == isSure)
  }

  /// Two candidates that are equally near are not sure, whichever comes first.
  @Test func `two equal guesses are not sure`() {
    for names in [["bat", "hat"], ["hat", "bat"], ["bat", "hat", "bat"]] {
      let found = NearestName(to: "cat", in: names)
      #expect(found?.name == "bat" && found?.isSure == false && found?.sureName == nil)
    }
    #expect(NearestName(to: "cat", in: ["bat", "bat"])?.isSure == true)
    #expect(NearestName(to: "cat", in: ["hat", "bat", "Cat"])?.sureName == "Cat")
    #expect(NearestName(to: "castle", in: ["Castle", "cAstle"])?.isSure == false)
    #expect(NearestName(to: "castle", in: ["CAstle", "cAstle"])?.sureName == "cAstle")
  }
}
