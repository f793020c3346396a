import Findings
import Formats

/// All that was found in one run, judged: what a report tells.
struct Findings {
  let manifestPath: String
  /// The text of the manifest, which is quoted; nil where it could not be read.
  let text: SourceText?
  /// In the order in which they are told.
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
