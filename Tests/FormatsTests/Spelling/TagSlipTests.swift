import Formats
import Testing

/// Tags that may have been meant to be the same.
@Suite struct TagSlipTests {
  /// The evidence for a slip between tags by where the letters differ, among them the first and the last ones.
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
