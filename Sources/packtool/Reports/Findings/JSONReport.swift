import Findings
import Formats

/// Findings as one JSON object with a version.
enum JSONReport {
  static func text(_ findings: Findings) -> String {
    let counts = Severity.allCases.map { ("\($0.rawValue)s", JSONText.integer(Int64(findings.count($0)))) }
    return JSONText.object([
      "formatVersion": .integer(1),
      "tool": .object(["name": .string(Tool.name), "version": .string(Tool.version)]),
      "diagnostics": .array(findings.diagnostics.map(\.json)),
      "summary": .object(Dictionary(uniqueKeysWithValues: counts)),
    ]).text
  }
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
  /// The members of an object, the same in every JSON output.
  var json: [String: JSONText] {
    var members: [String: JSONText] = ["file": .string(path)]
    members["line"] = position.map { .integer(Int64($0.line)) }
    members["column"] = position.map { .integer(Int64($0.column)) }
    return members
  }
}
