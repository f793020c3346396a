import Foundation
import PackKit
import Support
import Testing

/// Files on a disk with a manifest, followed to all findings.
struct PreparedFolder {
  let folder: TemporaryFolder
  /// The findings of the manifest and its files, with paths below the folder.
  private(set) var findings: [Diagnostic] = []

  /// Prepares `Manifest.json` of a folder; `rules` are what stands in its list of resources.
  init(_ folder: TemporaryFolder, rules: String..., members: String...) throws {
    self.folder = folder
    let text =
      "{\n  \"bundleIdentifier\": \"com.example.game\",\n  \"resources\": [\n    "
      + rules.joined(separator: ",\n    ") + "\n  ]" + members.map { ",\n  \($0)" }.joined() + "\n}\n"
    try folder.write("Manifest.json", text)
    findings = try Preparation(argument: folder.path, jobs: 2).diagnostics
  }

  /// All findings as lines of text, those of files with the path below the folder.
  var lines: [String] {
    findings.map { finding in
      let path = String(finding.place.path.dropFirst(folder.path.utf8.count + 1))
      let position = finding.place.position.map { ":\($0.line):\($0.column)" } ?? ""
      return "\(path)\(position): \(finding.severity.rawValue): \(finding.message) [\(finding.check.id)]"
    }
  }

  /// The lines of one check.
  func lines(of id: String) -> [String] { lines.filter { $0.hasSuffix(" [\(id)]") } }
}
