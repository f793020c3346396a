import Findings

/// Markdown as GitHub and GitLab read it.
enum Markdown {
  /// Text on one line, with the special characters of Markdown and HTML escaped.
  static func escaped(_ text: String) -> String {
    harmless(text).unicodeScalars.map { scalar in
      switch scalar {
      case "\\", "`", "*", "_", "[", "]", "|", "#", "~", "!": "\\\(scalar)"
      case "<": "&lt;"
      case ">": "&gt;"
      case "&": "&amp;"
      // A user name would notify the user.
      case "@": "&#64;"
      case "\t": " "
      default: String(scalar)
      }
    }.joined()
  }

  /// A table of escaped cells, whose first row is the header; columns after the first `textColumns` are
  /// right-aligned.
  static func table(_ rows: [[String]], textColumns: Int) -> String {
    guard let head = rows.first else { return "" }
    let marks = head.indices.map { $0 < textColumns ? "---" : "--:" }
    let lines = [head, marks] + rows.dropFirst()
    return lines.map { "| \($0.joined(separator: " | ")) |\n" }.joined()
  }
}
