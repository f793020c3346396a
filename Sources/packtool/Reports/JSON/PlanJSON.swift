import Formats
import PackKit

/// A plan for programs: the index without the values that need a build, and all findings.
struct PlanJSON {
  private let members: [String: JSONText]

  init(_ release: Release?, _ findings: Findings) {
    var members = release.map { IndexFormat.members(of: $0) } ?? [:]
    members["formatVersion"] = .integer(IndexFormat.version)
    members["diagnostics"] = .array(findings.diagnostics.map(\.json))
    self.members = members
  }

  var text: String { JSONText.object(members).text }
}
