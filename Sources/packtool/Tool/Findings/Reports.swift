import Archiving
import Formats
import Model
import Pipeline
import System

extension Sequence<Diagnostic> {
  /// Writes findings like the messages of clang: place, severity, message and id.
  ///
  /// The manifest's line with a caret and attached lines follow.
  func text(on screen: Screen = .plain, quoting source: SourceText? = nil) -> PlainText {
    map { finding in
      screen.line(
        finding.place, severity: finding.severity,
        message: "\(finding.message)\(screen.paint(" [\(finding.check.id)]", style: .dim))")
        + screen.quote(finding.place, source: source)
        + finding.notes.map {
          screen.line($0.place ?? finding.place, severity: .note, message: "\($0.message)")
        }.joined()
    }.joined()
  }
}

extension [Diagnostic] {
  /// If a check has at least this number of findings, all findings except the first become rows of a table.
  private static let many = 20
  private static let maxRows = 50

  /// The same text as `text`, but many findings of the same check become one finding with a table.
  func shortText(on screen: Screen, quoting source: SourceText?) -> PlainText {
    let groups = Dictionary(grouping: self) { [$0.check.id, $0.severity.rawValue] }
    var shown: Set<[String]> = []
    return map { finding in
      let kind = [finding.check.id, finding.severity.rawValue]
      guard let group = groups[kind], group.count >= Self.many else {
        return [finding].text(on: screen, quoting: source)
      }
      if !shown.insert(kind).inserted { return "" }
      return [finding].text(on: screen, quoting: source) + Self.table(of: group)
    }.joined()
  }

  /// Makes a table from the messages of one check.
  ///
  /// It contains only the words that differ: common first and last words are left out.
  private static func table(of group: [Diagnostic]) -> PlainText {
    let words = group.map { $0.message.split(separator: " ") }
    let front = commonCount(words)
    var back = commonCount(words.map { $0.dropFirst(front).reversed() })
    // Keep words in parentheses together.
    while back > 0, words[0].suffix(back).joined().prefix(while: { $0 != "(" }).contains(")") { back -= 1 }
    var table = TextTable([.left, .left])
    for (finding, words) in zip(group, words).dropFirst().prefix(maxRows) {
      table.add(displayed(finding.place), words.dropFirst(front).dropLast(back).joined(separator: " "))
    }
    let left = group.count - 1 - maxRows
    return "  \(grouped(group.count - 1)) more of this check:\n" + table.text(indentation: 4)
      + (left > 0 ? "    and \(grouped(left)) more; --verbose lists all\n" : "")
  }

  private static func commonCount(_ lists: [[Substring]]) -> Int {
    lists.dropFirst().reduce(lists.first?.count ?? 0) { count, list in
      zip(lists[0].prefix(count), list).prefix { first, second in first == second }.count
    }
  }
}

extension Screen {
  fileprivate func line(_ place: Place, severity: Severity, message: PlainText) -> PlainText {
    let position = place.position.map { ":\($0.line):\($0.column)" } ?? ""
    let head: PlainText = "\(paint("\(place.path)\(position):", style: .bold))"
    return "\(head) \(paint("\(severity.rawValue):", style: color(of: severity))) \(message)\n"
  }

  /// Returns the line of the manifest that a finding is about, with a caret below the finding's column.
  fileprivate func quote(_ place: Place, source: SourceText?) -> PlainText {
    guard let position = place.position, let source = source?.file(at: place.path),
      !InputFile.isStray(place.path), let line = source.line(position.line, maxBytes: 200), !line.isEmpty
    else { return "" }
    let before = harmless(Substring(line.utf8.prefix(position.column - 1)))
    let indent = before.map { character in
      character == "\t" ? "\t" : String(repeating: " ", count: character.screenWidth)
    }.joined()
    return "  \(line)\n  \(indent)\(paint("^", style: .green))\n"
  }

  private func color(of severity: Severity) -> Style {
    switch severity {
    case .error: .red
    case .warning: .yellow
    case .note: .cyan
    }
  }
}

extension Findings {
  /// Findings as JUnit XML.
  ///
  /// Each check is a test case, so that a CI service also shows checks that passed.
  var jUnit: Written<XMLForm> {
    let byCheck = Dictionary(grouping: diagnostics, by: \.check)
    let failures = byCheck.values.count { $0.hasErrors }
    let name = [Tool.name, manifestPath].filter { !$0.isEmpty }.joined(separator: " ")
    let suite: Written<XMLForm> =
      "name=\"\(name)\" tests=\"\(Check.all.count)\" failures=\"\(failures)\" errors=\"0\" skipped=\"0\" time=\"0\""
    let accepted = Dictionary(grouping: self.accepted, by: \.check)
    let cases = Check.all.map {
      Self.testCase($0, diagnostics: byCheck[$0] ?? [], accepted: accepted[$0] ?? [])
    }.joined()
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite \(suite)>\n\(cases)"
      + "  </testsuite>\n</testsuites>\n"
  }

