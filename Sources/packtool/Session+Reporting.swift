import Findings
import Formats
import PackKit
import Projects
import System

extension SharedOptions {
  /// The policy of the command line.
  var policy: Policy { Policy(isSubmission: isSubmission, isStrict: isStrict, severities: severities) }

  /// Findings about a manifest, with final severities and in the order of reports.
  func judged(
    _ findings: [Diagnostic], by manifest: Manifest? = nil, text: SourceText? = nil, path: String
  ) -> Findings {
    Findings(manifestPath: path, text: text, JudgedFindings(findings, by: policy.adding(manifest)))
  }

  /// Findings about a preparation, with final severities and in the order of reports.
  func judged(_ findings: [Diagnostic], about prepared: Preparation) -> Findings {
    judged(findings, by: prepared.manifest, text: prepared.text, path: prepared.path)
  }
}

extension Session {
  /// Prints progress notes to standard error, unless it is a JSON or XML document.
  func narrate(_ text: String, _ options: SharedOptions) {
    if !options.outputs.isDocument { explain(text) }
  }

  /// Writes findings and the summary line to standard error; documents and files follow at the end of the run.
  func report(_ findings: Findings, _ options: SharedOptions) {
    reports?.add(findings)
    if let form = options.outputs.onStandardError, !form.isDocument {
      let base = reports?.base ?? PathBase(environment)
      let text = form.text(of: findings, isColored: isColored(options.color), base: base)
      explain(text, as: form.logForm)
    }
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
