import Findings

/// How tags multiply packs: which tags cause most tag sets, and how many packs are left without them.
struct TagSetGrowth {
  private let tagSets: [[String]]
  private let all: Set<[String]>
  /// The indices of each tag's sets.
  private let withTag: [String: [Int]]
  /// The number of tag sets of each tag, the most frequent first.
  private let frequencies: [(tag: String, sets: Int)]

  /// The number of tags that are tentatively removed.
  private static let mostDropped = 200
  /// The number of tags whose pairs are tentatively merged.
  private static let mostMerged = 12

  init(of tagSets: [[String]]) {
    self.tagSets = tagSets
    all = Set(tagSets)
    var withTag: [String: [Int]] = [:]
    for (number, tags) in tagSets.enumerated() {
      for tag in tags { withTag[tag, default: []].append(number) }
    }
    self.withTag = withTag
    frequencies = withTag.map { ($0.key, $0.value.count) }.sorted { ($1.1, $0.0) < ($0.1, $1.0) }
  }

  var notes: [Diagnostic.Note] {
    let most = frequencies.prefix(3).map { "\(quoted($0.tag)) in \(grouped($0.sets))" }
    var notes = [Diagnostic.Note("the tags in most tag sets: \(most.joined(separator: ", "))")]
    if let best = bestDropped {
      notes.append(.init("without the tag \(quoted(best.tag)) there would be \(counted(best.packs, "pack"))"))
    }
    if let best = bestMerged {
      notes.append(
        .init(
          "with \(quoted(best.first)) and \(quoted(best.second)) as one tag there would be "
            + counted(best.packs, "pack")))
    }
    return notes
  }

  /// The tag whose removal leaves the fewest packs.
  private var bestDropped: (tag: String, packs: Int)? {
    let results = frequencies.prefix(Self.mostDropped).map { candidate in
      let packs = packs(without: candidate.tag) { $0.count == 1 ? nil : $0.filter { $0 != candidate.tag } }
      return (tag: candidate.tag, packs: packs)
    }
    return results.min { ($0.packs, $0.tag) < ($1.packs, $1.tag) }
  }

  /// The two tags whose merging leaves the fewest packs.
  private var bestMerged: (first: String, second: String, packs: Int)? {
    let tags = frequencies.prefix(Self.mostMerged).map(\.tag)
    var best: (first: String, second: String, packs: Int)?
    for (index, first) in tags.enumerated() {
      for second in tags[(index + 1)...] {
        let merged = packs(without: second) { tags in Set(tags.map { $0 == second ? first : $0 }).sorted() }
        if merged < best?.packs ?? tagSets.count { best = (first, second, merged) }
      }
    }
    return best
  }

  /// The number of packs if `change` maps each tag set with a tag to another one, or to none.
  private func packs(without tag: String, _ change: ([String]) -> [String]?) -> Int {
    let changed = withTag[tag] ?? []
    // A changed set no longer has the tag, so it can only coincide with sets that never had it.
    let new = Set(changed.compactMap { change(tagSets[$0]) }.filter { !all.contains($0) })
    return tagSets.count - changed.count + new.count
  }
}
