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
  func narrate(_ text: PlainText, _ options: SharedOptions) {
    if !options.outputs.isDocument { explain(text) }
  }

  /// Writes findings and the summary line to standard error, but none that were said already; documents and files
  /// follow at the end of the run.
  func report(_ findings: Findings, _ options: SharedOptions, said: Findings = Findings()) {
    reports?.add(findings)
    say(findings.without(said), options)
    if !findings.diagnostics.isEmpty || !(findings.accepted.isEmpty || options.isQuiet) {
      narrate("\(Tool.name): \(findings.summary)\n", options)
    }
  }

  /// Writes findings to standard error where that is for people.
  func say(_ findings: Findings, _ options: SharedOptions) {
    guard let form = options.outputs.onStandardError, !form.isDocument else { return }
    let base = reports?.base ?? PathBase(environment)
    explain(form.output(of: findings, isColored: isColored(options.color), base: base))
  }

  /// What standard output shows of a result.
  func screen(_ options: SharedOptions) -> Screen {
    Screen(width: columns(of: .output), isColored: isColored(options.color, on: .output))
  }

  /// Whether a stream gets colours: by the flag, else by the variables of https://no-color.org and
  /// https://force-color.org, else where a terminal shows it and no CI runs this.
  func isColored(_ choice: SharedOptions.ColorChoice, on stream: StandardStream = .error) -> Bool {
    switch choice {
    case .always: return true
    case .never: return false
    case .auto:
      if isSet("NO_COLOR") { return false }
      if ["FORCE_COLOR", "CLICOLOR_FORCE"].contains(where: { isSet($0) && environment[$0] != "0" }) {
        return true
      }
      return isLively(stream) && !isSet("CI")
    }
  }

  private func isSet(_ variable: String) -> Bool { !(environment[variable] ?? "").isEmpty }
}
