import Findings

/// Markdown as GitHub and GitLab read it.
enum MarkdownForm: WrittenForm {
  /// Text on one line, with the special characters of Markdown and HTML escaped.
  ///
  /// Links, mentions and references are found in what escapes stand for, so a space of no width breaks them.
  static func escaped(_ text: String) -> String {
    let scalars = Array(harmless(text).unicodeScalars)
    return scalars.indices.map { index in
      let isBroken = index + 1 < scalars.count && mayRefer(scalars[...index], to: scalars[index + 1])
      return escaped(scalars[index]) + (isBroken ? "&#8203;" : "")
    }.joined()
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\\", "`", "*", "_", "[", "]", "|", "#", "~", "!": "\\\(scalar)"
    case "<": "&lt;"
    case ">": "&gt;"
    case "&": "&amp;"
    case "\t": " "
    default: String(scalar)
    }
  }

  /// Whether a page may make something of a text that goes on with a character: of `@name`, `#1`, `GH-1`, `!1`, `www.` or
  /// `http://`.
  private static func mayRefer(_ text: ArraySlice<Unicode.Scalar>, to next: Unicode.Scalar) -> Bool {
    switch text.last {
    case "@", "#", "!", "$", "~", "%", "&", "^":
      next.properties.isAlphabetic || next.properties.numericType != nil || next == "\"" || next == "_"
    case ":": next == "/"
    case "-": ends(text.dropLast(), with: "gh")
    default: next == "." && ends(text, with: "www")
    }
  }

  private static func ends(_ text: ArraySlice<Unicode.Scalar>, with word: String) -> Bool {
    text.suffix(word.utf8.count).elementsEqual(word.unicodeScalars) {
      $0.properties.lowercaseMapping == String($1)
    }
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
