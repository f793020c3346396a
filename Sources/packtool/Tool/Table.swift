import Formats

/// A table that can be written in every output format.
///
/// It has rows, and columns that make a cell from a row.
struct Table<Row> {
  /// A cell.
  ///
  /// It contains words, a number with a value for sorting, or HTML for a page.
  enum Cell {
    case words(String, upTo: Int)
    /// The short name of a pack, and all of its tags.
    case pack(String, tags: [String])
    case number(String, sortedBy: Int64?)
    case markup(HTML, sortedBy: Int64?)

    fileprivate var text: String {
      switch self {
      case .words(let text, _), .number(let text, sortedBy: _), .pack(let text, tags: _): text
      case .markup: ""
      }
    }
  }

  struct Column {
    let title: String
    let side: TextTable.Side
    let cell: (Row) -> Cell

    /// Makes a column of words.
    ///
    /// Pages show at most `limit` characters of each cell.
    static func text(
      _ title: String = "", upTo limit: Int = 160, text: @escaping (Row) -> String
    ) -> Column {
      Column(title: title, side: .left) { .words(text($0), upTo: limit) }
    }

    /// Makes a column of packs, which are shown with their tags.
    ///
    /// Pages show all tags of a pack only on hover.
    static func tags(_ title: String = "", names: TagNames, tags: @escaping (Row) -> [String]) -> Column {
      Column(title: title, side: .left) { .pack(names.name(of: tags($0)), tags: tags($0)) }
    }

    /// Makes a column of right-aligned words.
    ///
    /// Each cell has a value for sorting.
    static func number(
      _ title: String = "", by value: @escaping (Row) -> Int64? = { _ in nil },
      text: @escaping (Row) -> String
    ) -> Column {
      Column(title: title, side: .right) { .number(text($0), sortedBy: value($0)) }
    }

    static func size(_ title: String = "", bytes: @escaping (Row) -> Int64?) -> Column {
      .number(title, by: bytes) { bytes($0).map { ByteSize.text($0) } ?? "–" }
    }

    static func count<Number: BinaryInteger>(_ title: String = "", count: @escaping (Row) -> Number)
      -> Column
    {
      .number(title, by: { Int64(clamping: count($0)) }) { grouped(count($0)) }
    }

    static func markup(
      _ title: String, by value: @escaping (Row) -> Int64? = { _ in nil }, markup: @escaping (Row) -> HTML
    ) -> Column {
      Column(title: title, side: .left) { .markup(markup($0), sortedBy: value($0)) }
    }
  }

  let rows: [Row]
  let columns: [Column]

  init(_ rows: some Sequence<Row>, columns: [Column]) {
    self.rows = Array(rows)
    self.columns = columns
  }

  init(_ rows: some Sequence<Row>, columns: Column...) { self.init(rows, columns: columns) }

  private func texts(of row: Row) -> [String] { columns.map { $0.cell(row).text } }

  /// Returns the rows as lines for a screen.
  ///
  /// If there are headings, they come first.
  func text(indentation: Int = 0, on screen: Screen = .plain) -> PlainText {
    var table = TextTable(columns.map(\.side))
    if columns.contains(where: { !$0.title.isEmpty }) { table.add(columns.map(\.title)) }
    for row in rows { table.add(texts(of: row)) }
    return table.text(indentation: indentation, on: screen)
  }

  /// Returns the table in Markdown; columns after the first `textColumns` are right-aligned.
  func markdown(textColumns: Int = 1) -> Written<MarkdownForm> {
    .table([columns.map(\.title)] + rows.map(texts), textColumns: textColumns)
  }

  /// The rows as comma-separated values (RFC 4180).
  var csv: Written<CSVForm> {
    ([columns.map(\.title)] + rows.map(texts)).map { row in
      row.map { cell -> Written<CSVForm> in "\(cell)" }.joined(separator: ",") + "\r\n"
    }.joined()
  }

  func html(_ caption: String, attributes: (Row) -> HTML = { _ in "" }) -> HTML {
    let heads = columns.map { column -> HTML in
      column.side == .left
        ? "<th scope=\"col\">\(column.title)</th>"
        : "<th scope=\"col\" class=\"n\" align=\"right\">\(column.title)</th>"
    }
    let lines = rows.map { row -> HTML in
      let cells = columns.indices.map { HTML.cell(columns[$0].cell(row), as: $0 == 0 ? .head : .data) }
      return "<tr\(attributes(row))>\(cells)</tr>\n"
    }
    // A long table scrolls in its own frame. Users must be able to reach the frame with the keyboard.
    let frame: HTML =
      rows.count > 25
      ? "<div class=\"wide tall\" tabindex=\"0\" role=\"region\" aria-label=\"\(caption)\">"
      : "<div class=\"wide\">"
    return """
      \(frame)<table class="sort" cellpadding="3">
      <caption>\(caption)</caption>
      <thead><tr>\(heads)</tr></thead>
      <tbody>
      \(lines)</tbody></table></div>

      """
  }
}

