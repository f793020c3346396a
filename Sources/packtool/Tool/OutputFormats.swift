import Formats
import Model
import Pipeline
import System

typealias PlainText = Written<PlainForm>

enum PlainForm: PrintedForm {
  /// Returns text on one line, without characters that control a terminal.
  static func escaped(_ text: String) -> String { harmless(text) }
}

extension Written where Form == PlainForm {
  /// Makes output from packtool's own lines, such as help.
  ///
  /// Line ends are kept.
  init(lines: String) {
    let lines = lines.split(separator: "\n", omittingEmptySubsequences: false).map { line -> PlainText in
      "\(line)"
    }
    self = lines.joined(separator: "\n")
  }

  init(_ document: JSONText) {
    let safe: Written<JSONForm> = "\(LogForm.json.safe(document.text))"
    self.init(safe) { $0 }
  }
}

/// JSON text.
///
/// The values in it are already escaped.
private enum JSONForm: WrittenForm {
  static func escaped(_ text: String) -> String { text }
}

/// Comma-separated values.
///
/// Every spreadsheet reads text from outside as a single cell.
enum CSVForm: PrintedForm {
  /// Quotes a cell if necessary.
  ///
  /// If a spreadsheet would interpret a cell as a formula, the cell gets an apostrophe.
  static func escaped(_ text: String) -> String {
    let isFormula = text.unicodeScalars.first.map { "=+-@\t".unicodeScalars.contains($0) } ?? false
    let safe = (isFormula ? "'" : "") + harmless(text)
    let isPlain = !safe.unicodeScalars.contains { ",\"\r\n".unicodeScalars.contains($0) }
    return isPlain ? safe : "\"" + safe.replacing("\"", with: "\"\"") + "\""
  }
}

func displayed(_ name: String) -> String { escaped(name) }

/// Formats a shell command that users can copy from a terminal.
func displayed(_ command: ShellText) -> String { escaped(command.text) }

/// Formats a place for the start of a line: `Manifest.json:12:5`.
func displayed(_ place: Place) -> String {
  displayed(place.path) + (place.position.map { ":\($0.line):\($0.column)" } ?? "")
}

enum MarkdownForm: PrintedForm {
  /// Returns text on one line, with the special characters of Markdown and HTML escaped.
  ///
  /// Services find links, mentions and references even in escaped text. A zero-width space prevents this.
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

  /// Whether a web service could make a link from a string and the character after it.
  ///
  /// Examples are `@name`, `#1`, `GH-1`, `!1`, `www.` and `http://`.
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
  /// Makes a table of strings that may come from outside.
  ///
  /// The first row is the header.
  ///
  /// Columns after the first `textColumns` are right-aligned.
  static func table(_ rows: [[String]], textColumns: Int) -> Self {
    table(rows.map { row in row.map { cell -> Self in "\(cell)" } }, textColumns: textColumns)
  }

  static func table(_ rows: [[Self]], textColumns: Int) -> Self {
    guard let head = rows.first else { return "" }
    let marks: [Self] = head.indices.map { $0 < textColumns ? "---" : "--:" }
    return ([head, marks] + rows.dropFirst()).map { "| \($0.joined(separator: " | ")) |\n" }.joined()
  }
}

enum OutputFormat: String, CaseIterable, Sendable {
  case text
  case json
  case markdown
  case csv
  /// Xcode's text format for the sizes of an app's variants.
  case thinningReport = "thinning-report"
}

extension OutputFormat {
  /// Standard output, if the output is a single document after which nothing may be written; otherwise empty.
  var destinations: [Destination] {
    switch self {
    case .json, .thinningReport: [Destination(flag: "--format", path: Session.standardOutput)]
    case .text, .markdown, .csv: []
    }
  }
}

extension Flag {
  /// Makes the flag `--format`, which accepts the formats that a command's result has.
  static func outputFormat(
    of result: String, in forms: [OutputFormat] = [.text, .json], into target: Target<OutputFormat>
  ) -> Flag {
    .parsed(
      "--format", valueName: "FORMAT", kind: .choice(forms.map(\.rawValue)),
      summary: "format of the \(result)", parse: { name in OutputFormat(rawValue: name) ?? .text },
      into: target)
  }
}

extension Session {
  /// Writes a command's result to standard output, as text or as JSON.
  ///
  /// If the text is empty, nothing is written.
  func print(
    _ format: OutputFormat, text: @autoclosure () -> PlainText, json: @autoclosure () -> JSONText
  ) throws {
    if format == .json { return try print(Output(json())) }
    let text = text()
    if !text.isEmpty { try print(text) }
  }

  /// If there is no result because of errors and the format is JSON, writes a JSON document.
  ///
  /// Programs that expect the result read this document instead.
  func refuse(_ findings: Findings, format: OutputFormat) throws -> ExitStatus {
    if format == .json { try print(Output(findings.document(["status": "refused"]))) }
    return .inputHasErrors
  }
}

protocol PrintedForm: WrittenForm, SendableMetatype {
  /// The filter that is applied last to text in this format.
  static var log: LogForm { get }
}

extension PrintedForm {
  static var log: LogForm { .plain }
}

/// A complete text in one format.
///
/// The text can be written to a terminal, a log or a report file.
struct Output: Sendable {
  let text: String

  init<Form: PrintedForm>(_ text: Written<Form>) { self.text = Form.log.safe(text.text) }

