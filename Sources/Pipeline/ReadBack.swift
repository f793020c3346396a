package import Formats
package import Model
package import System

/// A manifest that `import` writes.
///
/// The text of the manifest is read again and checked in the same way as by `validate`.
package struct ReadBack: Sendable {
  /// The manifest that was read again, with its files and packs.
  package let prepared: Preparation
  /// All findings.
  ///
  /// Findings about values point to the source of the import. Findings about the manifest's text point to
  /// this text.
  package let findings: [Diagnostic]
  /// The text that was read again.
  package let text: SourceText

  /// Reads the text of a manifest as if it were stored at `path`, and runs all checks on the manifest and its
  /// files.
  ///
  /// `original` is the manifest that was written. Findings use the positions in it. `request` contains the
  /// options of `validate`; its argument is ignored.
  ///
  /// - Throws: if the system fails. Mistakes are not thrown; they are findings.
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
      manifest: manifest, findings: reader.diagnostics, text: original.text, settingsWithoutKey: [])
    prepared = try Preparation(request, of: reading, at: original.text.path, since: scanTime)
    let found = try prepared.diagnostics + prepared.planFindings(jobs: request.jobs)
    // The fixes are removed, because a fix edits a file and this text has not been saved yet.
    findings = found.map(\.withoutFix)
  }
}
