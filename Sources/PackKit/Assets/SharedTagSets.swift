import Formats
import System

/// Tag sets that several threads add to.
package final class SharedTagSets: Sendable {
  /// The set of each rule's own tags, by the rule's index.
  let ofRules: [TagSets.ID]
  private let state: Monitor<State>
  /// The most tags of all sets; no bound without templates, where the manifest has written each.
  private let most: Int

  /// The most tags of all sets where templates make some.
  package static let most = 100_000

  /// The state that threads change together.
  private struct State {
    var sets: TagSets
    var made: [String: MadeTag] = [:]
    /// How many tags the sets have that were made since.
    var count = 0

    /// Adds a set, and its tags to the count if no thread had it before.
    mutating func add(_ make: (inout TagSets) -> TagSets.ID) -> TagSets.ID {
      let known = sets.count
      let id = make(&sets)
      if sets.count > known { count += sets.size(of: id) }
      return id
    }
  }

  init(_ manifest: Manifest, most: Int = SharedTagSets.most) {
    self.most = manifest.hasTemplates ? most : .max
    // A tag that only a template makes is written as the lists have it.
    var sets = TagSets(of: manifest.tagsOfRules.union(manifest.tagsToBeMade.lazy.map(\.value)))
    var last: (tag: String, id: TagSets.ID)?
    ofRules = manifest.rules.indices.map { index in
      let tags = manifest.rules[index].tags
      // Rules beside one another mostly have the same tag.
      if let last, tags.count == 1, tags[0].value == last.tag { return last.id }
      let id = sets.id(of: tags.map(\.value))
      last = tags.count == 1 ? (tags[0].value, id) : nil
      return id
    }
    state = Monitor(State(sets: sets))
  }

  /// All sets, and the tags that templates made.
  var value: (sets: TagSets, made: [String: MadeTag]) { state.change { ($0.sets, $0.made) } }

  /// The union of two sets.
  func union(_ first: TagSets.ID, _ second: TagSets.ID) -> TagSets.ID {
    state.change { state in
      state.count > most ? first : state.add { $0.union(first, second) }
    }
  }

  /// Whether the sets have too many tags, so that the rest was left out.
  var isFull: Bool { state.change { $0.count > most } }

  /// The set of tags that a rule's templates made; nil where those are too many.
  func set(of tags: [RuleTemplates.Filled], by rule: RuleIndex.RuleID) -> TagSets.ID? {
    state.change { state in
      if state.count > most { return nil }
      for tag in tags {
        state.made[tag.tag, default: MadeTag()].add(rule, tag.template)
      }
      return state.add { $0.id(ofMade: tags.map(\.tag)) }
    }
  }
}

extension Manifest {
  /// The tags that rules have, each as the first rule spells it.
  fileprivate var tagsOfRules: Set<String> {
    var tags: Set<String> = []
    var last: String?
    // By index, since a copy of a rule takes longer than its tags.
    for index in rules.indices {
      for tag in rules[index].tags where tag.value != last {
        tags.insert(tag.value)
        last = tag.value
      }
    }
    return tags
  }
}

/// The origin of a tag that templates made.
package struct MadeTag: Sendable {
  /// The indices of the rules whose templates make it.
  package private(set) var rules: Set<Int32> = []
  /// The offset of the first of these templates.
  package private(set) var offset = Int.max

  fileprivate mutating func add(_ rule: RuleIndex.RuleID, _ template: TagTemplate) {
    rules.insert(rule)
    offset = min(offset, template.text.offset)
  }
}
