import Findings
import Formats

/// What came of giving manifests their style.
struct FormatReport {
  /// What is done with a manifest that has another style.
  enum Mode: Sendable {
    case write
    /// It is a finding.
    case check
    /// It is a finding, and shown.
    case diff
  }

  let mode: Mode
  /// The manifests that could be read, with their edits.
  let manifests: [EditedText]
  let findings: Findings
  let isQuiet: Bool

  /// Those with another style.
  private var changed: [EditedText] { manifests.filter { !$0.edits.isEmpty } }

  func text(on screen: Screen) -> PlainText {
    switch mode {
    case .write: isQuiet ? "" : changed.map { "formatted \(displayed($0.text.path))\n" as PlainText }.joined()
    case .check: ""
    case .diff: changed.map(DiffText(screen: screen).text).joined()
    }
  }

  var json: JSONText {
    findings.document([
      "status": findings.status,
      "manifests": .array(
        manifests.map { manifest in
          .object(["path": .string(manifest.text.path), "changed": .bool(!manifest.edits.isEmpty)])
        }),
    ])
  }
}
