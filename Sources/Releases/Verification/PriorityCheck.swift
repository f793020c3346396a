/// Whether the priorities of prefetched packs can come from one list of tags.
struct PriorityCheck {
  private let packs: [PublishedIndex.Pack]
  private let prefetchTags: Set<String>
  /// The largest priority that a tag can have: that of the least of its packs.
  private var most: [String: Double] = [:]

  /// Tags that the list may have besides: those of the initial install too, or one a second time.
  private let mostOtherTags: Int

  /// A manifest is warned of each tag that it lists twice, so there are few.
  private static let mostRepeated = 16

  /// Packs that are prefetched, the tags of the prefetch order, and how many there are of the initial install.
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

  /// The packs, by their place among those given, whose priority none of their tags can have.
  var misfits: [Int] {
    packs.indices.filter { place in
      let tags = packs[place].tags.filter(prefetchTags.contains)
      return tags.compactMap { most[$0] }.max() != packs[place].priority
    }
  }

  /// Whether there is a length of the list that makes places in it of all priorities.
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
