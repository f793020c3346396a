import Formats
import Testing

/// Tests which pairs of tags could be misspellings of each other.
@Suite struct TagSlipTests {
  /// How strong the evidence for a misspelling is depends on the position at which the tags differ.
  ///
  /// The first and the last letter are included.
  @Test(arguments: [
    ("hero", "xhero", TagSlip.Evidence.weak), ("heroes", "xheroes", .moderate), ("hhero", "hero", .weak),
    ("ccastle", "castle", .strong), ("mountains", "mountans", .strong), ("castel", "castle", .strong),
    ("castle", "castly", .moderate), ("hero", "heri", .weak), ("heros", "hero", .weak),
    ("cqastle", "castle", .moderate), ("caastle", "castle", .strong),
  ])
  func `tags that differ by a letter`(first: String, second: String, expected: TagSlip.Evidence) throws {
    let forms = try [first, second].map { try #require(TagSlip.Form($0)) }
    #expect(TagSlip.evidence(forms[0], forms[1]) == expected)
    #expect(TagSlip.evidence(forms[1], forms[0]) == expected)
  }
}
