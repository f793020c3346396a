/// Checks whether one list of tags can explain the priorities of prefetched packs.
struct PriorityCheck {
  private let packs: [PublishedIndex.Pack]
  private let prefetchTags: Set<String>
  /// The largest possible priority of each tag, which is the smallest of its packs.
  private var most: [String: Double] = [:]

  /// The number of other tags in the list at most: tags of the initial install, and repeated ones.
  private let mostOtherTags: Int

  /// Repeated tags are few, since each causes a warning.
  private static let mostRepeated = 16

  /// A check of prefetched packs, with the tags of the prefetch order and the number of initial install tags.
  init(_ packs: [PublishedIndex.Pack], prefetchTags: Set<String>, initialTagCount: Int) {
    self.packs = packs
    mostOtherTags = initialTagCount + Self.mostRepeated
    self.prefetchTags = prefetchTags
    for pack in packs {
      for tag in pack.tags where prefetchTags.contains(tag) {
        most[tag] = min(most[tag] ?? .infinity, pack.priority ?? 0)
      }
    }
  }

  /// The indices of packs whose priority none of their tags can have.
  var misfits: [Int] {
    packs.indices.filter { place in
      let tags = packs[place].tags.filter(prefetchTags.contains)
      return tags.compactMap { most[$0] }.max() != packs[place].priority
    }
  }

  /// Whether any length of the list explains all priorities as positions in it.
  var haveCommonList: Bool {
    let priorities = Set(packs.compactMap(\.priority))
    if priorities.isEmpty { return true }
    return (max(prefetchTags.count, 1)...prefetchTags.count + mostOtherTags).contains { length in
      priorities.allSatisfy { Self.isPriority($0, inListOf: length) }
    }
  }

  private static func isPriority(_ priority: Double, inListOf length: Int) -> Bool {
    if length == 1 { return priority == 0.5 }
    guard priority >= 0, priority <= 1 else { return false }
    let last = Double(length - 1)
    let place = ((priority - 0.05) / 0.9 * last).rounded()
    return place >= 0 && place <= last && place / last * 0.9 + 0.05 == priority
  }
}
