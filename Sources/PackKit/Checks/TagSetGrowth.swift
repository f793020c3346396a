/// How tags multiply to packs: which of them make most tag sets, and what without them would be left.
struct TagSetGrowth {
  private let tagSets: [[String]]
  /// In how many tag sets a tag is, the most frequent first.
  private let frequencies: [(tag: String, sets: Int)]

  /// Tags of which each pair is tried as one.
  private static let mostMerged = 12

  init(of packs: [AssetPack]) {
    tagSets = packs.map(\.tags)
    var counts: [String: Int] = [:]
    for tags in tagSets { for tag in tags { counts[tag, default: 0] += 1 } }
    frequencies = counts.map { ($0.key, $0.value) }.sorted { ($1.1, $0.0) < ($0.1, $1.0) }
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

  /// The tag without which fewest packs are left.
  private var bestDropped: (tag: String, packs: Int)? {
    let all = Set(tagSets)
    let results = frequencies.prefix(200).map { candidate in
      var left = all
      for tags in tagSets where tags.contains(candidate.tag) {
        left.remove(tags)
      }
      for tags in tagSets where tags.contains(candidate.tag) && tags.count > 1 {
        left.insert(tags.filter { $0 != candidate.tag })
      }
      return (tag: candidate.tag, packs: left.count)
    }
    return results.min { ($0.packs, $0.tag) < ($1.packs, $1.tag) }
  }

  /// The two tags that leave fewest packs where they are one.
  private var bestMerged: (first: String, second: String, packs: Int)? {
    let tags = frequencies.prefix(Self.mostMerged).map(\.tag)
    var best: (first: String, second: String, packs: Int)?
    for (index, first) in tags.enumerated() {
      for second in tags[(index + 1)...] {
        let merged = Set(tagSets.map { tags in Set(tags.map { $0 == second ? first : $0 }) })
        if merged.count < best?.packs ?? tagSets.count { best = (first, second, merged.count) }
      }
    }
    return best
  }
}
