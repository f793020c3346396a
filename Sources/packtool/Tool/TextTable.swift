import Findings

/// Rows of cells in columns as wide as their widest cell; columns without any text take no room.
struct TextTable {
  /// The alignment of a column's cells.
  enum Side {
    case left
    case right
  }

  /// One line of a row.
  private struct Line {
    /// The cells, without what a terminal obeys.
    var cells: [String]
    /// The style of the first cell.
    var style: Screen.Style?
  }

  private let sides: [Side]
  /// Each row in its lines, which are several where it was wrapped.
  private var rows: [[Line]] = []

  init(_ sides: [Side]) {
    self.sides = sides
  }

  /// Adds a row, of texts that may come from outside; missing cells at its end are empty.
  mutating func add(_ cells: String...) { add(cells) }

  mutating func add(_ cells: [String]) { rows.append([Line(cells: cells.map(PlainForm.escaped))]) }

  /// Adds a row whose first cell has a style.
  mutating func add(_ first: String, in style: Screen.Style?, _ cells: String...) {
    rows.append([Line(cells: ([first] + cells).map(PlainForm.escaped), style: style)])
  }

  private var widths: [Int] {
    sides.indices.map { column in
      rows.joined().map { column < $0.cells.count ? $0.cells[column].screenWidth : 0 }.max() ?? 0
    }
  }

  /// The same rows with the widest column of texts in several lines, so that each line fits a width; words are not
  /// broken.
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

  /// The rows as lines for a screen, two spaces between the columns.
  func text(indentation: Int = 0, on screen: Screen = .plain) -> PlainText {
    blocks(indentation: indentation, on: screen).joined()
  }

  /// Each row as its lines.
  func blocks(indentation: Int = 0, on screen: Screen = .plain) -> [PlainText] {
    let table = screen.width.map { fitting($0 - indentation) } ?? self
    let widths = table.widths
    return table.rows.map { lines in
      lines.map { table.text(of: $0, widths, indentation: indentation, on: screen) }.joined()
    }
  }

  private func text(of line: Line, _ widths: [Int], indentation: Int, on screen: Screen) -> PlainText {
    let shown = line.cells.indices.filter { widths[$0] > 0 }
    let last = shown.last { !line.cells[$0].isEmpty }
    var text: PlainText = "\(Screen.space(indentation))"
    for column in shown where column <= last ?? -1 {
      let cell: PlainText = screen.paint("\(line.cells[column])", column == 0 ? line.style : nil)
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
