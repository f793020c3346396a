@testable import Findings
@testable import PackKit
import Testing

/// A manifest with mistakes, and all that the reader says of it.
struct BadManifest: Sendable {
  let name: String
  let bytes: [UInt8]
  /// `line:column: severity: message [id]` and `line:column: note: message`, in order.
  let findings: [String]

  init(_ name: String, bytes: [UInt8], _ findings: String...) {
    self.name = name
    self.bytes = bytes
    self.findings = findings
  }

  init(_ name: String, _ text: String, _ findings: String...) {
    self.name = name
    bytes = Array(text.utf8)
    self.findings = findings
  }

  /// A manifest that is right but for the members in its second line.
  init(_ name: String, member: String, _ findings: String...) {
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

  /// A manifest that is right but for the rules in its fourth line.
  init(_ name: String, rule: String, _ findings: String...) {
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

  static let all: [BadManifest] =
    structure + words + numbers + strings + escapes + encodings + keys + missingKeys + types + values + sizes
    + budgets + paths + globs + templates + tags + lists + rules + accepts + deviceMistakes + several
}

extension BadManifest: CustomTestStringConvertible {
  var testDescription: String { name }
}

// What several messages say.
let everyKey = "expected one of \(listed(Manifest.keys.map(\.shape.name)))"
let bundleIdentifierForm =
  #"expected letters, digits, "-" and "_" with dots between, such as "com.example.game""#
let sizeForm = #"expected a number of bytes or a text such as "64 MB" or "1.5 GiB""#
let wholeNumberForm = "a whole number from 0 to 9,223,372,036,854,775,807"
