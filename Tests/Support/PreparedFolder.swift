package import Formats
import Model
import Pipeline
import Foundation
import Testing

/// A folder with files and a manifest, and all findings about them.
package struct PreparedFolder {
  package let folder: TemporaryFolder
  /// The findings about the manifest and its files.
  package private(set) var findings: [Diagnostic] = []

  /// Writes the `Manifest.json` of a folder, and collects all findings about it.
  ///
  /// `rules` become the elements of `resources`.
  package init(_ folder: TemporaryFolder, rules: String..., members: String...) throws {
    self.folder = folder
    let text =
      "{\n  \"bundleIdentifier\": \"com.example.game\", \"appBundle\": {\"size\": \(sizeOfTestApp)},\n"
      + "  \"resources\": [\n    "
      + rules.joined(separator: ",\n    ") + "\n  ]" + members.map { ",\n  \($0)" }.joined() + "\n}\n"
    try folder.write("Manifest.json", text)
    findings = try allFindings(in: folder.path, jobs: 2)
  }

  /// The facts of all findings as lines, with paths relative to the folder.
  package var lines: [String] {
    findings.map { finding in
      let path = String(finding.place.path.dropFirst(folder.path.utf8.count + 1))
      let position = finding.place.position.map { ":\($0.line):\($0.column)" } ?? ""
      return "\(path)\(position): \(finding.facts)"
    }
  }

  /// Returns the lines of one check.
  package func lines(of id: String) -> [String] { lines.filter { $0.names("[\(id)]") } }
}

/// Returns all findings of validating the manifest of a folder, in the order of reports.
package func allFindings(in folder: String, jobs: Int) throws -> [Diagnostic] {
  let prepared = try Preparation(Preparation.Request(argument: folder, jobs: jobs))
  let found = try prepared.planFindings(jobs: jobs)
  return (prepared.diagnostics + found).ordered(manifest: prepared.path)
}
