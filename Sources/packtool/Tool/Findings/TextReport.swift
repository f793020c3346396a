import Archiving
import Formats
import Model
import Pipeline
import System

extension Sequence<Diagnostic> {
  /// Writes findings like the messages of clang, with place, severity, message and id.
  ///
  /// After each message come the manifest's line with a caret, and then the attached lines, indented.
  func text(on screen: Screen = .plain, quoting source: SourceText? = nil) -> PlainText {
    map { finding in
      screen.line(
        finding.place, severity: finding.severity,
        message: "\(finding.message)\(screen.paint(" [\(finding.check.id)]", style: .dim))")
        + screen.quote(finding.place, source: source)
        + finding.notes.map { screen.line($0, of: finding) }.joined()
    }.joined()
  }
}

extension [Diagnostic] {
  /// If a check has at least this number of findings, all these findings except the first become rows of a
  /// table.
  private static let many = 20
  private static let maxRows = 50

  /// Returns the same text as `text`, except that many findings of one check become one finding with a table.
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
  /// The table contains only the words that differ. First and last words that all messages have in common are
  /// left out.
  private static func table(of group: [Diagnostic]) -> PlainText {
    if group.differOnlyInFile { return folders(of: group) }
    let words = group.map { $0.message.split(separator: " ") }
    let front = commonCount(words)
    var back = commonCount(words.map { $0.dropFirst(front).reversed() })
    // Words in parentheses stay together.
    while back > 0, words[0].suffix(back).joined().prefix(while: { $0 != "(" }).contains(")") { back -= 1 }
    var table = TextTable([.left, .left])
    for (finding, words) in zip(group, words).dropFirst().prefix(maxRows) {
      table.add(displayed(finding.place), words.dropFirst(front).dropLast(back).joined(separator: " "))
    }
    let left = group.count - 1 - maxRows
    return "  \(counted(group.count - 1, of: "more finding")) of this check:\n" + table.text(indentation: 4)
      + (left > 0 ? "    and \(grouped(left)) more; --verbose lists all\n" : "")
  }

  /// Lists the folders of findings about files, with the number of files in each folder.
  private static func folders(of group: [Diagnostic]) -> PlainText {
    let folders = Dictionary(grouping: group.dropFirst()) { folderPath(of: $0.place.path) }.sorted {
      ($1.value.count, $0.key) < ($0.value.count, $1.key)
    }
    var table = TextTable([.left, .right, .left])
    for (folder, findings) in folders.prefix(maxRows) {
      let example = lastName(of: findings[0].place.path)
      table.add(
        displayed(folder), counted(findings.count, of: "file"),
        findings.count == 1 ? displayed(example) : "such as \(displayed(example))")
    }
    let left = folders.count - maxRows
    return "  \(grouped(group.count - 1)) more of this check, by folder:\n" + table.text(indentation: 4)
      + (left > 0 ? "    and \(grouped(left)) more folders\n" : "") + "    --verbose lists all files\n"
  }

  /// Whether the findings are about whole files, and their messages differ only in one quoted name.
  private var differOnlyInFile: Bool {
    let texts = map { $0.message.split(separator: "\"", omittingEmptySubsequences: false) }
    return allSatisfy { $0.place.position == nil }
      && texts.allSatisfy { $0.count == 3 && $0[0] == texts[0][0] && $0[2] == texts[0][2] }
  }

  private static func commonCount(_ lists: [[Substring]]) -> Int {
    lists.dropFirst().reduce(lists.first?.count ?? 0) { count, list in
      zip(lists[0].prefix(count), list).prefix { first, second in first == second }.count
    }
  }
}

extension Screen {
  fileprivate func line(_ place: Place, severity: Severity, message: PlainText) -> PlainText {
    "\(head(place)) \(paint("\(severity.rawValue):", style: color(of: severity))) \(message)\n"
  }

  /// Returns an attached line, with its place if this is not the finding's place.
  fileprivate func line(_ attached: Diagnostic.AttachedLine, of finding: Diagnostic) -> PlainText {
    let place: PlainText = attached.place.map { $0 == finding.place ? "" : "\(head($0)) " } ?? ""
    let style: Style = attached.kind == .help ? .green : .dim
    return "  \(paint("\(attached.kind.rawValue):", style: style)) \(place)\(attached.message)\n"
  }

  private func head(_ place: Place) -> PlainText {
    let position = place.position.map { ":\($0.line):\($0.column)" } ?? ""
    return paint("\(place.path)\(position):", style: .bold)
  }

  /// Returns the line of the manifest that a finding is about, with a caret below the finding's column.
  fileprivate func quote(_ place: Place, source: SourceText?) -> PlainText {
    guard let position = place.position, let source = source?.file(at: place.path),
      !InputFile.leavesCheckout(place.path), let line = source.line(position.line, maxBytes: 200),
      !line.isEmpty
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
