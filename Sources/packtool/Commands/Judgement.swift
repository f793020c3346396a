import Archiving
import PackKit

/// What the user's settings make of findings.
struct Judgement {
  let options: SharedOptions

  /// The findings of a preparation, as severe as the user wants them.
  func findings(of preparation: Preparation, more: [Diagnostic] = []) -> Findings {
    findings(
      of: preparation.diagnostics + more, about: preparation.manifest, preparation.text,
      path: preparation.path)
  }

  /// Findings about a manifest and its text as severe as the user wants them.
  func findings(
    of diagnostics: [Diagnostic], about manifest: Manifest?, _ text: SourceText?, path: String
  ) -> Findings {
    let judged = FindingList(diagnostics.lazy.compactMap { judge($0, by: manifest) })
    return Findings(manifestPath: path, text: text, diagnostics: judged.findings.ordered(manifest: path))
  }

  /// Whether none of some diagnostics is an error.
  func accepts(_ diagnostics: [Diagnostic], of preparation: Preparation) -> Bool {
    !diagnostics.contains { judge($0, by: preparation.manifest)?.severity == .error }
  }

  /// The findings of releases that were read to be compared, each by the settings of its manifest, and of
  /// what there is to say of the last.
  func findings(of readers: [ReleaseReader], more: [Diagnostic] = []) -> Findings {
    let last = readers.last
    var judged = FindingList()
    for reader in readers {
      judged.add(reader.diagnostics.lazy.compactMap { judge($0, by: reader.manifest) })
    }
    judged.add(more.lazy.compactMap { judge($0, by: last?.manifest) })
    let path = last?.path ?? ""
    return Findings(
      manifestPath: path, text: last?.text, diagnostics: judged.findings.ordered(manifest: path))
  }

  /// What was found without a manifest, as severe as the user wants it; in the order in which it is told.
  func findings(of diagnostics: [Diagnostic], about path: String) -> Findings {
    findings(of: diagnostics, about: nil, nil, path: path)
  }

  private func judge(_ diagnostic: Diagnostic, by manifest: Manifest?) -> Diagnostic? {
    let check = diagnostic.check
    var severity = diagnostic.severity
    if let choice = options.severities[check.id] ?? manifest?.severities[check.id], !check.isManifestError {
      guard let chosen = choice.severity else { return nil }
      // What a check only remarks on, such as room that is getting small, is not raised with its findings.
      severity = severity > check.severity ? max(severity, chosen) : chosen
    } else if options.isSubmission && diagnostic.breaksStoreLimit {
      severity = .error
    }
    if options.isStrict && severity == .warning { severity = .error }
    return diagnostic.with(severity: severity)
  }
}

extension SeverityChoice {
  /// The severity that is chosen; nil where findings are ignored.
  fileprivate var severity: Severity? { Severity(rawValue: rawValue) }
}

extension Session {
  /// Says what is being done, unless standard error is one document with the findings.
  func narrate(_ text: String, _ options: SharedOptions) {
    if !options.diagnostics.isDocument { explain(text) }
  }

  /// Writes findings and the line that closes the run to standard error.
  func report(_ findings: Findings, _ options: SharedOptions) {
    explain(options.diagnostics.text(of: findings, isColored: isColored(options.color)))
    let isSaid = !options.isQuiet || !findings.diagnostics.isEmpty
    if isSaid { narrate("\(Tool.name): \(findings.summary)\n", options) }
  }

  private func isColored(_ choice: SharedOptions.ColorChoice) -> Bool {
    switch choice {
    case .always: true
    case .never: false
    case .auto: isLively(.error) && ["NO_COLOR", "CI"].allSatisfy { (environment[$0] ?? "").isEmpty }
    }
  }
}
