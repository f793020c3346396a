import Formats
import System

enum DiagnosticsFormat: String, CaseIterable, Sendable {
  case text
  case json
  case github
  case sarif
  case junit
  case codequality

  /// Whether the output is a single document, such as JSON.
  ///
  /// No other line may follow such a document.
  var isDocument: Bool {
    switch self {
    case .text, .github: false
    case .json, .sarif, .junit, .codequality: true
    }
  }

  /// Writes the findings in this format.
  ///
  /// Paths for CI services are relative to `base`. Text is wrapped and colored for `screen`.
  func output(of findings: Findings, on screen: Screen, base: PathBase) -> Output {
    switch self {
    case .text where screen.showsAll:
      Output(findings.diagnostics.text(on: screen, quoting: findings.sources))
    case .text:
      Output(findings.diagnostics.shortText(on: screen, quoting: findings.sources)).shortened
    case .json:
      Output(
        findings.document(["tool": JSONText.fields(["name": Tool.name, "version": Tool.version])]))
    case .github: Output(findings.gitHubCommands(base))
    case .sarif: Output(SARIFReport(base: base).json(findings))
    case .junit: Output(findings.jUnit)
    case .codequality: Output(findings.codeQuality(base))
    }
  }
}

extension Findings {
  var counts: JSONText {
    .fields([
      "errors": count(.error), "warnings": count(.warning), "notes": count(.note),
      // Only the results of runs with accepted findings have this key, so the keys of all other results stay
      // the same.
      "accepted": acceptedCount > 0 ? acceptedCount : nil,
    ])
  }

  /// The members with the findings, which every JSON output has.
  ///
  /// The accepted findings are separate from the findings that users should act on.
  var members: [String: JSONText] {
    .fields([
      "diagnostics": diagnostics.map(\.json), "accepted": accepted.isEmpty ? nil : accepted.map(\.json),
    ])
  }

  /// Returns a JSON document with the given members, the findings and their counts.
  func document(_ members: [String: (any JSONRepresentable)?]) -> JSONText {
    var all: [String: JSONText] = .fields(members).merging(self.members) { _, own in own }
    all["formatVersion"] = .integer(1)
    all["summary"] = counts
    return .object(all)
  }
}

extension Diagnostic {
  var json: JSONText {
    let notes = notes.map { note in
      let message = ["message": JSONText.string(note.message)]
      return note.place?.json(with: message) ?? message
    }
    return .object(
      place.json(with: [
        "id": check.id, "severity": severity.rawValue, "message": message,
        "notes": notes.isEmpty ? nil : notes, "value": measurement?.value, "limit": measurement?.limit,
        "acceptance": acceptance.map { $0.place.json(with: ["reason": $0.reason]) },
      ]))
  }
}

extension Place {
  /// Returns the members of a JSON object: the members that describe this place, and the given members.
  func json(with members: [String: (any JSONRepresentable)?]) -> [String: JSONText] {
    .fields(["file": path, "line": position?.line, "column": position?.column]).merging(.fields(members)) {
      $1
    }
  }
}

/// The folder that paths in reports for CI services are relative to.
///
/// The folder is the checkout in a GitHub or GitLab job, and otherwise the current folder.
struct PathBase: Sendable {
  /// The absolute path of the folder; empty if the path of the current folder is not known.
  let folder: String
  let isWorkspace: Bool
  private let current: String

  /// Finds the folder.
  ///
  /// The checkout is used only if the current folder is inside the checkout.
  init(_ environment: Environment) {
    let current = Self.absolute(".") ?? ""
    let checkout = environment[.gitHubCheckout] ?? environment[.gitLabCheckout]
    let workspace = checkout.flatMap(Self.absolute)
    isWorkspace = workspace.map { current == $0 || current.hasPrefix($0 + "/") } ?? false
    folder = isWorkspace ? workspace ?? current : current
    self.current = current
  }

  /// Returns a path relative to the base; nil if the path is outside the base.
  func relative(_ path: String) -> String? {
    let whole = absolute(path)
    guard !folder.isEmpty, whole.utf8.count > folder.utf8.count + 1, whole.hasPrefix(folder + "/") else {
      return nil
    }
    return String(whole.dropFirst(folder.count + 1))
  }

  /// Returns an absolute path without "." and "..".
  ///
  /// The file need not exist.
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
