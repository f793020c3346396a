import Findings
import System

/// The findings of one run, kept for the documents and files that are written at its end.
final class FindingReports: Sendable {
  let outputs: FindingOutputs
  private let color: SharedOptions.ColorChoice
  let base: PathBase
  private let found = Monitor(Findings())

  /// Reports of a run with these options and environment variables.
  init(_ options: SharedOptions, _ environment: [String: String]) {
    base = PathBase(environment)
    outputs = options.outputs
    color = options.color
  }

  func add(_ findings: Findings) { found.change { $0.add(findings) } }

  /// Adds the reason why the run failed.
  func add(_ check: Check, _ message: String) {
    let finding = Diagnostic(check, message, at: Place(Tool.name))
    add(Findings(manifestPath: "", text: nil, diagnostics: [finding]))
  }

  /// Writes the files; standard error comes last, since it also reports what fails here.
  func writeFiles(_ session: Session) throws(SystemError) {
    let findings = found.change { $0 }
    for output in outputs.all {
      guard let path = output.path else { continue }
      let text = output.form.output(of: findings, isColored: color == .always, base: base)
      try session.write(text, to: path)
    }
  }

  /// Writes the document that standard error is, if it is one.
  func writeDocument(_ session: Session) {
    guard let form = outputs.onStandardError, form.isDocument else { return }
    session.explain(form.output(of: found.change { $0 }, isColored: false, base: base))
  }
}
