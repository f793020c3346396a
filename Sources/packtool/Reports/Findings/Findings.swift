import Findings
import Formats

/// All findings of a run with their final severities, for reports.
struct Findings {
  let manifestPath: String
  /// The text of the manifest for quotes; nil if it could not be read.
  let text: SourceText?
  /// The findings in the order of reports.
  let diagnostics: [Diagnostic]

  func count(_ severity: Severity) -> Int {
    diagnostics.lazy.filter { $0.severity == severity }.reduce(0) { $0 + $1.count }
  }

  var hasErrors: Bool { diagnostics.hasErrors }

  /// The line that closes a run: `1 error, 2 warnings, 0 notes`.
  var summary: String {
    Severity.allCases.map { counted(count($0), $0.rawValue) }.joined(separator: ", ")
  }
}
