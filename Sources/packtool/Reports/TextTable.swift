import Findings

/// Rows of cells in columns as wide as their widest cell; columns without any text take no room.
struct TextTable {
  /// The alignment of a column's cells.
  enum Side {
    case left
    case right
  }

  private let sides: [Side]
  /// Each row in its lines, which are several where it was wrapped.
  private var rows: [[[String]]] = []

  init(_ sides: [Side]) {
    self.sides = sides
  }

  /// Adds a row; missing cells at its end are empty.
  mutating func add(_ cells: String...) {
    rows.append([cells])
  }

  private var widths: [Int] {
    sides.indices.map { column in
      rows.joined().map { column < $0.count ? $0[column].screenWidth : 0 }.max() ?? 0
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
      lines.flatMap { cells -> [[String]] in
        if widest >= cells.count { return [cells] }
        return Screen.lines(of: cells[widest], width: room).enumerated().map { number, line in
          var part = number == 0 ? cells : Array(repeating: "", count: cells.count)
          part[widest] = line
          return part
        }
      }
    }
    return table
  }

  /// The rows as lines for a screen, two spaces between the columns.
  func text(indentation: Int = 0, on screen: Screen = .plain) -> String {
    blocks(indentation: indentation, on: screen).joined()
  }

  /// Each row as its lines.
  func blocks(indentation: Int = 0, on screen: Screen = .plain) -> [String] {
    let table = screen.width.map { fitting($0 - indentation) } ?? self
    let widths = table.widths
    return table.rows.map { lines in
      lines.map { table.line($0, widths, indentation: indentation) }.joined()
    }
  }

  private func line(_ cells: [String], _ widths: [Int], indentation: Int) -> String {
    let padded = zip(cells.indices, cells).filter { widths[$0.0] > 0 }.map { column, cell in
      let space = String(repeating: " ", count: widths[column] - cell.screenWidth)
      return sides[column] == .left ? cell + space : space + cell
    }
    var line = String(repeating: " ", count: indentation) + padded.joined(separator: "  ")
    while line.last == " " { line.removeLast() }
    return line + "\n"
  }
}
