/// Whether the packs of the initial install can stand in the order in which the index has them.
///
/// The index does not say in what order a manifest lists its tags, so any order of them counts that makes the
/// packs' order right: all packs of the first tag, then all others of the second and so on, the packs of each by
/// their number of tags and then by identifier.
struct InitialOrderCheck {
  /// The initial install tags of each pack.
  private let tags: [[String]]
  /// For each place how many packs up to it stand behind one that should follow them, within one tag's packs.
  private var descents: [Int] = []
  /// How many packs that are still to come have a tag.
  private var remaining: [String: Int] = [:]
  /// The last place of each tag.
  private var lastPlace: [String: Int] = [:]

  /// Packs in their order, and all initial install tags.
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

  /// The place of the first pack that no order of tags brings to where it stands; nil where there is none.
  mutating func firstMisplaced() -> Int? {
    var place = 0
    while place < tags.count {
      // The fewest packs: what more another tag would take, it can take in its turn.
      let lengths = tags[place].compactMap { length(of: $0, from: place) }
      guard let length = lengths.min() else { return place }
      for passed in place..<place + length {
        for tag in tags[passed] { remaining[tag, default: 0] -= 1 }
      }
      place += length
    }
    return nil
  }

  /// How many packs stand from a place on that are all that is left of a tag, in their order; nil for any others.
  private func length(of tag: String, from place: Int) -> Int? {
    guard let count = remaining[tag], let last = lastPlace[tag], last - place + 1 == count,
      descents[last] == descents[place]
    else { return nil }
    return count
  }
}
