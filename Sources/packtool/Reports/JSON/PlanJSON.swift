import Formats
import PackKit

/// A plan for programs: the index without the values that need a build, and all findings.
struct PlanJSON {
  private let members: [String: JSONText]

  init(
    _ release: Release?, _ findings: Findings, untagged: [UntaggedFile]? = nil, slices: SlicesReport? = nil
  ) {
    var members = release.map { IndexFormat.members(of: $0) } ?? [:]
    members["formatVersion"] = .integer(IndexFormat.version)
    members["diagnostics"] = .array(findings.diagnostics.map(\.json))
    if let untagged, case .object(var count) = members["untagged"] {
      count["folders"] = .array(UntaggedFolder.all(of: untagged).map(Self.json))
      count["files"] = .array(untagged.map(\.json))
      members["untagged"] = .object(count)
    }
    members["devices"] = slices.map(SlicesJSON.value)
    self.members = members
  }

  var text: String { JSONText.object(members).text }

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
