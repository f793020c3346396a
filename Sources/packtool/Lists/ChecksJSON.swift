import Findings
import Formats

/// Kinds of findings for programs.
enum ChecksJSON {
  static func document(of checks: [Check]) -> JSONText {
    .object(["formatVersion": .integer(1), "checks": .array(checks.map(json))])
  }

  private static func json(of check: Check) -> JSONText {
    .object([
      "id": .string(check.id), "severity": .string(check.severity.rawValue),
      "summary": .string(check.summary), "explanation": .string(check.explanation),
      "isErrorInSubmission": .bool(check.isErrorInSubmission), "canBeLowered": .bool(check.canBeLowered),
      "isOffByDefault": .bool(check.isOffByDefault),
    ])
  }
}
