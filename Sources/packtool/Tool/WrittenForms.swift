import Findings
import Formats
import PackKit

/// Text for people, at a terminal or in a log.
typealias PlainText = Written<PlainForm>

enum PlainForm: PrintedForm {
  /// Text on one line, without what a terminal obeys.
  static func escaped(_ text: String) -> String { harmless(text) }
}

extension Written where Form == PlainForm {
  /// Several lines of packtool's own, such as help; what ends a line in them ends one in the output.
  init(lines: String) {
    let lines = lines.split(separator: "\n", omittingEmptySubsequences: false).map { line -> PlainText in
      "\(line)"
    }
    self = lines.joined(separator: "\n")
  }

  /// A document shown to people, with its own escapes.
  init(_ document: JSONText) {
    let safe: Written<JSONForm> = "\(LogForm.json.safe(document.text))"
    self.init(safe) { $0 }
  }
}

/// JSON, whose texts have its own escapes.
private enum JSONForm: WrittenForm {
  static func escaped(_ text: String) -> String { text }
}

/// Comma-separated values, whose texts from outside are one cell to every spreadsheet.
enum CSVForm: PrintedForm {
  /// A cell in quotes where it needs them; one that a spreadsheet would take for a formula gets an apostrophe.
  static func escaped(_ text: String) -> String {
    let isFormula = text.unicodeScalars.first.map { "=+-@\t".unicodeScalars.contains($0) } ?? false
    let safe = (isFormula ? "'" : "") + harmless(text)
    let isPlain = !safe.unicodeScalars.contains { ",\"\r\n".unicodeScalars.contains($0) }
    return isPlain ? safe : "\"" + safe.replacing("\"", with: "\"\"") + "\""
  }
}

/// Mermaid's charts, whose texts from outside are labels to every reader.
enum MermaidForm: PrintedForm {
  /// A text inside quotes of Mermaid, whose entities are numbers behind a number sign.
  static func escaped(_ text: String) -> String {
    harmless(text).unicodeScalars.map { scalar in
      switch scalar {
      case " ", "a"..."z", "A"..."Z", "0"..."9", "+", "-", "_", ".", ",", "(", ")": String(scalar)
      case _ where scalar.isASCII: "#\(scalar.value);"
      default: String(scalar)
      }
    }.joined()
  }
}

/// A name on one line without quotes and control characters.
func displayed(_ name: String) -> String { escaped(name) }

/// A place as a line begins with it: `Manifest.json:12:5`.
func displayed(_ place: Place) -> String {
  displayed(place.path) + (place.position.map { ":\($0.line):\($0.column)" } ?? "")
}

/// Markdown as GitHub and GitLab read it.
enum MarkdownForm: PrintedForm {
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

  static func table(_ rows: [[Self]], textColumns: Int) -> Self {
    guard let head = rows.first else { return "" }
    let marks: [Self] = head.indices.map { $0 < textColumns ? "---" : "--:" }
    return ([head, marks] + rows.dropFirst()).map { "| \($0.joined(separator: " | ")) |\n" }.joined()
  }
}
