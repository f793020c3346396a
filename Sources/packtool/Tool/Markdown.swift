import Findings

/// Markdown as GitHub and GitLab read it.
enum MarkdownForm: WrittenForm {
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
}

extension Written where Form == MarkdownForm {
  /// A table of texts that may come from outside, whose first row is the header; columns after the first
  /// `textColumns` are right-aligned.
  static func table(_ rows: [[String]], textColumns: Int) -> Self {
    table(rows.map { row in row.map { cell -> Self in "\(cell)" } }, textColumns: textColumns)
  }

  /// The same of cells in Markdown.
  static func table(_ rows: [[Self]], textColumns: Int) -> Self {
    guard let head = rows.first else { return "" }
    let marks: [Self] = head.indices.map { $0 < textColumns ? "---" : "--:" }
    return ([head, marks] + rows.dropFirst()).map { "| \($0.joined(separator: " | ")) |\n" }.joined()
  }
}
