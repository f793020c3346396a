/// An output format of findings.
enum DiagnosticsFormat: String, CaseIterable, Sendable {
  case text
  case json
  case github
  case sarif
  case junit

  /// Whether the output is one document, which no other line may follow.
  var isDocument: Bool {
    switch self {
    case .text, .github: false
    case .json, .sarif, .junit: true
    }
  }

  /// The findings in this form; services read paths from `base`.
  func text(of findings: Findings, isColored: Bool, base: PathBase) -> String {
    switch self {
    case .text: TextReport(isColored: isColored).text(findings)
    case .json: JSONReport.text(findings)
    case .github: GitHubReport(base: base).text(findings)
    case .sarif: SARIFReport(base: base).text(findings)
    case .junit: JUnitReport.text(findings)
    }
  }
}
