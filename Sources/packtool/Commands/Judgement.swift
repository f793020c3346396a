import Archiving
import PackKit

/// What the user's settings make of findings.
struct Judgement {
  let options: SharedOptions

  /// The findings of a preparation, as severe as the user wants them.
  func findings(of preparation: Preparation, more: [Diagnostic] = []) -> Findings {
    let judged = (preparation.diagnostics + more).compactMap { judge($0, by: preparation.manifest) }
    return Findings(
      manifestPath: preparation.path, manifest: preparation.manifest,
      diagnostics: judged.ordered(manifest: preparation.path))
  }

  private func judge(_ diagnostic: Diagnostic, by manifest: Manifest?) -> Diagnostic? {
    var judged = diagnostic
    if let choice = manifest?.severities[diagnostic.check.id], !diagnostic.check.isManifestError {
      guard let severity = choice.severity else { return nil }
      judged = judged.with(severity: severity)
    }
    if options.isSubmission && judged.check.isStoreLimit && judged.severity == .warning {
      judged = judged.with(severity: .error)
    }
    if options.isStrict && judged.severity == .warning { judged = judged.with(severity: .error) }
    return judged
  }
}

extension SeverityChoice {
  /// The severity that is chosen; nil where findings are ignored.
  fileprivate var severity: Severity? { Severity(rawValue: rawValue) }
}

extension Session {
  /// Writes findings and the line that closes the run to standard error.
  func report(_ findings: Findings, _ options: SharedOptions) {
    switch options.diagnostics {
    case .text: explain(TextReport(isColored: isColored(options.color)).text(findings))
    }
    let isWorthASummary = !findings.diagnostics.isEmpty || !options.isQuiet
    if isWorthASummary { explain("\(Tool.name): \(findings.summary)\n") }
  }

  private func isColored(_ choice: SharedOptions.ColorChoice) -> Bool {
    switch choice {
    case .always: true
    case .never: false
    case .auto: isLively(.error) && (environment["NO_COLOR"] ?? "").isEmpty
    }
  }
}
