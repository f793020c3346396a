/// Checks of tags and what they make of packs.
extension PlanCheck {
  static let tags: [PlanCheck] = [identifierCollisions, tooManyTags, redundantTags, everythingInitial]

  static let identifierCollisions = PlanCheck { input in
    // Packs are sorted by identifier, so those with the same one stand together.
    zip(input.plan.packs, input.plan.packs.dropFirst()).compactMap { first, second in
      guard first.identity.identifier == second.identity.identifier else { return nil }
      return Diagnostic(
        .identifierCollision,
        "the tag sets \(setNotation(first.tags)) and \(setNotation(second.tags)) make one identifier, "
          + "\(quoted(first.identity.identifier)); take the \":\" out of the tag",
        at: input.plan.place(ofTags: (first.tags + second.tags).filter { $0.contains(":") }))
    }
  }

  static let tooManyTags = PlanCheck { input in
    input.plan.packs.compactMap { pack in
      guard pack.tags.count > ResourceRule.mostTags, let number = pack.files.first else { return nil }
      let file = input.plan.tree.files[number]
      return Diagnostic(
        .tooManyTags,
        "the file \(quoted(file.path)) has \(grouped(pack.tags.count)) tags; a file has at most "
          + grouped(ResourceRule.mostTags),
        at: input.plan.place(of: file))
    }
  }

  static let redundantTags = PlanCheck { input in
    let groups = Dictionary(grouping: input.plan.tags, by: \.packs).values.filter { $0.count > 1 }
    return groups.map { group in
      let names = group.map(\.tag)
      return Diagnostic(
        .redundantTag,
        "the tags \(listed(names, atMost: 4)) occur only together, in \(counted(group[0].packs.count, "pack")); one of them "
          + "would do",
        at: input.plan.place(ofTags: names))
    }
  }

  static let everythingInitial = PlanCheck { input in
    let packs = input.plan.packs
    guard packs.count > 1, packs.allSatisfy({ $0.delivery == .initialInstall }) else { return [] }
    let offset = input.plan.manifest.initialInstallTags.first?.offset ?? 0
    return [
      Diagnostic(
        .everythingInitial,
        "all \(grouped(packs.count)) packs are in the initial install; nothing is left to download on demand",
        at: input.plan.manifest.text.place(at: offset))
    ]
  }
}
