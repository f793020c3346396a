import Findings
import Packing

/// Rows of cells in columns as wide as their widest cell.
struct TextTable {
  /// The alignment of a column's cells.
  enum Side {
    case left
    case right
  }

  private let sides: [Side]
  private var rows: [[String]] = []

  init(_ sides: [Side]) {
    self.sides = sides
  }

  /// Adds a row, of texts that may come from outside; missing cells at its end are empty.
  mutating func add(_ cells: String...) {
    rows.append(cells.map(PlainForm.escaped))
  }

  /// The rows as lines, two spaces between the columns.
  func text(indentation: Int = 0) -> PlainText { lines(indentation: indentation).joined() }

  /// A line for each row.
  func lines(indentation: Int = 0) -> [PlainText] {
    let widths = sides.indices.map { column in
      rows.map { column < $0.count ? $0[column].screenWidth : 0 }.max() ?? 0
    }
    return rows.map { cells in
      let padded = zip(cells.indices, cells).map { column, cell in
        let space = String(repeating: " ", count: widths[column] - cell.screenWidth)
        return sides[column] == .left ? cell + space : space + cell
      }
      var line = String(repeating: " ", count: indentation) + padded.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return "\(line)\n"
    }
  }
}
