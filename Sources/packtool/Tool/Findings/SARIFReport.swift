import Formats
import Model
import Pipeline
import System

/// Findings as SARIF 2.1.0, a format that code scanning services read.
struct SARIFReport {
  let base: PathBase

  /// The name of the base of relative paths.
  ///
  /// Services replace it with their own folder.
  private static let root = "%SRCROOT%"

  func json(_ findings: Findings) -> JSONText {
    let results = findings.diagnostics + findings.accepted
    let occurring = Set(results.map(\.check))
    let rules = Check.all.filter(occurring.contains)
    var bases: [String: [String: String]]?
    if !base.folder.isEmpty {
      bases = [Self.root: ["uri": Self.reference(to: base.folder == "/" ? "/" : base.folder + "/")]]
    }
    let driver = JSONText.fields([
      "name": Tool.name, "version": Tool.version, "semanticVersion": Tool.version,
      "rules": rules.map(Self.rule),
    ])
    let run = JSONText.fields([
      "tool": ["driver": driver], "columnKind": "unicodeCodePoints",
      "results": results.map { result($0, rules: rules, text: findings.sources) },
      "originalUriBaseIds": bases,
    ])
    return .fields([
      "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run],
      // The check "output-in-pack" recognizes the file by this property, because it comes first.
      "properties": ["generator": Tool.name],
    ])
  }

  private static func rule(_ check: Check) -> JSONText {
    .fields([
      "id": check.id, "shortDescription": ["text": check.summary],
      "fullDescription": ["text": check.explanation], "help": ["text": check.explanation],
      "helpUri": helpPage(of: check),
      "defaultConfiguration": JSONText.fields([
        "level": check.severity.rawValue, "enabled": !check.isOffByDefault,
      ]),
    ])
  }

  /// Returns the address of a web page about the subject of a check.
  ///
  /// Other organizations wrote these pages, because packtool has no web pages.
  private static func helpPage(of check: Check) -> String {
    switch check {
    case .jsonSyntax, .duplicateKey: "https://www.rfc-editor.org/rfc/rfc8259"
    case .lfsPointer: "https://git-lfs.com"
    default:
      "https://developer.apple.com/library/archive/documentation/FileManagement/Conceptual/"
        + "On_Demand_Resources_Guide/index.html"
    }
  }

  private func result(_ diagnostic: Diagnostic, rules: [Check], text: SourceText?) -> JSONText {
    let related = diagnostic.notes.compactMap { note in
      note.place.map { location($0, text: text, message: note.message) }
    }
    let suppressions = diagnostic.acceptance.map { acceptance in
      [
        JSONText.fields([
          "kind": "external", "status": "accepted", "justification": acceptance.reason,
          "location": location(acceptance.place, text: text),
        ])
      ]
    }
    return .fields([
      "ruleId": diagnostic.check.id, "level": diagnostic.severity.rawValue,
      "message": ["text": Self.message(of: diagnostic)],
      "locations": [location(diagnostic.place, text: text)],
      "ruleIndex": rules.firstIndex(of: diagnostic.check),
      "relatedLocations": related.isEmpty ? nil : related,
      "fixes": diagnostic.fix.flatMap { fix($0, at: diagnostic.place, text: text) }.map { [$0] },
      "suppressions": suppressions,
    ])
  }

  private static func message(of diagnostic: Diagnostic) -> String {
    ([diagnostic.message] + diagnostic.notes.filter { $0.place == nil }.map(\.message)).joined(
      separator: "\n")
  }

  private func location(_ place: Place, text: SourceText?, message: String? = nil) -> JSONText {
    // GitHub rejects locations without a line number, even for files that have no lines.
    let region = JSONText.fields([
      "startLine": place.position?.line ?? 1,
      "startColumn": place.position.map { Self.columnInCharacters(of: $0, at: place.path, in: text) },
    ])
    return .fields([
      "physicalLocation": JSONText.fields(["artifactLocation": artifact(at: place.path), "region": region]),
      "message": message.map { ["text": $0] },
    ])
  }

  /// Returns the location of a file.
  ///
  /// The location is relative to the base if the file is below the base. Otherwise, it is absolute.
  ///
  /// A path that the user typed as an absolute path becomes relative only in GitHub's or GitLab's workspace.
  private func artifact(at path: String) -> [String: String] {
    if base.isWorkspace || !path.hasPrefix("/"), let relative = base.relative(path) {
      return ["uri": Self.reference(to: relative), "uriBaseId": Self.root]
    }
    return ["uri": Self.reference(to: base.absolute(path))]
  }

  /// Returns the change that a fix makes to a file; nil if the file's text is not available.
  private func fix(_ edit: TextEdit, at place: Place, text: SourceText?) -> JSONText? {
    guard let file = text?.file(at: place.path),
      let start = file.place(at: edit.range.lowerBound).position,
      let end = file.place(at: edit.range.upperBound).position
    else { return nil }
    let region = [
      "startLine": start.line, "startColumn": Self.columnInCharacters(of: start, at: place.path, in: text),
      "endLine": end.line, "endColumn": Self.columnInCharacters(of: end, at: place.path, in: text),
    ]
    let replacement = JSONText.fields([
      "deletedRegion": region, "insertedContent": ["text": edit.replacement],
    ])
    let change = JSONText.fields([
      "artifactLocation": artifact(at: place.path), "replacements": [replacement],
    ])
    return .fields([
      "description": ["text": "the change that packtool validate --fix makes"], "artifactChanges": [change],
    ])
  }

  /// Returns the column, counted in characters, because SARIF does not count columns in bytes.
  private static func columnInCharacters(
    of position: Place.Position, at path: String, in sources: SourceText?
  ) -> Int {
    guard let line = sources?.file(at: path)?.line(position.line) else { return position.column }
    return String(decoding: line.utf8.prefix(position.column - 1), as: UTF8.self).unicodeScalars.count + 1
  }

  /// Returns a path as a URI reference.
  ///
  /// All characters except slashes and unreserved characters are percent-encoded.
  private static func reference(to path: String) -> String {
    let encoded = PercentEncoding.text(of: path.utf8, leaving: PercentEncoding.path)
    return path.hasPrefix("/") ? "file://\(encoded)" : encoded
  }
}

extension Findings {
  /// Writes findings as a GitLab Code Quality report.
  ///
  /// GitLab shows these findings in merge requests, next to the lines concerned.
  func codeQuality(_ base: PathBase) -> JSONText {
    var repeats: [String: Int] = [:]
    return .array(
      diagnostics.map { finding in
        let path = base.relative(finding.place.path) ?? finding.place.path
        let message = ([finding.message] + finding.notes.map(\.message)).joined(separator: "\n")
        // The fingerprint does not include the line, because a finding whose line changed is not a new
        // finding.
        let print = MD5.hex(of: "\(finding.check.id)\n\(path)\n\(finding.message)")
        let number = repeats[print, default: 0]
        repeats[print] = number + 1
        return .fields([
          "description": message, "check_name": finding.check.id,
          "fingerprint": number == 0 ? print : MD5.hex(of: "\(print) \(number)"),
          "severity": finding.severity.codeQualityName,
          "location": JSONText.fields([
            "path": path, "lines": JSONText.fields(["begin": finding.place.position?.line ?? 1]),
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
