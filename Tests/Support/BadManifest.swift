import Testing

/// A manifest with mistakes, and all findings that the reader reports about it.
package struct BadManifest: Sendable {
  package let name: String
  package let bytes: [UInt8]
  /// The facts of all findings and notes in order, as `line:column: severity [id] values` and `line:column:
  /// note values`.
  package let findings: [String]

  package init(_ name: String, bytes: [UInt8], _ findings: String...) {
    self.name = name
    self.bytes = bytes
    self.findings = findings
  }

  package init(_ name: String, _ text: String, _ findings: String...) {
    self.name = name
    bytes = Array(text.utf8)
    self.findings = findings
  }

  /// Creates a manifest that is correct except for the members in its second line.
  package init(_ name: String, member: String, _ findings: String...) {
    self.name = name
    bytes = Array(
      """
      {
      \(member),
      "bundleIdentifier": "com.example.game",
      "resources": [
      { "path": "Levels", "tags": ["Level 1", "Level 2"] }
      ]
      }

      """.utf8)
    self.findings = findings
  }

  /// Creates a manifest that is correct except for the rules in its fourth line.
  package init(_ name: String, rule: String, _ findings: String...) {
    self.name = name
    bytes = Array(
      """
      {
      "bundleIdentifier": "com.example.game",
      "resources": [
      \(rule)
      ]
      }

      """.utf8)
    self.findings = findings
  }

  package static let all: [BadManifest] =
    structure + words + numbers + strings + escapes + encodings + keys + missingKeys + types + values + sizes
    + budgets + paths + globs + templates + tags + lists + rules + accepts + deviceMistakes + several
}

extension BadManifest: CustomTestStringConvertible {
  package var testDescription: String { name }
}

// The keys that several messages contain.
let everyKey = [
  "$schema", "bundleIdentifier", "root", "resources", "exclude", "tags", "initialInstallTags",
  "prefetchTagOrder",
  "appBundle", "limits", "budgets", "untagged", "container", "compression", "layout", "devices",
  "variantSuffixes",
  "severity", "accept", "merge", "onUpdate", "packPrefix", "languages",
].map { "\"\($0)\"" }.joined(separator: " ")
let bundleIdentifierForm = #""-" "_" "com.example.game""#
let sizeForm = #""64 MB" "1.5 GiB""#
let wholeNumberForm = "0 9,223,372,036,854,775,807"
