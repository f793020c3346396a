import Findings
import Formats

/// Kinds of findings for programs.
enum ChecksJSON {
  static func text(of checks: [Check]) -> String {
    JSONText.object(["formatVersion": .integer(1), "checks": .array(checks.map(json))]).text
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
