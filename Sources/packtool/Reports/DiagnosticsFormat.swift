import PackKit

/// A form in which findings are written.
enum DiagnosticsFormat: String, CaseIterable, Sendable {
  case text
}

/// All that was found in one run, judged: what a report tells.
struct Findings {
  let manifestPath: String
  let manifest: Manifest?
  let diagnostics: [Diagnostic]

  func count(_ severity: Severity) -> Int { diagnostics.count { $0.severity == severity } }

  var hasErrors: Bool { diagnostics.hasErrors }

  /// The line that closes a run: `1 error, 2 warnings, 0 notes`.
  var summary: String {
    let counts = Severity.allCases.map { counted(count($0), $0.rawValue) }
    return counts.joined(separator: ", ")
  }
}
