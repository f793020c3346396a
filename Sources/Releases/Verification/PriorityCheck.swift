import Published

/// The prefetched packs whose priority none of their tags can have: that of a tag is the smallest of its packs at most.
func misfits(
  among packs: [PublishedIndex.Pack], prefetchTags: Set<String>
) -> [PublishedIndex.Pack] {
  var most: [String: Double] = [:]
  for pack in packs {
    for tag in pack.tags where prefetchTags.contains(tag) {
      most[tag] = min(most[tag] ?? .infinity, pack.priority ?? 0)
    }
  }
  return packs.filter { pack in pack.tags.compactMap { most[$0] }.max() != pack.priority }
}

/// Whether any length of a list of tags explains the priorities of all prefetched packs as positions in it.
///
/// Besides the tags of the prefetch order, the list may have those of the initial install, and repeated ones.
func haveCommonList(_ packs: [PublishedIndex.Pack], tagCount: Int, otherTagCount: Int) -> Bool {
  // Repeated tags are few, since each causes a warning.
  let mostRepeated = 16
  let priorities = Set(packs.compactMap(\.priority))
  if priorities.isEmpty { return true }
  return (max(tagCount, 1)...tagCount + otherTagCount + mostRepeated).contains { length in
    priorities.allSatisfy { isPriority($0, inListOf: length) }
  }
}

private func isPriority(_ priority: Double, inListOf length: Int) -> Bool {
  if length == 1 { return priority == 0.5 }
  guard priority >= 0, priority <= 1 else { return false }
  let last = Double(length - 1)
  let place = ((priority - 0.05) / 0.9 * last).rounded()
  return place >= 0 && place <= last && place / last * 0.9 + 0.05 == priority
}

/// The index of the first pack of the initial install whose position no order of tags explains; nil if there is none.
///
/// The index does not contain the order of the manifest's tags, so any order of tags counts that leads to the
/// packs' order: all packs of the first tag, then the remaining ones of the second and so on, the packs of each
/// tag by their number of tags and then by identifier.
func firstMisplaced(_ packs: [PublishedIndex.Pack], initialTags: Set<String>) -> Int? {
  let tags = packs.map { $0.tags.filter(initialTags.contains) }
  // For each index, the number of packs up to it that follow a pack they should precede within one tag.
  var descents: [Int] = []
  var remaining: [String: Int] = [:]
  var lastPlace: [String: Int] = [:]
  for (place, pack) in packs.enumerated() {
    let before = place == 0 ? nil : packs[place - 1]
    let isDescent = before.map { (pack.tags.count, pack.id) < ($0.tags.count, $0.id) } ?? false
    descents.append((descents.last ?? 0) + (isDescent ? 1 : 0))
    for tag in tags[place] {
      remaining[tag, default: 0] += 1
      lastPlace[tag] = place
    }
  }
  /// The number of packs from an index on that are all remaining ones of a tag in order; nil if they are not.
  func length(of tag: String, from place: Int) -> Int? {
    guard let count = remaining[tag], let last = lastPlace[tag], last - place + 1 == count,
      descents[last] == descents[place]
    else { return nil }
    return count
  }
  var place = 0
  while place < tags.count {
    // The tag with the fewest packs is taken: another tag can take its remaining packs later.
    guard let length = tags[place].compactMap({ length(of: $0, from: place) }).min() else { return place }
    for tag in tags[place..<place + length].joined() { remaining[tag, default: 0] -= 1 }
    place += length
  }
  return nil
}
