/// A heading with rows of two columns below it, as help shows flags and commands.
package struct HelpSection: Sendable {
  /// A label and its explanation.
  package typealias Row = (label: String, text: String)

  let heading: String
  let rows: [Row]

  /// A section, which help omits if it has no rows.
  package init(_ heading: String, _ rows: [Row]) {
    self.heading = heading
    self.rows = rows
  }

  /// The sections that have rows, with one column for all labels, wrapped to the width, at least 40.
  package static func text(of sections: [HelpSection], width: Int) -> String {
    let width = max(width, 40)
    // A longer label has its own line, so that one flag cannot push all summaries to the right.
    let widest = min(32, width / 2)
    let labels = sections.flatMap(\.rows).map(\.label.count).filter { $0 <= widest }
    let column = 2 + (labels.max() ?? widest) + 2
    return sections.filter { !$0.rows.isEmpty }.map { section in
      let rows = section.rows.flatMap { lines(of: $0, column: column, width: width) }
      return ([section.heading + ":"] + rows).map { $0 + "\n" }.joined()
    }.joined(separator: "\n")
  }

  private static func lines(of row: Row, column: Int, width: Int) -> [String] {
    let indent = String(repeating: " ", count: column)
    let texts = wrapped(row.text, to: width - column)
    let label = "  " + row.label
    let fits = label.count + 2 <= column && !texts.isEmpty
    let first = fits ? label + indent.dropFirst(label.count) + texts[0] : label
    return [first] + texts.dropFirst(fits ? 1 : 0).map { indent + $0 }
  }
}

/// The text in lines of at most `width` characters; a longer word has its own line.
package func wrapped(_ text: String, to width: Int) -> [String] {
  var lines: [String] = []
  for word in text.split(separator: " ") {
    if let last = lines.last, last.count + 1 + word.count <= width {
      lines[lines.count - 1] += " " + word
    } else {
      lines.append(String(word))
    }
  }
  return lines
}
