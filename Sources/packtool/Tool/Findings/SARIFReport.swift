import Findings
import Formats
import PackKit
import System

/// Findings as SARIF 2.1.0, which code scanning services read.
struct SARIFReport {
  let base: PathBase

  /// The name of the base of relative paths, by which services put their own folder in its place.
  private static let root = "%SRCROOT%"

  func json(_ findings: Findings) -> JSONText {
    let results = findings.diagnostics + findings.accepted
    let occurring = Set(results.map(\.check))
    let rules = Check.all.filter(occurring.contains)
    let driver: [String: JSONText] = [
      "name": .string(Tool.name),
      "version": .string(Tool.version),
      "semanticVersion": .string(Tool.version),
      "rules": .array(rules.map(Self.rule)),
    ]
    var run: [String: JSONText] = [
      "tool": .object(["driver": .object(driver)]),
      "columnKind": .string("unicodeCodePoints"),
      "results": .array(results.map { result($0, rules, findings.text) }),
    ]
    if !base.folder.isEmpty {
      let uri = Self.reference(to: base.folder == "/" ? "/" : base.folder + "/")
      run["originalUriBaseIds"] = .object([Self.root: .object(["uri": .string(uri)])])
    }
    return JSONText.object([
      "$schema": .string("https://json.schemastore.org/sarif-2.1.0.json"),
      "version": .string("2.1.0"),
      "runs": .array([.object(run)]),
    ])
  }

  private static func rule(_ check: Check) -> JSONText {
    .object([
      "id": .string(check.id),
      "shortDescription": .object(["text": .string(check.summary)]),
      "fullDescription": .object(["text": .string(check.explanation)]),
      "help": .object(["text": .string(check.explanation)]),
      "helpUri": .string(helpPage(of: check)),
      "defaultConfiguration": .object([
        "level": .string(check.severity.rawValue), "enabled": .bool(!check.isOffByDefault),
      ]),
    ])
  }

  /// A page of others with the facts behind a check; packtool has none on the web.
  private static func helpPage(of check: Check) -> String {
    switch check {
    case .jsonSyntax, .duplicateKey: "https://www.rfc-editor.org/rfc/rfc8259"
    case .lfsPointer: "https://git-lfs.com"
    default:
      "https://developer.apple.com/library/archive/documentation/FileManagement/Conceptual/"
        + "On_Demand_Resources_Guide/index.html"
    }
  }

  private func result(_ diagnostic: Diagnostic, _ rules: [Check], _ text: SourceText?) -> JSONText {
    var members: [String: JSONText] = [
      "ruleId": .string(diagnostic.check.id),
      "level": .string(diagnostic.severity.rawValue),
      "message": .object(["text": .string(Self.message(of: diagnostic))]),
      "locations": .array([location(diagnostic.place, text)]),
    ]
    members["ruleIndex"] = rules.firstIndex(of: diagnostic.check).map { .integer(Int64($0)) }
    let related = diagnostic.notes.compactMap { note in
      note.place.map { location($0, text, message: note.message) }
    }
    if !related.isEmpty { members["relatedLocations"] = .array(related) }
    members["fixes"] = diagnostic.fix.flatMap { fix($0, at: diagnostic.place, text) }.map { .array([$0]) }
    if let acceptance = diagnostic.acceptance {
      members["suppressions"] = .array([
        .object([
          "kind": .string("external"), "status": .string("accepted"),
          "justification": .string(acceptance.reason), "location": location(acceptance.place, text),
        ])
      ])
    }
    return .object(members)
  }

  /// The message with the notes that have no place.
  private static func message(of diagnostic: Diagnostic) -> String {
    ([diagnostic.message] + diagnostic.notes.filter { $0.place == nil }.map(\.message)).joined(
      separator: "\n")
  }

