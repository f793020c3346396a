import Archiving

extension Index {
  /// The version of index.json and of the contents that this packtool writes.
  package static let formatVersion = 1

  /// The members of index.json.
  package var members: [String: JSONText] {
    var members: [String: JSONText] = [
      "formatVersion": .integer(Self.formatVersion),
      "bundleIdentifier": .string(plan.manifest.bundleIdentifier),
      "limits": .string(plan.manifest.limits.profile.name),
      "tags": .object(Dictionary(uniqueKeysWithValues: plan.tags.map { ($0.tag, json(of: $0)) })),
      "packs": .array(plan.packs.indices.map(jsonOfPack)),
      "untagged": .object([
        "fileCount": .integer(plan.tree.untagged.files), "size": .integer(plan.tree.untagged.size),
      ]),
    ]
    for delivery in Delivery.allCases {
      members[delivery.rawValue] = .object([
        "packs": identifiers(plan.order(of: delivery)), "size": .integer(plan.count(of: delivery).size),
      ])
    }
    if let contents { members["contents"] = contents.json }
    return members
  }

  private func identifiers(_ packs: [Int]) -> JSONText {
    .strings(packs.map { plan.packs[$0].identity.identifier })
  }

  private func json(of tag: PackPlan.TagSummary) -> JSONText {
    .object([
      "delivery": .string(tag.delivery.rawValue), "packs": identifiers(tag.packs), "size": .integer(tag.size),
    ])
  }

  private func jsonOfPack(_ number: Int) -> JSONText {
    let pack = plan.packs[number]
    var members: [String: JSONText] = [
      "id": .string(pack.identity.identifier),
      "name": .string(pack.identity.name),
      "tags": .strings(pack.tags),
      "delivery": .string(pack.delivery.rawValue),
      "fileCount": .integer(pack.files.count),
      "size": .integer(pack.size),
    ]
    members["priority"] = pack.priority.map(JSONText.real)
    if let published = packs?[number] {
      members["digest"] = .string(published.digest.prefixed)
      members["archive"] = published.archive.json
    }
    return .object(members)
  }
}

extension PublishedFile {
  fileprivate var json: JSONText {
    .object([
      "path": .string(path), "size": .integer(file.size), "digest": .string(file.digest.prefixed),
    ])
  }
}
