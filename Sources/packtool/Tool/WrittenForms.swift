import Findings
import Formats
import PackKit

/// Text for people, at a terminal or in a log.
typealias PlainText = Written<PlainForm>

enum PlainForm: WrittenForm {
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
enum CSVForm: WrittenForm {
  /// A cell in quotes where it needs them; one that a spreadsheet would take for a formula gets an apostrophe.
  static func escaped(_ text: String) -> String {
    let isFormula = text.unicodeScalars.first.map { "=+-@\t".unicodeScalars.contains($0) } ?? false
    let safe = (isFormula ? "'" : "") + harmless(text)
    let isPlain = !safe.unicodeScalars.contains { ",\"\r\n".unicodeScalars.contains($0) }
    return isPlain ? safe : "\"" + safe.replacing("\"", with: "\"\"") + "\""
  }
}

/// Mermaid's charts, whose texts from outside are labels to every reader.
enum MermaidForm: WrittenForm {
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
