import Findings
import Formats
import PackKit
import Releases
import System

/// What was found in a pack, an index or a property list, for programs.
struct InspectionJSON {
  private let inspection: Inspection

  init(_ inspection: Inspection) {
    self.inspection = inspection
  }

  var json: JSONText { .object(members) }

  private var members: [String: JSONText] {
    var members: [String: JSONText] =
      switch inspection {
      case .pack(let pack): self.members(of: pack)
      case .list(let name, let item):
        ["kind": .string("list"), "name": .string(name), "content": JSONText(item)]
      case .export(let export):
        ["kind": .string("export"), "lists": .object(export.lists.mapValues { JSONText($0) })]
      case .builtFolder(let folder): self.members(of: folder)
      }
    members["formatVersion"] = .integer(1)
    return members
  }

  private func members(of pack: PackListing) -> [String: JSONText] {
    var members: [String: JSONText] = [
      "kind": .string("pack"), "digest": .string(pack.digest.prefixed),
      "size": .integer(pack.contents.saturatingSum { $0.size }),
      "files": .array(
        pack.contents.map { file in
          .object([
            "path": .string(file.path), "size": .integer(file.size), "digest": .string(file.digest.prefixed),
          ])
        }),
    ]
    if !pack.damage.isEmpty { members["damage"] = .strings(pack.damage) }
    members["id"] = pack.identifier.map(JSONText.string)
    members["tags"] = pack.tags.map { .strings($0) }
    members["priority"] = pack.priority.map(JSONText.real)
    return members
  }

  private func members(of folder: BuiltFolder) -> [String: JSONText] {
    guard let index = folder.index else { return [:] }
    let packs = index.packs.map { pack -> JSONText in
      var members: [String: JSONText] = [
        "id": .string(pack.id), "name": .string(pack.name), "tags": .strings(pack.tags),
        "delivery": .string(pack.delivery.rawValue), "fileCount": .integer(pack.fileCount),
        "size": .integer(pack.size), "digest": .string(pack.digest.prefixed),
        "archive": .string(pack.archive.path),
      ]
      members["priority"] = pack.priority.map(JSONText.real)
      return .object(members)
    }
    return [
      "kind": .string("index"), "bundleIdentifier": .string(index.bundleIdentifier), "packs": .array(packs),
    ]
  }
}

extension JSONText {
  /// A property list; what JSON has no form for is a text.
  init(_ item: PlistItem) {
    switch item {
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .integer(value)
    case .real(let value) where value.isFinite: self = .real(value)
    case .real(let value), .date(let value): self = .string("\(value)")
    case .string(let value): self = .string(value)
    case .data(let bytes): self = .string("\(counted(bytes.count, "byte")) of data")
    case .array(let elements): self = .array(elements.map { JSONText($0) })
    case .dictionary(let members): self = .object(members.mapValues { JSONText($0) })
    }
  }
}
