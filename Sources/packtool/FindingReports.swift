import Findings
import System

/// The findings of one run, kept for the documents and files that are written at its end.
final class FindingReports: Sendable {
  let outputs: FindingOutputs
  private let color: SharedOptions.ColorChoice
  private let found = Monitor(Findings())

  init(_ options: SharedOptions) {
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
      var bytes = ByteBuffer()
      bytes.append(output.form.logForm.safe(output.form.text(of: findings, isColored: color == .always)))
      try session.write(bytes, to: path, as: output.form.logForm)
    }
  }

  /// Writes the document that standard error is, if it is one.
  func writeDocument(_ session: Session) {
    guard let form = outputs.onStandardError, form.isDocument else { return }
    session.explain(form.text(of: found.change { $0 }, isColored: false), as: form.logForm)
  }
}
