import Formats
import PackKit

extension Findings {
  /// What programs read in place of a plan that errors leave no room for.
  var planRefusal: [String: JSONText] {
    members.merging(["formatVersion": .integer(IndexFormat.version)]) { old, _ in old }
  }
}

extension PlanReport {
  /// The plan for programs: the index without the values that need a build, and all findings.
  var json: JSONText {
    var members = Self.members(of: release).merging(findings.planRefusal) { _, new in new }
    for dragged in release.draggedIn {
      guard case .object(var download) = members[dragged.delivery.rawValue] else { continue }
      download["draggedIn"] = Self.json(of: dragged, in: release)
      members[dragged.delivery.rawValue] = .object(download)
    }
    members["merge"] = merge?.plan.json(of: release)
    if let untagged, case .object(var count) = members["untagged"] {
      count["folders"] = .array(UntaggedFolder.all(of: untagged).map(Self.json))
      count["files"] = .array(untagged.map(\.json))
      members["untagged"] = .object(count)
    }
    members["devices"] = slices.map { .array($0.devices.map { Self.json(of: $0.device, $0.slice) }) }
    return .object(members)
  }

  private static func json(of device: DeviceClass, _ slice: Release) -> JSONText {
    // What has no files is no pack of the slice.
    let packs = slice.packs.filter { $0.fileCount > 0 }.map { ($0.id, JSONText.integer($0.size)) }
    var members: [String: JSONText] = [
      "name": .string(device.name), "products": .strings(device.products),
      "packs": .object(Dictionary(packs) { first, _ in first }),
    ]
    for delivery in Delivery.allCases {
      members[delivery.rawValue] = .object(["size": .integer(slice.count(of: delivery).size)])
    }
    return .object(members)
  }

  private static func json(of dragged: DraggedIn, in release: Release) -> JSONText {
    .object([
      "packs": .strings(dragged.packs.map { release.packs[$0].id }), "size": .integer(dragged.size),
      "tags": .object(Dictionary(uniqueKeysWithValues: dragged.unlisted.map { ($0.tag, .integer($0.size)) })),
      "savings": .object(
        Dictionary(uniqueKeysWithValues: dragged.listed.map { ($0.tag, .integer($0.saving)) })),
    ])
  }

  /// The members of the index, with the packed sizes that are known in place of what only a build has.
  private static func members(of release: Release) -> [String: JSONText] {
    var members = IndexFormat.members(of: release)
    members["contents"] = nil
    if case .array(let packs) = members["packs"] {
      members["packs"] = .array(zip(packs, release.packs).map { $0.planned(packed: $1.packedSize) })
    }
    for delivery in Delivery.allCases {
      members[delivery.rawValue] = members[delivery.rawValue]?.planned(
        packed: release.packedSize(of: delivery), isAny: release.hasPackedSizes)
    }
    if case .object(let tags) = members["tags"] {
      let sizes = Dictionary(
        release.tags.map { ($0.name, release.packedSize(of: $0.packs)) }
      ) { first, _ in first }
      members["tags"] = .object(
        Dictionary(uniqueKeysWithValues: tags.map { ($0, $1.planned(packed: sizes[$0] ?? nil)) }))
    }
    return members
  }

  private static func json(of folder: UntaggedFolder) -> JSONText {
    .object([
      "path": .string(folder.path), "fileCount": .integer(folder.files.count), "size": .integer(folder.size),
    ])
  }
}

extension JSONText {
  /// An object without what only a build has, with a packed size where that is known.
  fileprivate func planned(packed: Int64?, isAny: Bool = true) -> JSONText {
    guard case .object(var members) = self else { return self }
    members["archive"] = nil
    members["digest"] = nil
    if isAny { members["packed"] = packed.map(JSONText.integer) }
    return .object(members)
  }
}

extension UntaggedFile {
  var json: JSONText { .object(["path": .string(path), "size": .integer(size)]) }
}

extension MergePlan {
  fileprivate func json(of release: Release) -> JSONText {
    // A pack by its tags with "+" between, as "merge" in a manifest names it.
    func names(_ packs: [Int]) -> JSONText {
      .strings(packs.map { release.packs[$0].tags.joined(separator: "+") })
    }
    return .object([
      "packs": .integer(steps.last?.packCount ?? release.packs.count),
      "steps": .array(
        steps.map { step in
          .object([
            "joined": .array(step.packs.map(names)), "tags": .strings(step.tags),
            "packs": .integer(step.packCount), "forNothing": .integer(step.size),
            "requests": .array(step.requests.map { Self.json(of: $0.request, $0.size) }),
          ])
        }),
      "groups": .array(groups.map(names)),
    ])
  }

  private static func json(of request: Request, _ size: Int64) -> JSONText {
    switch request {
    case .tag(let tag): .object(["tag": .string(tag), "forNothing": .integer(size)])
    case .initialInstall: .object(["delivery": .string("initialInstall"), "forNothing": .integer(size)])
    case .prefetch: .object(["delivery": .string("prefetch"), "forNothing": .integer(size)])
    }
  }
}
