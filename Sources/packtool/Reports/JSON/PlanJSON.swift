import Formats
import PackKit

/// A plan for programs: the index without the values that need a build, and all findings.
struct PlanJSON {
  private let members: [String: JSONText]

  init(_ release: Release?, _ findings: Findings, untagged: [UntaggedFile]? = nil) {
    var members = release.map { IndexFormat.members(of: $0) } ?? [:]
    members["formatVersion"] = .integer(IndexFormat.version)
    members.merge(findings.members) { _, new in new }
    for dragged in release?.draggedIn ?? [] {
      guard let release, case .object(var download) = members[dragged.delivery.rawValue] else { continue }
      download["draggedIn"] = Self.json(of: dragged, in: release)
      members[dragged.delivery.rawValue] = .object(download)
    }
    if let untagged, case .object(var count) = members["untagged"] {
      count["folders"] = .array(UntaggedFolder.all(of: untagged).map(Self.json))
      count["files"] = .array(untagged.map(\.json))
      members["untagged"] = .object(count)
    }
    self.members = members
  }

  var text: String { JSONText.object(members).text }

  private static func json(of dragged: DraggedIn, in release: Release) -> JSONText {
    .object([
      "packs": .strings(dragged.packs.map { release.packs[$0].id }), "size": .integer(dragged.size),
      "tags": .object(Dictionary(uniqueKeysWithValues: dragged.unlisted.map { ($0.tag, .integer($0.size)) })),
      "savings": .object(
        Dictionary(uniqueKeysWithValues: dragged.listed.map { ($0.tag, .integer($0.saving)) })),
    ])
  }

  private static func json(of folder: UntaggedFolder) -> JSONText {
    .object([
      "path": .string(folder.path), "fileCount": .integer(folder.files.count), "size": .integer(folder.size),
    ])
  }
}

extension UntaggedFile {
  /// The file for programs.
  var json: JSONText { .object(["path": .string(path), "size": .integer(size)]) }
}