extension HTML {
  /// The role of a cell in its row.
  fileprivate enum CellRole {
    case head
    case data
  }

  fileprivate static func cell<Row>(_ cell: Table<Row>.Cell, as role: CellRole) -> HTML {
    let (content, kind, value): (HTML, HTML, Int64?) =
      switch cell {
      case .words(let text, let limit): ("\(text, upTo: limit)", "", nil)
      case .pack(let name, tags: let tags): (.pack(name, tags: tags), "", nil)
      case .number(let text, sortedBy: let value): ("\(text)", " class=\"n\"", value)
      case .markup(let markup, sortedBy: let value): (markup, "", value)
      }
    if role == .head { return "<th scope=\"row\">\(content)</th>" }
    let sorting: HTML = value.map { " data-v=\"\($0)\"" } ?? ""
    let side: HTML = if case .number = cell { " align=\"right\"" } else { "" }
    return "<td\(kind)\(sorting)\(side)>\(content)</td>"
  }
}

/// Rows of cells.
///
/// Each column is as wide as its widest cell, and empty columns have no width.
struct TextTable {
  enum Side {
    case left
    case right
  }

  private struct Line {
    /// The text of each cell, without characters that control a terminal.
    var cells: [String]
    var style: Screen.Style?
  }

  private let sides: [Side]
  /// The lines of each row.
  ///
  /// A wrapped row has several lines.
  private var rows: [[Line]] = []

  init(_ sides: [Side]) { self.sides = sides }

  /// Adds a row of strings, which may come from outside.
  ///
  /// Cells that are missing at the end of the row are empty.
  mutating func add(_ cells: String...) { add(cells) }

  mutating func add(_ cells: [String]) { rows.append([Line(cells: cells.map(PlainForm.escaped))]) }

  mutating func add(_ first: String, firstCellStyle style: Screen.Style?, cells: String...) {
    rows.append([Line(cells: ([first] + cells).map(PlainForm.escaped), style: style)])
  }

  private var widths: [Int] {
    sides.indices.map { column in
      rows.joined().map { column < $0.cells.count ? $0.cells[column].screenWidth : 0 }.max() ?? 0
    }
  }

  /// This table with short names of packs.
  ///
  /// The names are chosen so that they differ from one another in all rows.
  private var shortened: TextTable {
    let mark = "\u{1}"
    let text = rows.joined().flatMap(\.cells).joined(separator: mark)
    let short = TagNames.shortening(text)
    if short == text { return self }
    var cells = short.split(separator: mark, omittingEmptySubsequences: false)[...]
    var table = self
    for row in rows.indices {
      for line in rows[row].indices {
        for cell in rows[row][line].cells.indices {
          table.rows[row][line].cells[cell] = cells.popFirst().map(String.init) ?? ""
        }
      }
    }
    return table
  }

  /// Wraps the widest column of text, so that each line fits into the width.
  ///
  /// Words are not split.
  private func fitting(_ width: Int) -> TextTable {
    let widths = widths
    let all = widths.reduce(0) { $1 == 0 ? $0 : $0 + $1 + 2 } - 2
    let texts = sides.indices.filter { sides[$0] == .left }
    guard all > width, let widest = texts.max(by: { widths[$0] < widths[$1] }) else { return self }
    let room = max(16, widths[widest] - (all - width))
    var table = TextTable(sides)
    table.rows = rows.map { lines in
      lines.flatMap { line -> [Line] in
        if widest >= line.cells.count { return [line] }
        return Screen.lines(of: line.cells[widest], width: room).enumerated().map { number, text in
          var part = number == 0 ? line : Line(cells: Array(repeating: "", count: line.cells.count))
          part.cells[widest] = text
          return part
        }
      }
    }
    return table
  }

  func text(indentation: Int = 0, on screen: Screen = .plain) -> PlainText {
    blocks(indentation: indentation, on: screen).joined()
  }

  func blocks(indentation: Int = 0, on screen: Screen = .plain) -> [PlainText] {
    let table = (screen.showsAll ? self : shortened).fitting(screen.lineWidth - indentation)
    let widths = table.widths
    return table.rows.map { lines in
      lines.map { table.text(of: $0, widths: widths, indentation: indentation, on: screen) }.joined()
    }
  }

  private func text(of line: Line, widths: [Int], indentation: Int, on screen: Screen) -> PlainText {
    let shown = line.cells.indices.filter { widths[$0] > 0 }
    let last = shown.last { !line.cells[$0].isEmpty }
    var text: PlainText = "\(Screen.space(indentation))"
    for column in shown where column <= last ?? -1 {
      let cell: PlainText = screen.paint("\(line.cells[column])", style: column == 0 ? line.style : nil)
      if column != shown.first { text += "  " }
      if column == last && sides[column] == .left {
        text += cell
        continue
      }
      let space = Screen.space(widths[column] - line.cells[column].screenWidth)
      text += sides[column] == .right ? "\(space)\(cell)" : "\(cell)\(space)"
    }
    return last == nil ? "\n" : text + "\n"
  }
}
