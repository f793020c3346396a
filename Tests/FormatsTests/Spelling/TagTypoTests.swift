import Formats
import Testing

/// Tests which pairs of tags could be misspellings of each other.
@Suite struct TagTypoTests {
  /// How strong the evidence for a misspelling is depends on the position at which the tags differ.
  ///
  /// The first and the last letter are included.
  @Test(arguments: [
    ("hero", "xhero", TagTypo.Evidence.weak), ("heroes", "xheroes", .moderate), ("hhero", "hero", .weak),
    ("ccastle", "castle", .strong), ("mountains", "mountans", .strong), ("castel", "castle", .strong),
    ("castle", "castly", .moderate), ("hero", "heri", .weak), ("heros", "hero", .weak),
    ("cqastle", "castle", .moderate), ("caastle", "castle", .strong),
  ])
  func `tags that differ by a letter`(first: String, second: String, expected: TagTypo.Evidence) throws {
    let forms = try [first, second].map { try #require(TagTypo.Form($0)) }
    #expect(TagTypo.evidence(forms[0], forms[1]) == expected)
    #expect(TagTypo.evidence(forms[1], forms[0]) == expected)
  }
}