  init(_ document: JSONText) { text = LogForm.json.safe(document.text) }

  init(json text: String) { self.text = LogForm.json.safe(text) }

  init(json text: ByteBuffer) { self.init(json: String(decoding: text.array(), as: UTF8.self)) }

  private init(short text: String) { self.text = text }

  var shortened: Output { Output(short: TagNames.shortening(text)) }
}

/// A filter for output to a terminal or a CI log.
///
/// It is the last filter. After it, untrusted text cannot control the terminal or the CI service.
///
/// CI services interpret some characters as commands. For GitHub, these are `::` at the beginning of a line,
/// even after spaces, and `##[` anywhere. For Azure, they are `##[` and `##vso[`, and for TeamCity
/// `##teamcity[`.
enum LogForm: Sendable {
  case plain
  case json
  case xml
  /// GitHub workflow commands.
  ///
  /// The code that writes them escapes all other lines itself.
  case commands

  /// Returns the text without commands and control sequences.
  ///
  /// Colours and progress lines are kept.
  func safe(_ text: String) -> String {
    if !Self.mayNeedEscapes(text) { return text }
    var safe = String.UnicodeScalarView()
    var isLineStart = true
    var rest = text.unicodeScalars[...]
    while let scalar = rest.first {
      if self == .plain, scalar == "\u{1b}", let end = Self.endOfStyle(rest) {
        // In a coloured line, the text begins after the escape sequence of the colour.
        safe.append(contentsOf: rest[..<end])
        rest = rest[end...]
        continue
      }
      rest.removeFirst()
      let isCommand =
        scalar == ":"
        ? self == .plain && isLineStart && rest.first == ":" : scalar == "#" && Self.isCommandBehind(rest)
      if isCommand || scalar.isControlOrInvisible && !["\n", "\r", "\t"].contains(scalar) {
        safe.append(contentsOf: escape(of: scalar).unicodeScalars)
      } else {
        safe.append(scalar)
      }
      isLineStart = scalar == "\n" || scalar == "\r" || isLineStart && scalar.properties.isWhitespace
    }
    return String(safe)
  }

  private func escape(of scalar: Unicode.Scalar) -> String {
    let hex = String(scalar.value, radix: 16)
    return switch self {
    // All characters that are escaped have at most 16 bits, so four hex digits are enough.
    case .json: "\\u" + String(repeating: "0", count: max(4 - hex.utf8.count, 0)) + hex
    case .xml: "&#x\(hex);"
    case .plain, .commands: "\\u{\(hex)}"
    }
  }

  /// Whether a number sign begins a command.
  ///
  /// This is so if it is followed by another number sign, an optional name, and a bracket.
  private static func isCommandBehind(_ rest: Substring.UnicodeScalarView) -> Bool {
    guard rest.first == "#" else { return false }
    return rest.dropFirst().first { !("a"..."z").contains($0) && !("A"..."Z").contains($0) } == "["
  }

  /// Returns the end of an escape sequence that packtool itself writes to set a colour or to clear a line;
  /// nil for any other text.
  private static func endOfStyle(_ text: Substring.UnicodeScalarView) -> String.Index? {
    guard text.dropFirst().first == "[" else { return nil }
    let numbers = text.dropFirst(2).prefix { ("0"..."9").contains($0) || $0 == ";" }
    guard numbers.endIndex < text.endIndex, ["m", "K"].contains(text[numbers.endIndex]) else { return nil }
    return text.index(after: numbers.endIndex)
  }

  /// Whether the text may contain characters to escape.
  ///
  /// The check must be fast, because most texts do not contain such characters.
  private static func mayNeedEscapes(_ text: String) -> Bool {
    var last: UInt8 = 0
    return text.utf8.contains { byte in
      defer { last = byte }
      if byte == last && (byte == UInt8(ascii: ":") || byte == UInt8(ascii: "#")) { return true }
      // These are the first bytes of all characters that are escaped: U+0080 to U+009F, U+061C, U+2000 and
      // above, and U+FEFF.
      return switch byte {
      case 0x0a: false
      case 0..<0x20, 0x7f, 0xc2, 0xd8, 0xe2, 0xef: true
      default: false
      }
    }
  }
}

/// A value that can be written as JSON.
protocol JSONRepresentable {
  var jsonText: JSONText { get }
}

extension JSONText: JSONRepresentable {
  var jsonText: JSONText { self }

  static func fields(_ members: [String: (any JSONRepresentable)?]) -> JSONText { .object(.fields(members)) }
}

extension [String: JSONText] {
  static func fields(_ members: [String: (any JSONRepresentable)?]) -> Self {
    members.compactMapValues { $0?.jsonText }
  }
}

extension String: JSONRepresentable {
  var jsonText: JSONText { .string(self) }
}

extension Bool: JSONRepresentable {
  var jsonText: JSONText { .bool(self) }
}

extension Double: JSONRepresentable {
  var jsonText: JSONText { .real(self) }
}

extension Int: JSONRepresentable {
  var jsonText: JSONText { .integer(self) }
}

extension Int64: JSONRepresentable {
  var jsonText: JSONText { .integer(self) }
}

extension Array: JSONRepresentable where Element: JSONRepresentable {
  var jsonText: JSONText { .array(map(\.jsonText)) }
}

extension Dictionary: JSONRepresentable where Key == String, Value: JSONRepresentable {
  var jsonText: JSONText { .object(mapValues(\.jsonText)) }
}
