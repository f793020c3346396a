import Findings
import Formats
import PackKit

/// What `explain` says of something in a plan, for programs.
enum SubjectJSON {
  /// All that a word names in a plan, as one document.
  static func document(of subjects: [SubjectFacts]) -> JSONText {
    .object([
      "formatVersion": .integer(1), "subjects": .array(subjects.map { .object(members(of: $0)) }),
    ])
  }

  private static func members(of subject: SubjectFacts) -> [String: JSONText] {
    switch subject {
    case .file(let file): members(of: file)
    case .untaggedFile(let file): members(of: file)
    case .folder(let folder): members(of: folder)
    case .tag(let tag): members(of: tag)
    case .pack(let pack, let files): members(of: pack, files)
    }
  }

  private static func members(of file: FileFacts) -> [String: JSONText] {
    var members: [String: JSONText] = [
      "kind": .string("file"), "path": .string(file.path), "packPath": .string(file.packPath),
      "size": .integer(file.size), "tags": .strings(file.tags), "rules": .array(file.rules.map(json)),
    ]
    members["pack"] = file.pack.map(json)
    members["packed"] = file.packedSize.map(JSONText.integer)
    members["variant"] = file.variant.map(json)
    return members
  }

  private static func members(of file: UntaggedFileFacts) -> [String: JSONText] {
    var members: [String: JSONText] = [
      "kind": .string("file"), "path": .string(file.path), "tags": .array([]),
    ]
    if !file.isResource { members["isResource"] = .bool(false) }
    if let exclusion = file.exclusion {
      members["excludedBy"] = .string(exclusion)
    } else {
      members["nearRules"] = .array(
        file.nearRules.map { rule, reason in
          var members = self.members(of: rule)
          members["reason"] = .string(reason)
          return .object(members)
        })
    }
    return members
  }

  private static func members(of folder: FolderFacts) -> [String: JSONText] {
    var members: [String: JSONText] = [
      "kind": .string("folder"), "path": .string(folder.path), "fileCount": .integer(folder.fileCount),
      "size": .integer(folder.size), "packs": .array(folder.shares.map(json)),
      "rules": .array(folder.rules.map(json)), "untagged": .array(folder.untagged.map(\.json)),
    ]
    members["excludedBy"] = folder.exclusion.map(JSONText.string)
    return members
  }

  private static func members(of tag: TagFacts) -> [String: JSONText] {
    var members: [String: JSONText] = [
      "kind": .string("tag"), "tag": .string(tag.tag), "delivery": .string(tag.delivery.rawValue),
      "size": .integer(tag.size), "fileCount": .integer(tag.fileCount),
      "listings": .array(tag.listings.map(json)), "packs": .array(tag.packs.map(json)),
      "rules": .array(tag.rules.map(json)),
    ]
    if !tag.dragged.isEmpty { members["draggedIn"] = .array(tag.dragged.map(json)) }
    members["packed"] = tag.packedSize.map(JSONText.integer)
    return members
  }

  private static func json(of dragged: DraggedTag) -> JSONText {
    var members: [String: JSONText] = [
      "delivery": .string(dragged.delivery.rawValue), "packs": .integer(dragged.packCount),
      "size": .integer(dragged.size), "tags": .strings(dragged.others),
    ]
    members["saving"] = dragged.saving.map(JSONText.integer)
    return .object(members)
  }

  private static func members(of pack: PackFacts, _ files: [PackedFile]) -> [String: JSONText] {
    var members = members(of: pack)
    members["kind"] = .string("pack")
    members["files"] = .array(
      files.map { file in
        var members: [String: JSONText] = ["path": .string(file.path), "size": .integer(file.size)]
        members["packed"] = file.packedSize.map(JSONText.integer)
        return .object(members)
      })
    return members
  }
}

// What several subjects have.
extension SubjectJSON {
  private static func json(of pack: PackFacts) -> JSONText { .object(members(of: pack)) }

  /// A pack as the index has it, with its place in the order and what decides it.
  private static func members(of pack: PackFacts) -> [String: JSONText] {
    var members: [String: JSONText] = [
      "id": .string(pack.identity.identifier), "name": .string(pack.identity.name),
      "tags": .strings(pack.tags), "delivery": .string(pack.delivery.rawValue),
      "fileCount": .integer(pack.fileCount), "size": .integer(pack.size),
      "listings": .array(pack.listings.map(json)),
    ]
    members["packed"] = pack.packedSize.map(JSONText.integer)
    members["priority"] = pack.priority.map(JSONText.real)
    members["place"] = pack.place.map { .integer($0.number) }
    if !pack.draggedTags.isEmpty { members["unlistedTags"] = .strings(pack.draggedTags) }
    members["devices"] = pack.sizes.map(json)
    return members
  }

  private static func json(of sizes: DeviceRange) -> JSONText {
    func json(_ bound: DeviceRange.Bound) -> JSONText {
      .object(["name": .string(bound.device.name), "size": .integer(bound.size)])
    }
    return .object(["smallest": json(sizes.least), "largest": json(sizes.most)])
  }

  private static func json(of variant: VariantFacts) -> JSONText {
    .object([
      "assets": .array(
        variant.assets.map { .object(["name": .string($0.name), "traits": .string($0.traits.words)]) }),
      "devices": .strings(variant.devices.map(\.name)), "deviceCount": .integer(variant.count),
    ])
  }

  private static func json(of share: PackShare) -> JSONText {
    .object([
      "id": .string(share.id), "tags": .strings(share.tags), "delivery": .string(share.delivery.rawValue),
      "fileCount": .integer(share.fileCount), "size": .integer(share.size),
    ])
  }

  private static func json(of rule: RuleFacts) -> JSONText { .object(members(of: rule)) }

  private static func members(of rule: RuleFacts) -> [String: JSONText] {
    var members = rule.place.json
    members[rule.key] = .string(rule.pattern)
    members["tags"] = .strings(rule.tags + rule.made)
    if !rule.templates.isEmpty { members["tagTemplates"] = .strings(rule.templates) }
    return members
  }

  private static func json(of listing: TagListing) -> JSONText {
    var members = listing.place.json
    members["tag"] = .string(listing.tag)
    members["list"] = .string(listing.key)
    members["number"] = .integer(listing.number)
    return .object(members)
  }
}
