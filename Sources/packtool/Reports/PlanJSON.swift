import PackKit

/// A plan for programs: the index that a build would write, without what only a build knows, and all findings.
struct PlanJSON {
  private let members: [String: JSONText]

  init(_ plan: PackPlan?, _ findings: Findings) {
    var members = plan.map { Index(planned: $0).members } ?? [:]
    members["formatVersion"] = .integer(Int64(Index.formatVersion))
    members["diagnostics"] = .array(findings.diagnostics.map(\.json))
    self.members = members
  }

  var text: String { JSONText.object(members).text }
}
