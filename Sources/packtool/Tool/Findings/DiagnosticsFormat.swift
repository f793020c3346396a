import Findings
import Formats
import System

enum DiagnosticsFormat: String, CaseIterable, Sendable {
  case text
  case json
  case github
  case sarif
  case junit
  case codequality

  /// Whether the output is one document, which no other line may follow.
  var isDocument: Bool {
    switch self {
    case .text, .github: false
    case .json, .sarif, .junit, .codequality: true
    }
  }

  /// The findings in this form; services read paths from `base`.
  func output(of findings: Findings, isColored: Bool, base: PathBase, isWhole: Bool) -> Output {
    switch self {
    case .text where isWhole:
      Output(findings.diagnostics.text(isColored: isColored, quoting: findings.text))
    case .text:
      Output(findings.diagnostics.shortText(isColored: isColored, quoting: findings.text)).shortened
    case .json:
      Output(
        findings.document(["tool": .object(["name": .string(Tool.name), "version": .string(Tool.version)])]))
    case .github: Output(findings.gitHubCommands(base))
    case .sarif: Output(SARIFReport(base: base).json(findings))
    case .junit: Output(findings.jUnit)
    case .codequality: Output(findings.codeQuality(base))
    }
  }
}

extension Findings {
  /// The numbers of findings, the same in every JSON output.
  var counts: JSONText {
    var counts = Dictionary(
      uniqueKeysWithValues: Severity.allCases.map { ("\($0.rawValue)s", JSONText.integer(Int64(count($0)))) })
    // Only of runs with such findings, so that all others have the same keys.
    if acceptedCount > 0 { counts["accepted"] = .integer(Int64(acceptedCount)) }
    return .object(counts)
  }

  /// The findings of every JSON output: those to act on, and apart from them the accepted ones.
  var members: [String: JSONText] {
    .known([
      "diagnostics": .array(diagnostics.map(\.json)),
      "accepted": accepted.isEmpty ? nil : .array(accepted.map(\.json)),
    ])
  }

  /// A JSON document with these members, the findings and their numbers.
  func document(_ members: [String: JSONText]) -> JSONText {
    var own = self.members
    own["formatVersion"] = .integer(1)
    own["summary"] = counts
    return .object(members.merging(own) { _, own in own })
  }
}

extension Diagnostic {
  var json: JSONText {
    var members = place.json
    members["id"] = .string(check.id)
    members["severity"] = .string(severity.rawValue)
    members["message"] = .string(message)
    if !notes.isEmpty { members["notes"] = .array(notes.map(\.json)) }
    members["acceptance"] = acceptance?.json
    return .object(members)
  }
}

extension Acceptance {
  fileprivate var json: JSONText {
    var members = place.json
    members["reason"] = .string(reason)
    return .object(members)
  }
}

extension Diagnostic.Note {
  fileprivate var json: JSONText {
    var members = place?.json ?? [:]
    members["message"] = .string(message)
    return .object(members)
  }
}

extension Place {
  var json: [String: JSONText] {
    .known([
      "file": .string(path),
      "line": position.map { .integer(Int64($0.line)) },
      "column": position.map { .integer(Int64($0.column)) },
    ])
  }
}

/// The folder that paths in reports for services are relative to: the checkout of GitHub or GitLab, or else the
/// current folder.
struct PathBase: Sendable {
  /// The absolute path; empty if the current folder has none.
  let folder: String
  /// Whether it is such a checkout.
  let isWorkspace: Bool
  private let current: String

  /// The checkout only counts for a run inside of it.
  init(_ environment: [String: String]) {
    let current = Self.absolute(".") ?? ""
    let checkout = environment["GITHUB_WORKSPACE"] ?? environment["CI_PROJECT_DIR"]
    let workspace = checkout.flatMap(Self.absolute)
    isWorkspace = workspace.map { current == $0 || current.hasPrefix($0 + "/") } ?? false
    folder = isWorkspace ? workspace ?? current : current
    self.current = current
  }

  /// A path relative to the base; nil if it leads elsewhere.
  func relative(_ path: String) -> String? {
    let whole = absolute(path)
    guard !folder.isEmpty, whole.utf8.count > folder.utf8.count + 1, whole.hasPrefix(folder + "/") else {
      return nil
    }
    return String(whole.dropFirst(folder.count + 1))
  }

  /// The absolute path without "." and "..", which a file need not exist for.
  func absolute(_ path: String) -> String {
    var parts: [Substring] = []
    for part in (path.hasPrefix("/") ? path : "\(current)/\(path)").split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }

  private static func absolute(_ path: String) -> String? {
    (try? FileOperations.realPath(of: path)).flatMap { String(validating: $0, as: UTF8.self) }
  }
}
