import Findings
import Formats
import PackKit

/// Findings as SARIF 2.1.0, which code scanning services read.
enum SARIFReport {
  static func text(_ findings: Findings) -> String {
    let driver: [String: JSONText] = [
      "name": .string(Tool.name),
      "version": .string(Tool.version),
      "semanticVersion": .string(Tool.version),
      "rules": .array(Check.all.map(rule)),
    ]
    return JSONText.object([
      "$schema": .string("https://json.schemastore.org/sarif-2.1.0.json"),
      "version": .string("2.1.0"),
      "runs": .array([
        .object([
          "tool": .object(["driver": .object(driver)]),
          "columnKind": .string("unicodeCodePoints"),
          "results": .array(findings.diagnostics.map { result($0, findings.text) }),
        ])
      ]),
    ]).text
  }

  private static func rule(_ check: Check) -> JSONText {
    .object([
      "id": .string(check.id),
      "shortDescription": .object(["text": .string(check.summary)]),
      "fullDescription": .object(["text": .string(check.explanation)]),
      "help": .object(["text": .string(check.explanation)]),
      "defaultConfiguration": .object(["level": .string(check.severity.rawValue)]),
    ])
  }

  private static func result(_ diagnostic: Diagnostic, _ text: SourceText?) -> JSONText {
    var members: [String: JSONText] = [
      "ruleId": .string(diagnostic.check.id),
      "level": .string(diagnostic.severity.rawValue),
      "message": .object(["text": .string(message(of: diagnostic))]),
      "locations": .array([location(diagnostic.place, text)]),
    ]
    members["ruleIndex"] = Check.all.firstIndex(of: diagnostic.check).map { .integer(Int64($0)) }
    let related = diagnostic.notes.compactMap { note in
      note.place.map { location($0, text, message: note.message) }
    }
    if !related.isEmpty { members["relatedLocations"] = .array(related) }
    return .object(members)
  }

  /// The message with the notes that have no place.
  private static func message(of diagnostic: Diagnostic) -> String {
    ([diagnostic.message] + diagnostic.notes.filter { $0.place == nil }.map(\.message)).joined(
      separator: "\n")
  }

  private static func location(_ place: Place, _ text: SourceText?, message: String? = nil) -> JSONText {
    var physical: [String: JSONText] = [
      "artifactLocation": .object(["uri": .string(reference(to: place.path))])
    ]
    if let position = place.position {
      physical["region"] = .object([
        "startLine": .integer(position.line),
        "startColumn": .integer(Int64(column(of: position, at: place.path, text))),
      ])
    }
    var members: [String: JSONText] = ["physicalLocation": .object(physical)]
    members["message"] = message.map { .object(["text": .string($0)]) }
    return .object(members)
  }

  /// The column in characters, since SARIF does not count bytes.
  private static func column(of position: Place.Position, at path: String, _ text: SourceText?) -> Int {
    guard let line = text?.file(at: path)?.line(position.line) else {
      return position.column
    }
    return String(decoding: line.utf8.prefix(position.column - 1), as: UTF8.self).unicodeScalars.count + 1
  }

  /// A path as a URI reference: all but unreserved characters and slashes percent-encoded.
  private static func reference(to path: String) -> String {
    let encoded = PercentEncoding.text(of: path.utf8, leaving: PercentEncoding.path)
    return path.hasPrefix("/") ? "file://\(encoded)" : encoded
  }
}
