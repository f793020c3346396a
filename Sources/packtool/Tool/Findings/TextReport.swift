import Archiving
import Findings
import Formats
import PackKit

/// Findings as clang writes them: place, severity, message and id, the manifest's line with a caret, then notes.
struct TextReport {
  let isColored: Bool

  func text(_ findings: Findings) -> PlainText {
    findings.diagnostics.map { text($0, findings.text) }.joined()
  }

  /// Findings without quotes of their lines.
  func text(_ diagnostics: ArraySlice<Diagnostic>) -> PlainText {
    diagnostics.map { text($0, nil) }.joined()
  }

  private func text(_ diagnostic: Diagnostic, _ source: SourceText?) -> PlainText {
    let id = paint(" [\(diagnostic.check.id)]", .dim)
    var text = line(diagnostic.place, diagnostic.severity, "\(diagnostic.message)\(id)")
    text += quote(diagnostic.place, source)
    for note in diagnostic.notes {
      text += line(note.place ?? diagnostic.place, .note, "\(note.message)")
    }
    return text
  }

  private func line(_ place: Place, _ severity: Severity, _ message: PlainText) -> PlainText {
    let position = place.position.map { ":\($0.line):\($0.column)" } ?? ""
    let head: PlainText = "\(paint("\(place.path)\(position):", .bold))"
    return "\(head) \(paint("\(severity.rawValue):", color(of: severity))) \(message)\n"
  }

  /// The manifest's line of a finding, with a caret below its column.
  private func quote(_ place: Place, _ source: SourceText?) -> PlainText {
    guard let position = place.position, let source = source?.file(at: place.path),
      let line = source.line(position.line, upTo: Self.longestQuote), !line.isEmpty
    else { return "" }
    let before = harmless(Substring(line.utf8.prefix(position.column - 1)))
    let indent = before.map { character in
      character == "\t" ? "\t" : String(repeating: " ", count: character.screenWidth)
    }.joined()
    return "  \(line)\n  \(indent)\(paint("^", .green))\n"
  }

  /// The longest quoted line in bytes.
  private static let longestQuote = 200

  private func color(of severity: Severity) -> Screen.Style {
    switch severity {
    case .error: .red
    case .warning: .yellow
    case .note: .cyan
    }
  }

  private func paint(_ text: PlainText, _ style: Screen.Style) -> PlainText {
    Screen(width: nil, isColored: isColored).paint(text, style)
  }
}
