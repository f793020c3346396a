package import Formats
package import Model
package import System

/// A manifest that `import` writes.
///
/// It is read back from its text and checked in the same way as `validate` checks it.
package struct ReadBack: Sendable {
  /// The manifest that was read back, with its files and packs.
  package let prepared: Preparation
  /// All findings.
  ///
  /// Findings about values point to the source of the import; findings about the text point to the text.
  package let findings: [Diagnostic]
  /// The text that was read back.
  package let text: SourceText

  /// Reads the text of a manifest as if it were stored at `path`, and runs all checks on its files.
  ///
  /// `original` is the manifest that was written; findings use its positions. `request` contains the options
  /// of `validate`, and its argument is ignored.
  ///
  /// - Throws: if the system fails; mistakes are findings.
  package init(
    of bytes: [UInt8], savedAt path: String, writtenFrom original: Manifest, request: Preparation.Request
  ) throws(SystemError) {
    let scanTime = ThisProcess.fileTime
    text = SourceText(path: path, bytes: bytes)
    let reader = ManifestReader(text: text)
    var manifest = reader.manifest
    manifest?.copyPlaces(from: original)
    // This check is skipped because it reads all files of equal size, and its findings are only notes.
    manifest?.severities[Check.duplicateContent.id] = .ignore
    let reading = ManifestSource.Reading(
      manifest: manifest, findings: reader.diagnostics, text: original.text, uncarried: [])
    prepared = try Preparation(request, of: reading, at: original.text.path, since: scanTime)
    let found = try prepared.diagnostics + prepared.planFindings(jobs: request.jobs)
    // A fix would edit a file, but this text has not been saved yet.
    findings = found.map(\.withoutFix)
  }
}
