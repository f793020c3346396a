import Findings

/// Markdown as GitHub and GitLab read it.
enum Markdown {
  /// Text on one line without what Markdown or HTML would take for a mark.
  static func escaped(_ text: String) -> String {
    harmless(text).unicodeScalars.map { scalar in
      switch scalar {
      case "\\", "`", "*", "_", "[", "]", "|", "#", "~", "!": "\\\(scalar)"
      case "<": "&lt;"
      case ">": "&gt;"
      case "&": "&amp;"
      // A name of somebody would tell them.
      case "@": "&#64;"
      case "\t": " "
      default: String(scalar)
      }
    }.joined()
  }

  /// A table of escaped cells, the first row its head; the columns behind some are for numbers.
  static func table(_ rows: [[String]], textColumns: Int) -> String {
    guard let head = rows.first else { return "" }
    let marks = head.indices.map { $0 < textColumns ? "---" : "--:" }
    let lines = [head, marks] + rows.dropFirst()
    return lines.map { "| \($0.joined(separator: " | ")) |\n" }.joined()
  }
}
