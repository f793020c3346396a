package import Findings
package import Formats
import PackKit
package import System

/// A manifest's text and the edits that give it the one style.
package struct ManifestStyle {
  /// The manifest's path as the user would type it.
  package let path: String
  /// The text that was read; nil if there is none.
  package let text: SourceText?
  /// The text in its style; nil if its syntax has mistakes.
  package let edited: EditedText?
  /// Why it could not be read.
  package let findings: [Diagnostic]

  /// Reads the manifest that a command's argument names: a file, or a folder with a Manifest.json in it.
  package init(_ argument: String) throws(SystemError) {
    path = try ManifestReader.manifestPath(for: argument)
    let reading = try ManifestSource.manifest.read(argument, ProjectChoice())
    text = reading.text
    guard let text else {
      edited = nil
      findings = reading.findings
      return
    }
    // Mistakes of other kinds are found by validate, and need no other style.
    let mistakes = reading.findings.filter { $0.check == .jsonSyntax }
    let edits =
      mistakes.isEmpty && text.bytes.count <= JSONStyle.longestText ? JSONStyle.edits(of: text) : nil
    edited = edits.map { EditedText(text, $0) }
    if mistakes.isEmpty, edits == nil {
      let message =
        "the manifest is longer than the \(ByteSize.exact(JSONStyle.longestText)) that fmt takes, or would be longer "
        + "than \(ByteSize.exact(JSONStyle.longestResult))"
      findings = [Diagnostic(.jsonSyntax, message, at: Place(path))]
    } else {
      findings = mistakes
    }
  }

  /// The finding about another style; none if the text has the one that it should have.
  package var remarks: [Diagnostic] {
    guard let edited, let first = edited.edits.first else { return [] }
    let message = "the style differs from here on; \"packtool fmt\" gives the usual one"
    return [Diagnostic(.otherStyle, message, at: edited.text.place(at: first.range.lowerBound))]
  }
}
