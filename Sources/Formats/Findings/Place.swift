/// The place of a finding: a file, and also a line and column if it is a text file.
package struct Place: Sendable, Hashable {
  /// The path as a user in the current directory would type it.
  package let path: String
  /// The line and column; nil if packtool has not read the file as text.
  package let position: Position?

  /// A line and a column, both counted from 1; the column counts UTF-8 bytes.
  package struct Position: Sendable, Hashable, Comparable {
    package let line: Int
    package let column: Int

    package init(line: Int, column: Int) {
      self.line = line
      self.column = column
    }

    package static func < (first: Position, second: Position) -> Bool {
      (first.line, first.column) < (second.line, second.column)
    }
  }

  /// The place of a finding about the command line.
  package static let commandLine = Place("packtool")

  package init(_ path: String, position: Position? = nil) {
    self.path = path
    self.position = position
  }
}
