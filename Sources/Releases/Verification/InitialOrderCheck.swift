/// Checks whether the order of the packs of the initial install is possible.
///
/// The index does not contain the order of the manifest's tags, so any order of tags counts that leads to the
/// packs' order: all packs of the first tag, then the remaining ones of the second and so on, the packs of each
/// tag by their number of tags and then by identifier.
struct InitialOrderCheck {
  /// The initial install tags of each pack.
  private let tags: [[String]]
  /// For each index, the number of packs up to it that follow a pack they should precede within one tag.
  private var descents: [Int] = []
  /// The number of remaining packs of each tag.
  private var remaining: [String: Int] = [:]
  /// The last index of each tag.
  private var lastPlace: [String: Int] = [:]

  /// A check of packs in their order, with all initial install tags.
  init(_ packs: [PublishedIndex.Pack], initialTags: Set<String>) {
    tags = packs.map { $0.tags.filter(initialTags.contains) }
    for (place, pack) in packs.enumerated() {
      let before = place == 0 ? nil : packs[place - 1]
      let isDescent = before.map { (pack.tags.count, pack.id) < ($0.tags.count, $0.id) } ?? false
      descents.append((descents.last ?? 0) + (isDescent ? 1 : 0))
      for tag in tags[place] {
        remaining[tag, default: 0] += 1
        lastPlace[tag] = place
      }
    }
  }

  /// The index of the first pack whose position no order of tags explains; nil if there is none.
  mutating func firstMisplaced() -> Int? {
    var place = 0
    while place < tags.count {
      // The tag with the fewest packs is taken: another tag can take its remaining packs later.
      let lengths = tags[place].compactMap { length(of: $0, from: place) }
      guard let length = lengths.min() else { return place }
      for passed in place..<place + length {
        for tag in tags[passed] { remaining[tag, default: 0] -= 1 }
      }
      place += length
    }
    return nil
  }

  /// The number of packs from an index on that are all remaining ones of a tag in order; nil if they are not.
  private func length(of tag: String, from place: Int) -> Int? {
    guard let count = remaining[tag], let last = lastPlace[tag], last - place + 1 == count,
      descents[last] == descents[place]
    else { return nil }
    return count
  }
}
