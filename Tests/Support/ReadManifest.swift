import Formats
package import Model
import Pipeline

/// The path under which the manifests of tests are read.
package let manifestPath = "Manifest.json"

package func readManifest(_ bytes: [UInt8]) -> ManifestReader {
  ManifestReader(text: SourceText(path: manifestPath, bytes: bytes))
}

package func readManifest(_ text: String) -> ManifestReader { readManifest(Array(text.utf8)) }

extension [Diagnostic] {
  /// One line for each finding, and one line for each of its notes.
  ///
  /// A line contains the place without the path, and the facts.
  package var rendered: [String] {
    flatMap { finding in
      ["\(finding.place.text): \(finding.facts)"]
        + finding.notes.map { "\(($0.place ?? finding.place).text): \($0.facts)" }
    }
  }
}

extension Place {
  fileprivate var text: String { position.map { "\($0.line):\($0.column)" } ?? path }
}
