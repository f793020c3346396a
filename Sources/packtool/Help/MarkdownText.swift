import Formats

/// A page in Markdown, as lines for a terminal.
///
/// Paragraphs, lists and tables are wrapped. Marks without meaning in a terminal are left out: backticks,
/// asterisks, comments, and the targets of links to other pages.
struct MarkdownText {
  private let width: Int
  private(set) var lines: [String] = []
  /// The lines of the paragraph, list element or table that is being read.
  private var open: [Substring] = []

  /// Renders a page for lines of at most `width` characters, unless a single word or a line of code is longer.
  init(_ page: String, width: Int) {
    self.width = max(width, 40)
    var isCode = false
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.drop(while: { $0 == " " }).hasPrefix("```") {
        endBlock()
        isCode.toggle()
      } else if isCode {
        lines.append(line.isEmpty ? "" : "    \(line)")
      } else {
        read(line)
      }
    }
    endBlock()
    while lines.last == "" { lines.removeLast() }
  }

  var text: String { lines.map { "\($0)\n" }.joined() }

  private mutating func read(_ line: Substring) {
    if line.hasPrefix("<!--") || line.hasPrefix("@") { return }
    if line.isEmpty {
      endBlock()
      if lines.last != "" { lines.append("") }
    } else if line.hasPrefix("#") {
      endBlock()
      addHeading(line)
    } else {
      let continuesBlock = open.isEmpty || open[0].hasPrefix("|") == line.hasPrefix("|")
      if Self.marker(of: line) != nil || !continuesBlock { endBlock() }
      open.append(line)
    }
  }

  private mutating func addHeading(_ line: Substring) {
    let level = line.prefix { $0 == "#" }.count
    let title = wrapped(Self.plain(line.dropFirst(level).drop { $0 == " " }), to: width)
    lines += title
    let longest = title.map(\.count).max() ?? 0
    if level <= 2 { lines.append(String(repeating: level == 1 ? "=" : "-", count: longest)) }
  }

  /// Adds the lines of the block that is open.
  private mutating func endBlock() {
    defer { open = [] }
    guard let first = open.first else { return }
    if first.hasPrefix("|") { return addTable() }
    let marker = Self.marker(of: first) ?? ""
    let text = ([first.dropFirst(marker.count)] + open.dropFirst()).map { $0.drop { $0 == " " } }
    let wrappedLines = wrapped(Self.plain(text.joined(separator: " ")[...]), to: width - marker.count)
    let space = String(repeating: " ", count: marker.count)
    lines += wrappedLines.enumerated().map { ($0 == 0 ? marker : space) + $1 }
  }

  /// The indentation and the mark of a list element, such as `- ` or `1. `; nil for other lines.
  private static func marker(of line: Substring) -> String? {
    line.prefixMatch(of: /\ *(?:[-*]|[0-9]+\.|>) +/).map { String($0.output) }
  }

  /// Returns a text without the marks of Markdown.
  static func plain(_ text: Substring) -> String { unmarked(String(text)).replacing("`", with: "") }

  /// Returns a text in which only code still has marks.
  static func unmarked(_ text: String) -> String {
    // Most texts have no marks, and regular expressions are slow.
    guard text.utf8.contains(where: { "<[*\\".utf8.contains($0) }) else { return text }
    return text.replacing(/<doc:([^>]*)>/) { "\"help \(topicName(ofPage: String($0.output.1)))\"" }
      .replacing(/!?\[([^\]]*)\]\((https?:[^)\s]*)\)/) { "\($0.output.1) (\($0.output.2))" }
      .replacing(/!?\[([^\]]*)\]\([^)\s]*\)/) { $0.output.1 }
      .replacing(/\*\*([^*`]+)\*\*/) { $0.output.1 }
      .replacing("\\|", with: "|")
  }
}

// Tables.
extension MarkdownText {
  private mutating func addTable() {
    let rows = open.filter { $0.contains { !"|-: ".contains($0) } }.map { row in
      Self.cells(of: row).map { Self.plain($0[...]) }
    }
    let count = rows.map(\.count).max() ?? 0
    if count == 0 { return }
    let table = rows.map { $0 + Array(repeating: "", count: count - $0.count) }
    let widths = columnWidths(of: table, count: count)
    if Self.total(of: widths) > width { return addList(of: table) }
    for (number, row) in table.enumerated() {
      let cells = zip(row, widths).map { wrapped($0, to: $1) }
      for line in 0..<max(1, cells.map(\.count).max() ?? 0) {
        let parts = zip(cells, widths).map { cell, width in
          let text = line < cell.count ? cell[line] : ""
          return text + String(repeating: " ", count: max(0, width - text.count))
        }
        lines.append(Self.trimmedEnd(parts.joined(separator: "  ")))
      }
      if number == 0 {
        let rules = widths.map { String(repeating: "-", count: $0) }
        lines.append(rules.joined(separator: "  "))
      }
    }
  }

  /// Adds a table that is too wide as a list: the first cell of each row, and below it the other cells with
  /// the headings of their columns.
  private mutating func addList(of table: [[String]]) {
    guard let heads = table.first else { return }
    for row in table.dropFirst() {
      addElement(row[0], marker: "- ")
      for (head, cell) in zip(heads, row).dropFirst() where !cell.isEmpty {
        addElement(head.isEmpty ? cell : "\(head): \(cell)", marker: "  ")
      }
    }
  }

  /// Adds a text with a marker before its first line, and indents the other lines further.
  private mutating func addElement(_ text: String, marker: String) {
    let space = String(repeating: " ", count: marker.count + 2)
    let wrappedLines = wrapped(text, to: width - space.count)
    if wrappedLines.isEmpty { lines.append(Self.trimmedEnd(marker)) }
    lines += wrappedLines.enumerated().map { ($0 == 0 ? marker : space) + $1 }
  }

  /// The width of a table with columns of these widths.
  private static func total(of widths: [Int]) -> Int { widths.reduce(2 * (widths.count - 1), +) }

  /// The texts of a row's cells, with their marks; a pipe after a backslash belongs to the text.
  static func cells(of row: Substring) -> [String] {
    let mark = "\u{1}"
    let text = row.replacing("\\|", with: mark)
    var cells = text.split(separator: "|", omittingEmptySubsequences: false)[...]
    if cells.first?.allSatisfy({ $0 == " " }) == true { cells = cells.dropFirst() }
    if cells.last?.allSatisfy({ $0 == " " }) == true { cells = cells.dropLast() }
    return cells.map { $0.replacing(mark, with: "|").split(separator: " ").joined(separator: " ") }
  }

  /// The widths of columns: as wide as the longest cell, or narrower if the table does not fit.
  private func columnWidths(of table: [[String]], count: Int) -> [Int] {
    var widths = (0..<count).map { column in table.map { $0[column].count }.max() ?? 0 }
    let words = (0..<count).map { column in
      table.flatMap { $0[column].split(separator: " ").map(\.count) }.max() ?? 0
    }
    // The widest column gets narrower, but not narrower than its longest word.
    while Self.total(of: widths) > width {
      let candidates = widths.indices.filter { widths[$0] > max(words[$0], 8) }
      guard let widest = candidates.max(by: { widths[$0] < widths[$1] }) else { break }
      widths[widest] -= 1
    }
    return widths
  }

  private static func trimmedEnd(_ line: String) -> String {
    line.lastIndex { $0 != " " }.map { String(line[...$0]) } ?? ""
  }
}

/// Returns the topic of `help` for a page, such as "background-assets" for `BackgroundAssets`.
///
/// Every run needs the names of all topics, so this function is a loop: a regular expression took half of the
/// instructions of `packtool --version`.
func topicName(ofPage page: String) -> String {
  var name: [UInt8] = []
  var wasLower = false
  for byte in page.utf8 {
    let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    if isUpper && wasLower { name.append(UInt8(ascii: "-")) }
    name.append(isUpper ? byte | 0x20 : byte)
    wasLower = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
  }
  return String(decoding: name, as: UTF8.self)
}
