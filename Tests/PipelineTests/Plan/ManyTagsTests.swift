import Model
@testable import Pipeline
import Testing

/// Files to which many rules give tags.
@Suite struct ManyTagsTests {
  /// A set of more tags than a file may have grows no more, or each further rule would make a set as large as all before.
  @Test func `a set with too many tags makes no further sets`() {
    let most = ResourceRule.maxTags
    let tags = (0..<most + 1_000).map { "t\($0)" }
    var sets = TagSets(of: tags)
    var union = sets.id(of: Array(tags.prefix(most - 1)))
    let rules = tags.dropFirst(most - 1).map { sets.id(of: [$0]) }
    let before = sets.count
    for rule in rules { union = sets.union(union, rule) }
    // The last tag that fits, and the one that is too many.
    #expect(sets.count == before + 2 && sets.size(of: union) == most + 1)
  }
}