  private static func testCase(
    _ check: Check, diagnostics: [Diagnostic], accepted: [Diagnostic]
  ) -> Written<XMLForm> {
    let head: Written<XMLForm> = "    <testcase classname=\"\(Tool.name)\" name=\"\(check.id)\" time=\"0\""
    if diagnostics.isEmpty && accepted.isEmpty { return head + "/>\n" }
    let errors = diagnostics.filter { $0.severity == .error }
    let others = diagnostics.filter { $0.severity != .error }
    var text = head + ">\n"
    if let first = errors.first {
      // A test case has only one failure, so its text contains all findings.
      text +=
        "      <failure type=\"\(check.id)\" message=\"\(first.message)\">\(quoting: errors.text())</failure>\n"
    }
    let reported =
      others.text()
      + accepted.map { finding -> PlainText in
        let reason: PlainText = finding.acceptance.map { ": \($0.reason)" } ?? ""
        return "\(finding.place.path): accepted\(reason) (\(finding.message))\n"
      }.joined()
    if !reported.isEmpty { text += "      <system-out>\(quoting: reported)</system-out>\n" }
    return text + "    </testcase>\n"
  }
}

/// XML in which a text from outside is never interpreted as markup.
enum XMLForm: PrintedForm {
  static let log = LogForm.xml

  static func escaped(_ text: String) -> String { xmlEscaped(text) }
}

extension Findings {
  /// Writes findings as GitHub workflow commands, which GitHub shows at the lines concerned.
  func gitHubCommands(_ base: PathBase) -> Written<GitHubForm> {
    // The maximum number of annotations of one severity that GitHub shows for a step. It drops further
    // annotations without a message.
    let most = 10
    return Severity.allCases.map { severity -> Written<GitHubForm> in
      let all = diagnostics.filter { $0.severity == severity }
      if all.count <= most { return all.map { $0.command(base) }.joined() }
      let (shown, rest) = (all.prefix(most - 1), all.dropFirst(most - 1))
      let more =
        "\(grouped(rest.count)) more \(severity.rawValue)s are not shown here; the log has all of them"
      return shown.map { $0.command(base) }.joined() + "::\(severity.gitHubName)::\(more)\n"
        + Written(rest.text(), by: Self.uncommanded)
    }.joined()
  }

  /// Changes lines whose beginning looks like a command, for example because of a file's path.
  private static func uncommanded(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.drop(while: \.isWhitespace).hasPrefix("::") ? "./\(line)" : String(line)
    }.joined(separator: "\n")
  }
}

extension Diagnostic {
  fileprivate func command(_ base: PathBase) -> Written<GitHubForm> {
    // GitHub needs paths that are relative to its workspace, even if a step runs in a folder below the
    // workspace.
    let shown = base.isWorkspace ? base.relative(place.path) ?? place.path : place.path
    var properties: Written<GitHubForm> = "file=\(Self.property(shown))"
    if let position = place.position {
      properties += ",line=\(position.line),col=\(position.column)"
    }
    properties += ",title=\(Self.property(check.id))"
    let message = ([message] + notes.map { "note: \($0.message)" }).joined(separator: "\n")
    return "::\(severity.gitHubName) \(properties)::\(message)\n"
  }

  private static func property(_ outside: String) -> Written<GitHubForm> {
    Written("\(outside)" as Written<GitHubPropertyForm>) { $0 }
  }
}

extension Severity {
  fileprivate var gitHubName: String { self == .note ? "notice" : rawValue }
}

/// GitHub workflow commands.
///
/// A command ends at the end of its line.
enum GitHubForm: PrintedForm {
  static let log = LogForm.commands

  static func escaped(_ text: String) -> String {
    replacing(["%": "%25", "\r": "%0D", "\n": "%0A"], in: text)
  }
}

/// The properties of workflow commands, which are separated by colons and commas.
private enum GitHubPropertyForm: WrittenForm {
  static func escaped(_ text: String) -> String {
    replacing(["%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"], in: text)
  }
}

private func replacing(_ escapes: [Unicode.Scalar: String], in text: String) -> String {
  text.unicodeScalars.map { escapes[$0] ?? String($0) }.joined()
}
