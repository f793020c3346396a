package import Formats
package import Model
package import System

/// A manifest as `import` writes it, read back from its text and checked by the checks that `validate` runs.
package struct ReadBack: Sendable {
  /// The manifest that was read back, with its files and packs.
  package let prepared: Preparation
  /// All findings: about values at their places in the source of the import, about mistakes of the text in the text.
  package let findings: [Diagnostic]
  /// The text that was read back.
  package let text: SourceText

  /// Reads the text of a manifest as if it lay at a path, and runs all checks on its files.
  ///
  /// `original` is the manifest that was written; its places are those of findings. `request` has the options of
  /// `validate`; its argument does not count.
  ///
  /// - Throws: if the machine fails; mistakes are findings.
  package init(
    of bytes: [UInt8], savedAt path: String, writtenFrom original: Manifest, request: Preparation.Request
  ) throws(SystemError) {
    let scanTime = ThisProcess.fileTime
    text = SourceText(path: path, bytes: bytes)
    let reader = ManifestReader(text: text)
    var manifest = reader.manifest
    manifest?.copyPlaces(from: original)
    // A note that reads all files of equal size, and never a reason against a manifest.
    manifest?.severities[Check.duplicateContent.id] = .ignore
    let reading = ManifestSource.Reading(
      manifest: manifest, findings: reader.diagnostics, text: original.text, uncarried: [])
    prepared = try Preparation(request, of: reading, at: original.text.path, since: scanTime)
    let found = try prepared.diagnostics + prepared.planFindings(jobs: request.jobs)
    // The edits would be those of a text that is not there yet.
    findings = found.map(\.withoutFix)
  }
}