  private func location(_ place: Place, _ text: SourceText?, message: String? = nil) -> JSONText {
    // GitHub refuses locations without a line, also those of files that have none.
    let region: [String: JSONText] = .known([
      "startLine": .integer(place.position?.line ?? 1),
      "startColumn": place.position.map { .integer(Self.column(of: $0, at: place.path, text)) },
    ])
    let physical: [String: JSONText] = [
      "artifactLocation": .object(artifact(at: place.path)), "region": .object(region),
    ]
    var members: [String: JSONText] = ["physicalLocation": .object(physical)]
    members["message"] = message.map { .object(["text": .string($0)]) }
    return .object(members)
  }

  /// A file, relative to the base if it is below that; an absolute path stays one but in GitHub's workspace.
  private func artifact(at path: String) -> [String: JSONText] {
    if base.isWorkspace || !path.hasPrefix("/"), let relative = base.relative(path) {
      return ["uri": .string(Self.reference(to: relative)), "uriBaseId": .string(Self.root)]
    }
    return ["uri": .string(Self.reference(to: base.absolute(path)))]
  }

  /// A change of the file of a place; nil if its text is not at hand.
  private func fix(_ edit: TextEdit, at place: Place, _ text: SourceText?) -> JSONText? {
    guard let file = text?.file(at: place.path),
      let start = file.place(at: edit.range.lowerBound).position,
      let end = file.place(at: edit.range.upperBound).position
    else { return nil }
    let region: [String: JSONText] = [
      "startLine": .integer(start.line),
      "startColumn": .integer(Self.column(of: start, at: place.path, text)),
      "endLine": .integer(end.line), "endColumn": .integer(Self.column(of: end, at: place.path, text)),
    ]
    let replacement: [String: JSONText] = [
      "deletedRegion": .object(region), "insertedContent": .object(["text": .string(edit.replacement)]),
    ]
    return .object([
      "description": .object(["text": .string("what packtool validate --fix does")]),
      "artifactChanges": .array([
        .object([
          "artifactLocation": .object(artifact(at: place.path)),
          "replacements": .array([.object(replacement)]),
        ])
      ]),
    ])
  }

  /// The column in characters, since SARIF does not count bytes.
  private static func column(of position: Place.Position, at path: String, _ text: SourceText?) -> Int {
    guard let line = text?.file(at: path)?.line(position.line) else { return position.column }
    return String(decoding: line.utf8.prefix(position.column - 1), as: UTF8.self).unicodeScalars.count + 1
  }

  /// A path as a URI reference: all but unreserved characters and slashes percent-encoded.
  private static func reference(to path: String) -> String {
    let encoded = PercentEncoding.text(of: path.utf8, leaving: PercentEncoding.path)
    return path.hasPrefix("/") ? "file://\(encoded)" : encoded
  }
}

extension Findings {
  /// Findings as GitLab's Code Quality report, which merge requests show beside the lines concerned.
  func codeQuality(_ base: PathBase) -> JSONText {
    var repeats: [String: Int] = [:]
    return .array(
      diagnostics.map { finding in
        let path = base.relative(finding.place.path) ?? finding.place.path
        let message = ([finding.message] + finding.notes.map(\.message)).joined(separator: "\n")
        // Without the line, since a finding that only moved is no new one.
        let print = MD5.hex(of: "\(finding.check.id)\n\(path)\n\(finding.message)")
        let number = repeats[print, default: 0]
        repeats[print] = number + 1
        return .object([
          "description": .string(message), "check_name": .string(finding.check.id),
          "fingerprint": .string(number == 0 ? print : MD5.hex(of: "\(print) \(number)")),
          "severity": .string(finding.severity.codeQualityName),
          "location": .object([
            "path": .string(path),
            "lines": .object(["begin": .integer(finding.place.position?.line ?? 1)]),
          ]),
        ])
      })
  }
}

extension Severity {
  fileprivate var codeQualityName: String {
    switch self {
    case .error: "critical"
    case .warning: "minor"
    case .note: "info"
    }
  }
}
