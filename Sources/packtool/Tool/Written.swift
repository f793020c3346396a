import Findings
import Formats
import PackKit

/// A form of output with its one rule for text from outside.
protocol WrittenForm {
  /// Text from outside, which after this is only text to all readers of the form.
  static func escaped(_ text: String) -> String
}

/// Text that may be written in one form.
///
/// Only literals of the source are written as they are. Any `String` may hold a name, a tag or the message of a
/// library; so one is escaped where it is interpolated, and the compiler refuses it everywhere else.
struct Written<Form: WrittenForm>: Sendable, Equatable, ExpressibleByStringInterpolation {
  private(set) var text: String

  init(stringLiteral words: StaticString) { text = words.description }

  init(stringInterpolation parts: Interpolation) { text = parts.text }

  /// Text that is safe in another form, made safe in this one by a function that knows both.
  init<Other>(_ other: Written<Other>, by convert: (String) -> String) { text = convert(other.text) }

  var isEmpty: Bool { text.isEmpty }

  /// The parts of a literal with values in it.
  struct Interpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

    mutating func appendLiteral(_ words: StaticString) { text += words.description }

    /// Appends text that may come from outside.
    mutating func appendInterpolation(_ outside: some StringProtocol) {
      text += Form.escaped(String(outside))
    }

    /// Appends text of this form.
    mutating func appendInterpolation(_ own: Written<Form>) { text += own.text }

    /// Appends text that was made for another form, as a quote.
    mutating func appendInterpolation<Other>(quoting other: Written<Other>) {
      text += Form.escaped(other.text)
    }

    mutating func appendInterpolation(_ number: some BinaryInteger) { text += String(number) }
    mutating func appendInterpolation(_ number: Double) { text += String(number) }
  }

  static func + (first: Written, second: Written) -> Written { "\(first)\(second)" }
  static func += (first: inout Written, second: Written) { first.text += second.text }
}

extension Sequence {
  /// All texts in one.
  func joined<Form>(separator: Written<Form> = "") -> Written<Form> where Element == Written<Form> {
    var whole: Written<Form> = ""
    for (index, part) in enumerated() { whole += index == 0 ? part : separator + part }
    return whole
  }
}

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
  init(_ document: JSONText) { self.init(Written<JSONForm>(document)) { $0 } }
}

private enum JSONForm: WrittenForm {
  static func escaped(_ text: String) -> String { text }
}

extension Written where Form == JSONForm {
  fileprivate init(_ document: JSONText) { text = LogForm.json.safe(document.text) }
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
