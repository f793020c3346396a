import Findings
import Formats

/// Checks of tags and of the packs that they lead to.
extension PackCheck {
  static let tags: [PackCheck] = [identifierCollisions]
  /// What is concluded from a plan, which waits until all rules are right: a dropped rule makes other packs.
  static let conclusions: [PackCheck] = [redundantTags, similarTags, everythingInitial, draggedIn]

  static let identifierCollisions = PackCheck(.identifierCollision) { input in
    // Packs are sorted by identifier, so equal identifiers are adjacent.
    zip(input.release.packs, input.release.packs.dropFirst()).compactMap { first, second in
      guard first.id == second.id else { return nil }
      return Diagnostic(
        .identifierCollision,
        "the tag sets \(setNotation(first.tags)) and \(setNotation(second.tags)) make one identifier, "
          + "\(quoted(first.id)); take the \":\" out of the tag",
        at: input.places.place(ofTags: (first.tags + second.tags).filter { $0.contains(":") }))
    }
  }

  static let redundantTags = PackCheck(.redundantTag) { input in
    let groups = Dictionary(grouping: input.release.tags, by: \.packs).values.filter { $0.count > 1 }
    return groups.map { group in
      let names = group.map(\.name)
      return Diagnostic(
        .redundantTag,
        "the tags \(listed(names, atMost: 4)) occur only together, in \(counted(group[0].packs.count, "pack")); one of them "
          + "would do",
        at: input.places.place(ofTags: names))
    }
  }

  static let similarTags = PackCheck(.similarTag) { input in
    // With a list of all tags, each is meant.
    input.places.hasTagList ? [] : SimilarTags(input).findings
  }

  static let everythingInitial = PackCheck(.everythingInitial) { input in
    let packs = input.release.packs
    guard packs.count > 1, packs.allSatisfy({ $0.delivery == .initialInstall }) else { return [] }
    let offset = input.places.lists[.initialInstall]?.first?.offset ?? 0
    return [
      Diagnostic(
        .everythingInitial,
        "\(packs.count == 2 ? "both" : "all \(grouped(packs.count))") packs are in the initial install; nothing is left "
          + "to download on demand",
        at: input.places.text.place(at: offset))
    ]
  }
}
