package import Formats
import Model
import Pipeline
import Foundation
import Testing

/// Files on a disk with a manifest, followed to all findings.
package struct PreparedFolder {
  package let folder: TemporaryFolder
  /// The findings of the manifest and its files, with paths below the folder.
  package private(set) var findings: [Diagnostic] = []

  /// Prepares `Manifest.json` of a folder; `rules` are what stands in its list of resources.
  package init(_ folder: TemporaryFolder, rules: String..., members: String...) throws {
    self.folder = folder
    let text =
      "{\n  \"bundleIdentifier\": \"com.example.game\", \"appBundle\": {\"size\": \(sizeOfTestApp)},\n"
      + "  \"resources\": [\n    "
      + rules.joined(separator: ",\n    ") + "\n  ]" + members.map { ",\n  \($0)" }.joined() + "\n}\n"
    try folder.write("Manifest.json", text)
    findings = try allFindings(in: folder.path, jobs: 2)
  }

  /// The facts of all findings as lines, those of files with the path below the folder.
  package var lines: [String] {
    findings.map { finding in
      let path = String(finding.place.path.dropFirst(folder.path.utf8.count + 1))
      let position = finding.place.position.map { ":\($0.line):\($0.column)" } ?? ""
      return "\(path)\(position): \(finding.facts)"
    }
  }

  /// The lines of one check.
  package func lines(of id: String) -> [String] { lines.filter { $0.names("[\(id)]") } }
}

/// All that validating the manifest of a folder finds, in the order of reports.
package func allFindings(in folder: String, jobs: Int) throws -> [Diagnostic] {
  let prepared = try Preparation(Preparation.Request(argument: folder, jobs: jobs))
  let found = try prepared.planFindings(jobs: jobs)
  return (prepared.diagnostics + found).ordered(manifest: prepared.path)
}
