/// A check of a whole plan.
package struct PlanCheck: Sendable {
  /// All that the check finds in a plan.
  let find: @Sendable (PackPlan) -> [Diagnostic]

  /// Every check of a plan.
  package static let all: [PlanCheck] = [identifierCollisions, pathClashes]

  static let identifierCollisions = PlanCheck { plan in
    zip(plan.packs, plan.packs.dropFirst()).compactMap { first, second in
      guard first.identity.identifier == second.identity.identifier else { return nil }
      return Diagnostic(
        .identifierCollision,
        "the tag sets \(setNotation(first.tags)) and \(setNotation(second.tags)) make one identifier, "
          + "\(quoted(first.identity.identifier)); take the \":\" out of the tag",
        at: plan.place(ofTags: second.tags.filter { $0.contains(":") } + second.tags))
    }
  }

  static let pathClashes = PlanCheck { plan in
    plan.packs.flatMap { pack in
      zip(pack.files, pack.files.dropFirst()).compactMap { first, second in
        let files = (plan.tree.files[first], plan.tree.files[second])
        guard files.0.packPath == files.1.packPath else { return nil }
        return Diagnostic(
          .pathClash,
          "the files \(quoted(files.0.path)) and \(quoted(files.1.path)) both land at "
            + "\(quoted(files.0.packPath)) in the pack of \(setNotation(pack.tags))",
          at: plan.place(of: files.1))
      }
    }
  }
}

extension PackPlan {
  /// Where the manifest first gives one of these tags.
  func place(ofTags tags: [String]) -> Place {
    for tag in tags {
      for rule in manifest.rules {
        if let found = rule.tags.first(where: { $0.value == tag }) {
          return manifest.text.place(at: found.offset)
        }
      }
    }
    return manifest.text.place(at: manifest.rulesOffset)
  }

  /// The place of a file, as the user would type it.
  func place(of file: AssetFile) -> Place { Place(joined(manifest.rootPath, file.path)) }
}
