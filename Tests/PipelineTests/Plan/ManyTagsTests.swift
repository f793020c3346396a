import Model
@testable import Pipeline
import Testing

/// Tests files that get tags from many rules.
@Suite struct ManyTagsTests {
  /// If a set already has too many tags, no more tags are added to it.
  ///
  /// Otherwise, every other rule would create another large set.
  @Test func `a set with too many tags makes no further sets`() {
    let most = ResourceRule.maxTags
    let tags = (0..<most + 1_000).map { "t\($0)" }
    var sets = TagSets(of: tags)
    var union = sets.id(of: Array(tags.prefix(most - 1)))
    let rules = tags.dropFirst(most - 1).map { sets.id(of: [$0]) }
    let before = sets.count
    for rule in rules { union = sets.union(union, rule) }
    // The two new sets are the largest allowed set and the first set with too many tags.
    #expect(sets.count == before + 2 && sets.size(of: union) == most + 1)
  }
}
