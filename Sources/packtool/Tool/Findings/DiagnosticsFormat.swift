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
  func output(of findings: Findings, isColored: Bool, base: PathBase) -> Output {
    switch self {
    case .text: Output(TextReport(isColored: isColored).text(findings))
    case .json: Output(JSONReport.json(findings))
    case .github: Output(GitHubReport(base: base).text(findings))
    case .sarif: Output(SARIFReport(base: base).json(findings))
    case .junit: Output(JUnitReport.text(findings))
    }
  }
}
