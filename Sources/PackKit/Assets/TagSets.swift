import Findings

/// Interned tag sets: each distinct set is stored once and has an id.
package struct TagSets: Sendable {
  /// The id of a tag set, which is its index.
  package typealias ID = Int32

  /// All tags: those that rules have, sorted as Swift strings, which is the order in Xcode's identifiers; then made ones.
  private var tags: [String]
  private var ranks: [String: Int32]
  /// The number of tags that are in order.
  private let sortedCount: Int
  /// The ranks of each set's tags, ascending.
  private var sets: [[Int32]] = []
  private var ids: [[Int32]: ID] = [:]
  /// The ids of sets of one tag, by its rank.
  private var single: [ID?]

  /// Interns sets of these tags; of two Unicode spellings the first is kept.
  package init(of tags: some Sequence<String>) {
    var first: Set<String> = []
    for tag in tags { first.insert(tag) }
    self.tags = first.sorted()
    ranks = Dictionary(uniqueKeysWithValues: zip(self.tags, Int32(0)...))
    sortedCount = self.tags.count
    single = Array(repeating: nil, count: self.tags.count)
  }

  /// The number of sets.
  package var count: Int { sets.count }

  /// The number of a set's tags.
  func size(of id: ID) -> Int { sets[Int(id)].count }

  /// The tags of a set, sorted.
  package func tags(of id: ID) -> [String] {
    let ranks = sets[Int(id)]
    let names = ranks.map { tags[Int($0)] }
    return ranks.last.map { Int($0) < sortedCount } ?? true ? names : names.sorted()
  }

  /// The id of a set of tags.
  package mutating func id(of tags: [String]) -> ID {
    // Most files have one tag.
    if tags.count == 1, let rank = ranks[tags[0]] {
      if let known = single[Int(rank)] { return known }
      let id = id(ofRanks: [rank])
      single[Int(rank)] = id
      return id
    }
    return id(ofRanks: Set(tags.compactMap { ranks[$0] }).sorted())
  }

  /// The id of a set of tags that a template made, some of which may be new.
  ///
  /// Of two Unicode spellings that of a rule is kept, or else the first in byte order, whichever thread comes first.
  mutating func id(ofMade made: [String]) -> ID {
    for tag in made {
      guard let rank = ranks[tag] else {
        ranks[tag] = Int32(tags.count)
        tags.append(tag)
        single.append(nil)
        continue
      }
      if Int(rank) >= sortedCount, tag.precedesInBytes(tags[Int(rank)]) { tags[Int(rank)] = tag }
    }
    return id(of: made)
  }

  /// The union of two sets.
  package mutating func union(_ first: ID, _ second: ID) -> ID {
    if first == second { return first }
    return id(ofRanks: merged(sets[Int(first)], sets[Int(second)]))
  }

  private mutating func id(ofRanks ranks: [Int32]) -> ID {
    if let id = ids[ranks] { return id }
    let id = ID(sets.count)
    sets.append(ranks)
    ids[ranks] = id
    return id
  }
}

/// Merges two ascending lists without repetition.
private func merged(_ first: [Int32], _ second: [Int32]) -> [Int32] {
  var result: [Int32] = []
  result.reserveCapacity(first.count + second.count)
  var rest = second[...]
  for number in first {
    while let next = rest.first, next < number { result.append(rest.removeFirst()) }
    if rest.first == number { rest.removeFirst() }
    result.append(number)
  }
  return result + rest
}
