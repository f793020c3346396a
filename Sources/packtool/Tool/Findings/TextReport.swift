import Archiving
import Findings
import Formats
import PackKit

extension Sequence<Diagnostic> {
  /// Findings as clang writes them: place, severity, message and id, the manifest's line with a caret, then notes.
  func text(isColored: Bool = false, quoting source: SourceText? = nil) -> PlainText {
    let screen = Screen(width: nil, isColored: isColored)
    return map { finding in
      screen.line(
        finding.place, finding.severity, "\(finding.message)\(screen.paint(" [\(finding.check.id)]", .dim))")
        + screen.quote(finding.place, source)
        + finding.notes.map { screen.line($0.place ?? finding.place, .note, "\($0.message)") }.joined()
    }.joined()
  }
}

extension Screen {
  fileprivate func line(_ place: Place, _ severity: Severity, _ message: PlainText) -> PlainText {
    let position = place.position.map { ":\($0.line):\($0.column)" } ?? ""
    let head: PlainText = "\(paint("\(place.path)\(position):", .bold))"
    return "\(head) \(paint("\(severity.rawValue):", color(of: severity))) \(message)\n"
  }

  /// The manifest's line of a finding, with a caret below its column.
  fileprivate func quote(_ place: Place, _ source: SourceText?) -> PlainText {
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
  private static var longestQuote: Int { 200 }

  private func color(of severity: Severity) -> Style {
    switch severity {
    case .error: .red
    case .warning: .yellow
    case .note: .cyan
    }
  }
}
