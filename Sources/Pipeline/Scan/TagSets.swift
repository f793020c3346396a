import Formats
import Model
import System

/// Stores each distinct tag set once and assigns an id to it.
package struct TagSets: Sendable {
  /// The id of a tag set.
  ///
  /// It is the index of the set.
  package typealias ID = Int32

  /// All tags.
  ///
  /// First come the tags of rules, sorted as Swift strings, as in Xcode's identifiers. Then come the
  /// generated tags.
  private var tags: [String]
  private var ranks: [String: Int32]
  /// The number of sorted tags, that is, of the tags of rules.
  private let sortedCount: Int
  /// The ranks of each set's tags, in ascending order.
  private var sets: [[Int32]] = []
  private var ids: [[Int32]: ID] = [:]

  /// Prepares for sets of these tags.
  ///
  /// If two tags differ only in Unicode normalization, the first spelling is kept.
  package init(of tags: some Sequence<String>) {
    var first: Set<String> = []
    for tag in tags { first.insert(tag) }
    self.tags = first.sorted()
    ranks = Dictionary(uniqueKeysWithValues: zip(self.tags, Int32(0)...))
    sortedCount = self.tags.count
  }

  /// The number of different sets.
  package var count: Int { sets.count }

  func size(of id: ID) -> Int { sets[Int(id)].count }

  /// Returns the tags of a set, sorted.
  package func tags(of id: ID) -> [String] {
    let ranks = sets[Int(id)]
    let names = ranks.map { tags[Int($0)] }
    return ranks.last.map { Int($0) < sortedCount } ?? true ? names : names.sorted()
  }

  /// Returns the id of a set of tags, and adds the set if it is new.
  package mutating func id(of tags: [String]) -> ID {
    // This is the fast path, because most files have one tag.
    if tags.count == 1, let rank = ranks[tags[0]] { return id(ofRanks: [rank]) }
    return id(ofRanks: Set(tags.compactMap { ranks[$0] }).sorted())
  }

  /// Returns the id of a set of generated tags.
  ///
  /// If the same tag has several Unicode normalizations, the spelling in a rule is kept. If no rule contains
  /// the tag, the first spelling in byte order is kept. The result does not depend on the order of the
  /// threads.
  mutating func id(ofGenerated generated: [String]) -> ID {
    for tag in generated {
      guard let rank = ranks[tag] else {
        ranks[tag] = Int32(tags.count)
        tags.append(tag)
        continue
      }
      if Int(rank) >= sortedCount, tag.precedesInBytes(tags[Int(rank)]) { tags[Int(rank)] = tag }
    }
    return id(of: generated)
  }

  /// Returns the id of the union of two sets.
  ///
  /// If a set has more tags than a file can have, no tags are added. Otherwise, each rule of a file would
  /// make a new set that is as large as all previous sets together. In such a case, the build fails with the
  /// error `too-many-tags`.
  package mutating func union(_ first: ID, _ second: ID) -> ID {
    if first == second || sets[Int(first)].count > ResourceRule.maxTags { return first }
    return id(ofRanks: Set(sets[Int(first)]).union(sets[Int(second)]).sorted())
  }

  private mutating func id(ofRanks ranks: [Int32]) -> ID {
    if let id = ids[ranks] { return id }
    let id = ID(sets.count)
    sets.append(ranks)
    ids[ranks] = id
    return id
  }
}

/// Tag sets to which several threads add.
package final class SharedTagSets: Sendable {
  /// The set of each rule's own tags, by the rule's index.
  let ofRules: [TagSets.ID]
  private let state: Monitor<State>
  /// The maximum number of tags in all sets.
  ///
  /// Without templates it is unlimited, because the manifest then contains every tag.
  private let maxTags: Int

  /// The maximum number of tags in all sets if there are templates.
  package static let maxTags = 100_000

  /// The state that the threads share.
  private struct State {
    var sets: TagSets
    var generated: [String: GeneratedTag] = [:]
    /// The total number of tags in all sets that were added.
    var count = 0

    /// Adds a set; if the set is new, its tags are added to the count.
    mutating func add(_ make: (inout TagSets) -> TagSets.ID) -> TagSets.ID {
      let known = sets.count
      let id = make(&sets)
      if sets.count > known { count += sets.size(of: id) }
      return id
    }
  }

  init(_ manifest: Manifest, maxTags: Int = SharedTagSets.maxTags) {
    self.maxTags = manifest.hasTemplates ? maxTags : .max
    // If only templates make a tag, the tag keeps its spelling in the manifest's lists.
    var sets = TagSets(of: manifest.tagsOfRules.union(manifest.tagsToGenerate.lazy.map(\.value)))
    var last: (tag: String, id: TagSets.ID)?
    ofRules = manifest.rules.indices.map { index in
      let tags = manifest.rules[index].tags
      // Adjacent rules often have the same tag.
      if let last, tags.count == 1, tags[0].value == last.tag { return last.id }
      let id = sets.id(of: tags.map(\.value))
      last = tags.count == 1 ? (tags[0].value, id) : nil
      return id
    }
    state = Monitor(State(sets: sets))
  }

  var value: (sets: TagSets, generated: [String: GeneratedTag]) { state.change { ($0.sets, $0.generated) } }

  func union(_ first: TagSets.ID, _ second: TagSets.ID) -> TagSets.ID {
    state.change { state in
      state.count > maxTags ? first : state.add { $0.union(first, second) }
    }
  }

  /// Whether there are too many tags.
  ///
  /// If so, no more sets are added.
  var isFull: Bool { state.change { $0.count > maxTags } }

  /// Returns the id of the set of tags that a rule's templates made; nil if there are too many tags.
  func set(of tags: [GeneratedTagName], by rule: RuleMatcher.RuleID) -> TagSets.ID? {
    state.change { state in
      if state.count > maxTags { return nil }
      for tag in tags {
        state.generated[tag.tag, default: GeneratedTag()].add(rule, template: tag.template)
      }
      return state.add { $0.id(ofGenerated: tags.map(\.tag)) }
    }
  }
}

extension Manifest {
  /// The tags of rules.
  ///
  /// If spellings differ, a tag has the spelling in the first rule.
  fileprivate var tagsOfRules: Set<String> {
    var tags: Set<String> = []
    var last: String?
    // Rules are accessed by index, because copying a rule takes longer than reading its tags.
    for index in rules.indices {
      for tag in rules[index].tags where tag.value != last {
        tags.insert(tag.value)
        last = tag.value
      }
    }
    return tags
  }
}

/// The origin of a generated tag.
package struct GeneratedTag: Sendable {
  /// The indices of the rules whose templates generate the tag.
  package private(set) var rules: Set<Int32> = []
  /// The offset of the first of these templates.
  package private(set) var offset = Int.max

  fileprivate mutating func add(_ rule: RuleMatcher.RuleID, template: TagTemplate) {
    rules.insert(rule)
    offset = min(offset, template.text.offset)
  }
}
