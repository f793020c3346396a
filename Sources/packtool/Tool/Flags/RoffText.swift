/// The text of a manual page in the macros of man(7).
///
/// Texts can contain code in backticks, which is printed in bold.
struct RoffText: Sendable {
  private(set) var text = ""

  /// The number of bytes in a line of the source, without the escapes.
  private static let lineWidth = 72

  /// Begins a page.
  ///
  /// The section of the manual is 1 for commands and 5 for file formats.
  init(title: String, section: Int, summary: String, tool: ManPage.Tool) {
    text = ".TH \(title.uppercased()) \(section) \(tool.date) \"\(tool.name) \(tool.version)\"\n"
    // Without these requests, man would hyphenate names of files and commands, and stretch the spaces in them.
    text += ".nh\n.ad l\n.SH NAME\n"
    text += "\(Self.escaped(title)) \\- \(Self.inline(summary))\n"
  }

  mutating func addHeading(_ heading: String) { text += ".SH \(Self.escaped(heading.uppercased()))\n" }

  mutating func addSubheading(_ heading: String) { text += ".SS \(Self.inline(heading))\n" }

  mutating func addParagraph(_ paragraph: String) {
    // man(7) begins the first paragraph after a heading itself.
    if !isAtStart { text += ".PP\n" }
    text += Self.lines(of: paragraph)
  }

  mutating func addParagraphs(_ paragraphs: [String]) { for text in paragraphs { addParagraph(text) } }

  /// Adds lines such as command lines, in which the words in capitals are to be replaced.
  mutating func addUsage(_ usages: [String]) {
    text += usages.map { Self.usage($0) + "\n" }.joined(separator: ".br\n")
  }

  /// Adds labels, each with an explanation below it.
  ///
  /// In a label of the kind `usage`, the words in capitals are to be replaced.
  mutating func add(_ rows: [HelpRow], labels: LabelKind) {
    for row in rows {
      let label =
        switch labels {
        case .usage: Self.usage(row.label)
        case .name: "\\fB\(Self.escaped(row.label))\\fP"
        case .text: Self.inline(row.label)
        }
      text += ".TP\n\(Self.guarded(label))\n"
      text += row.text.split(separator: "\n").map { Self.lines(of: String($0)) }.joined(separator: ".br\n")
    }
  }

  /// Adds a section with labels, or nothing if there are no labels.
  mutating func add(_ rows: [HelpRow], under heading: String, labels: LabelKind) {
    if rows.isEmpty { return }
    addHeading(heading)
    add(rows, labels: labels)
  }

  enum LabelKind {
    case usage
    case name
    case text
  }

  mutating func addListItem(_ item: String) { text += ".IP \\(bu 3\n" + Self.lines(of: item) }

  /// Adds lines that are printed as they are.
  mutating func addCode(_ lines: [String]) {
    if !isAtStart { text += ".PP\n" }
    text += ".RS 2\n.nf\n" + lines.map { Self.guarded(Self.escaped($0)) + "\n" }.joined() + ".fi\n.RE\n"
  }

  /// Adds the names of other pages, such as `packtool(1)`.
  mutating func addReferences(_ pages: [ManPage.Reference]) {
    text += pages.map { ".BR \(Self.escaped($0.name)) (\($0.section))" }.joined(separator: ",\n") + "\n"
  }

  private var isAtStart: Bool {
    let end = text.utf8.lastIndex { $0 != UInt8(ascii: "\n") } ?? text.startIndex
    let start = text.utf8[..<end].lastIndex(of: UInt8(ascii: "\n"))
    let last = text[(start.map(text.utf8.index(after:)) ?? text.startIndex)...]
    return last.hasPrefix(".SH") || last.hasPrefix(".SS")
  }
}

// Escapes and line breaks.
extension RoffText {
  /// Breaks a text into short lines.
  ///
  /// Each sentence starts on a new line.
  private static func lines(of text: String) -> String {
    var lines: [String] = []
    let sentences = text.split(separator: ". ", omittingEmptySubsequences: true)
    for (number, sentence) in sentences.enumerated() {
      lines += wrapped(inline(String(sentence) + (number + 1 < sentences.count ? "." : "")), to: lineWidth)
    }
    return lines.map { guarded($0) + "\n" }.joined()
  }

  /// Returns a command line or a path in bold, with the words in capitals in italics.
  private static func usage(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    var next = text.startIndex
    while let start = text.utf8[next...].firstIndex(where: isLetter) {
      next = text.utf8[start...].firstIndex { !isLetter($0) } ?? text.endIndex
      let word = text[start..<next]
      // A single capital letter after a dash is the name of a flag, as in `-C`.
      let isFlag = word.utf8.count == 1 && text.utf8[..<start].last == UInt8(ascii: "-")
      if isFlag || word.utf8.contains(where: { $0 >= UInt8(ascii: "a") }) { continue }
      result += bold(text[rest.startIndex..<word.startIndex]) + "\\fI\(word)\\fP"
      rest = text[word.endIndex...]
    }
    return result + bold(rest)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    // The bit is the difference between a capital letter and a lower-case letter.
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func bold(_ text: Substring) -> String {
    text.isEmpty ? "" : "\\fB\(escaped(String(text)))\\fP"
  }

  /// Returns a text with code in bold and without backticks.
  private static func inline(_ text: String) -> String {
    let parts = text.split(separator: "`", omittingEmptySubsequences: false)
    // A text with a single backtick contains no code.
    if parts.count % 2 == 0 { return escaped(text) }
    return parts.enumerated().map { number, part in
      number % 2 == 0 ? escaped(String(part)) : "\\fB\(escaped(String(part)))\\fP"
    }.joined()
  }

  /// Escapes the characters that roff would interpret or replace.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "\"": result += "\\(dq"
      case "`": result += "\\(ga"
      case "'": result += "\\(aq"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      case "…": result += "..."
      case _ where scalar.isASCII: result.unicodeScalars.append(scalar)
      default:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        result += "\\[u\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)]"
      }
    }
    return result
  }

  /// Returns a line that roff does not read as a macro.
  private static func guarded(_ line: String) -> String {
    line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
  }
}
