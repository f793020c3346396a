package import Formats
package import System

/// The format of `index.json`, which describes a release for apps and servers.
package enum IndexFormat {
  /// The format version of index.json and of the list of files.
  package static let version = 1
  /// The maximum size of an index in bytes.
  package static let maxSize = 256 << 20

  /// Returns the bytes of the whole file.
  package static func bytes(of release: Release) -> ByteBuffer {
    JSONText.object(members(of: release)).bytes()
  }

  /// Returns the members of the file's JSON object.
  package static func members(of release: Release) -> [String: JSONText] {
    var members: [String: JSONText] = [
      "formatVersion": .integer(version), "bundleIdentifier": .string(release.bundleIdentifier),
      "limits": .string(release.profile),
      "tags": .object(Dictionary(uniqueKeysWithValues: release.tags.map { ($0.name, release.json(of: $0)) })),
      "packs": .array(release.packs.map(\.json)),
      "untagged": .object([
        "fileCount": .integer(release.untagged.files), "size": .integer(release.untagged.size),
      ]),
    ]
    for delivery in Delivery.allCases {
      members[delivery.rawValue] = .object(known: [
        "packs": release.identifiers(of: release.order(of: delivery)),
        "size": .integer(release.count(of: delivery).size),
        "tags": delivery == .onDemand ? nil : release.lists.map { .strings($0.tags(of: delivery)) },
      ])
    }
    if let contents = release.contents { members["contents"] = contents.json }
    if !release.patches.isEmpty { members["patches"] = .array(release.patches.map(\.json)) }
    members["device"] = release.device.map {
      .object(["name": .string($0.name), "products": .strings($0.products)])
    }
    members["ownLimits"] = ownLimits(release.ownLimits)
    members["release"] = release.edition.map { .integer($0.number) }
    members["expires"] = release.edition?.expiryText.map(JSONText.string)
    return members
  }

  /// Returns, as JSON, the limits that a manifest sets instead of its profile's limits; nil if the manifest
  /// sets no limits.
  ///
  /// If the manifest removes a limit, its value is null.
  package static func ownLimits(_ limits: LimitSettings.Overrides) -> JSONText? {
    if limits.isEmpty { return nil }
    return .object(
      Dictionary(
        uniqueKeysWithValues: limits.map { kind, override in
          (kind.rawValue, override.limit.map { .integer($0.certain) } ?? .null)
        }))
  }

  /// Reads the limits that a manifest sets, from JSON; nil if the format of the JSON value is wrong.
  ///
  /// Kinds of limits that this version of packtool does not know are ignored.
  package static func ownLimits(of value: JSONValue) -> LimitSettings.Overrides? {
    guard case .object = value.content else { return nil }
    var limits: LimitSettings.Overrides = [:]
    for member in JSONMembers(parent: value) {
      guard let kind = LimitKind(rawValue: member.key) else { continue }
      if case .null = member.value.content {
        limits[kind] = .init(nil, at: member.value.offset)
      } else if let number = member.value.wholeNumber {
        limits[kind] = .init(.exactly(number), at: member.value.offset)
      } else {
        return nil
      }
    }
    return limits
  }
}

extension Release {
  fileprivate func identifiers(of packs: [Int]) -> JSONText { .strings(packs.map { self.packs[$0].id }) }

  fileprivate func json(of tag: Tag) -> JSONText {
    .object([
      "delivery": .string(tag.delivery.rawValue), "packs": identifiers(of: tag.packs),
      "size": .integer(tag.size),
    ])
  }
}

extension Release.Pack {
  fileprivate var json: JSONText {
    .object(known: [
      "id": .string(id), "name": .string(name), "tags": .strings(tags),
      "delivery": .string(delivery.rawValue), "fileCount": .integer(fileCount), "size": .integer(size),
      "priority": priority.map(JSONText.real), "digest": published.map { .string($0.digest.prefixed) },
      "archive": published?.archive.json, "language": language.map(JSONText.string),
    ])
  }
}

extension PublishedFile {
  var json: JSONText {
    .object([
      "path": .string(path), "size": .integer(file.size), "digest": .string(file.digest.prefixed),
    ])
  }
}

/// The format of `elsewhere.<digest>.json`.
///
/// This file lists the packs that are in an index but are published in another folder. The digest in the name
/// is the digest of the index, so the list applies only to this index. The list is not part of index.json,
/// because index.json must be the same as in a build of all packs.
package enum ElsewhereFormat {
  /// Returns the name and the bytes of a release's list; nil if all packs are in the folder.
  package static func list(of release: Release) -> (name: String, bytes: ByteBuffer)? {
    let paths = release.packs.compactMap(\.published).filter(\.isElsewhere).map(\.archive.path)
    if paths.isEmpty { return nil }
    let list = JSONText.object(["formatVersion": .integer(IndexFormat.version), "packs": .strings(paths)])
    return (name(forIndex: IndexFormat.bytes(of: release)), list.bytes())
  }

  /// Returns the name of the list for an index with these bytes.
  package static func name(forIndex bytes: ByteBuffer) -> String {
    PublishedNames.elsewhere(bytes.withBytes { SHA256.digest(of: $0) })
  }
}
