import Findings
import Formats
import PackKit
import System

/// What came of importing a project.
struct ImportReport {
  let manifest: Manifest
  /// The manifest as it is written.
  let text: ByteBuffer
  /// The file that was written, as the user typed it; nil if the manifest went to no file, but was printed.
  let output: String?
  let findings: Findings
  let isQuiet: Bool

  /// The number of different tags in the rules.
  var tagCount: Int { manifest.firstPlaces.count }

  /// What people are told, for which there is room only where the manifest is not printed.
  var told: PlainText {
    guard let output, !isQuiet else { return "" }
    return
      "wrote \(displayed(output)): \(counted(manifest.rules.count, "rule")), \(counted(tagCount, "tag"))\n"
  }
}
