import PackKit

/// A plan for programs: the index that a build would write, without what only a build knows, and all findings.
struct PlanJSON {
  private let members: [String: JSONText]

  init(_ plan: PackPlan?, limits: String, _ findings: Findings) {
    var members = plan.map { Index(planned: $0, limits: limits).members } ?? [:]
    members["formatVersion"] = .integer(Int64(Index.formatVersion))
    members["diagnostics"] = .array(findings.diagnostics.map(\.json))
    self.members = members
  }

  var text: String { JSONText.object(members).text }
}

extension Diagnostic {
  /// A finding as an object, the same in every JSON output.
  var json: JSONText {
    var members = place.json
    members["id"] = .string(check.id)
    members["severity"] = .string(severity.rawValue)
    members["message"] = .string(message)
    if !notes.isEmpty { members["notes"] = .array(notes.map(\.json)) }
    return .object(members)
  }
}

extension Diagnostic.Note {
  fileprivate var json: JSONText {
    var members = place?.json ?? [:]
    members["message"] = .string(message)
    return .object(members)
  }
}

extension Place {
  fileprivate var json: [String: JSONText] {
    var members: [String: JSONText] = ["file": .string(path)]
    members["line"] = position.map { .integer(Int64($0.line)) }
    members["column"] = position.map { .integer(Int64($0.column)) }
    return members
  }
}
