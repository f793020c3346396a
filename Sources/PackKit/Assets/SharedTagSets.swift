import Formats
import System

/// Tag sets that several threads add to.
final class SharedTagSets: Sendable {
  /// The set of each rule's own tags, by the rule's index.
  let ofRules: [TagSets.ID]
  private let sets: Monitor<TagSets>

  init(_ manifest: Manifest) {
    var sets = TagSets(of: manifest.rules.lazy.flatMap { $0.tags.lazy.map(\.value) })
    ofRules = manifest.rules.map { sets.id(of: $0.tags.map(\.value)) }
    self.sets = Monitor(sets)
  }

  var value: TagSets { sets.change { $0 } }

  /// The union of two sets.
  func union(_ first: TagSets.ID, _ second: TagSets.ID) -> TagSets.ID {
    sets.change { $0.union(first, second) }
  }
}
