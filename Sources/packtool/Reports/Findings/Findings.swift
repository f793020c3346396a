import Findings
import Formats

/// All findings of a run with their final severities, for reports.
struct Findings {
  private(set) var manifestPath = ""
  /// The text of the manifest for quotes; nil if it could not be read.
  private(set) var text: SourceText?
  /// The findings in the order of reports.
  private(set) var diagnostics: [Diagnostic] = []

  /// Adds the findings of another report of the same run.
  mutating func add(_ other: Findings) {
    if manifestPath.isEmpty { manifestPath = other.manifestPath }
    diagnostics += other.diagnostics
    guard let more = other.text else { return }
    if text == nil { text = more } else { text?.append(more) }
  }

  /// The findings that others are not.
  func without(_ others: Findings) -> Findings {
    if others.diagnostics.isEmpty { return self }
    let known = Set(others.diagnostics)
    return Findings(
      manifestPath: manifestPath, text: text, diagnostics: diagnostics.filter { !known.contains($0) })
  }

  func count(_ severity: Severity) -> Int {
    diagnostics.lazy.filter { $0.severity == severity }.reduce(0) { $0 + $1.count }
  }

  var hasErrors: Bool { diagnostics.hasErrors }

  /// The line that closes a run: `1 error, 2 warnings, 0 notes`.
  var summary: String {
    Severity.allCases.map { counted(count($0), $0.rawValue) }.joined(separator: ", ")
  }
}
