/// Tag sets by number: each set of tags is kept once, however many files have it.
package struct TagSets: Sendable {
  /// The number of a tag set.
  package typealias ID = Int32

  /// Every tag, sorted as Swift strings: the order of Xcode's identifiers.
  private let tags: [String]
  private let ranks: [String: Int32]
  /// The ranks of each set's tags, ascending.
  private var sets: [[Int32]] = []
  private var ids: [[Int32]: ID] = [:]

  /// Room for sets of these tags; of two spellings that Swift holds equal the first one counts.
  package init(of tags: some Sequence<String>) {
    var first: Set<String> = []
    for tag in tags { first.insert(tag) }
    self.tags = first.sorted()
    ranks = Dictionary(uniqueKeysWithValues: zip(self.tags, Int32(0)...))
  }

  /// How many sets there are.
  package var count: Int { sets.count }

  /// The tags of a set, sorted.
  package func tags(of id: ID) -> [String] { sets[Int(id)].map { tags[Int($0)] } }

  /// The set of some of the tags.
  package mutating func id(of tags: [String]) -> ID {
    id(ofRanks: Set(tags.compactMap { ranks[$0] }).sorted())
  }

  /// The set of all tags of two sets.
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

/// Two ascending lists as one, each number once.
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
