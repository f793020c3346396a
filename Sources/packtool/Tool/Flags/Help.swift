extension CommandDescription {
  /// Returns the usage line, such as `usage: packtool build [MANIFEST] -o DIR [flags]`.
  package func usage(tool: String) -> String {
    let required = flags.filter(\.isRequired).flatMap { flag in
      [flag.names.first(where: isShort) ?? flag.name, flag.valueName ?? ""]
    }
    let words = [tool, name] + arguments.map(\.usage) + required + ["[flags]"]
    return "usage: " + words.filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// Returns the complete help of the command.
  ///
  /// Lines have at most `width` characters, unless a single word is longer.
  package func help(tool: String, width: Int) -> String {
    let paragraphs = ([summary] + discussion).map { wrapped($0, to: max(width, 40)).joined(separator: "\n") }
    let sections = helpText(of: sections(tool: tool), width: width)
    return ([usage(tool: tool)] + paragraphs + [sections]).joined(separator: "\n\n")
  }

  /// Returns the sections of the help: arguments, the command's own flags, each group of flags, and examples.
  func sections(
    tool: String, flagsHeading heading: String = "flags", row: (FlagDescription) -> HelpRow = \.helpRow
  ) -> [HelpSection] {
    var groups: [String?] = [nil]
    for flag in flags where !groups.contains(flag.group) { groups.append(flag.group) }
    let ofArguments = HelpSection(
      heading: "arguments", rows: arguments.map { HelpRow($0.valueName, text: $0.summary) })
    let ofFlags = groups.map { group in
      HelpSection(heading: group ?? heading, rows: flags.filter { $0.group == group }.map(row))
    }
    let ofExamples = HelpSection(
      heading: "examples", rows: examples.map { HelpRow("\(tool) \($0.label)", text: $0.text) })
    return [ofArguments] + ofFlags + [ofExamples]
  }
}

extension FlagDescription {
  /// The flag's row in help.
  ///
  /// It contains the spellings, such as `-o, --output DIR`, and the summary with the choices.
  var helpRow: HelpRow {
    HelpRow((names.contains(where: isShort) ? "" : "    ") + spellings, text: fullSummary)
  }

  /// The flag's spellings and the name of its value, such as `-o, --output DIR`.
  package var spellings: String {
    (names.filter(isShort) + names.filter { !isShort($0) }).joined(separator: ", ")
      + (valueName.map { " " + $0 } ?? "")
  }

  /// The summary, followed by the choices.
  package var fullSummary: String {
    summary + (choices.isEmpty ? "" : ": " + choices.joined(separator: ", "))
  }
}

/// Whether a flag's name is short.
///
/// For example, `-o` is short, and `--output` is not.
private func isShort(_ name: String) -> Bool { name.unicodeScalars.count == 2 }

/// A section of help: a heading, and rows with labels and explanations.
package struct HelpSection: Sendable {
  package let heading: String
  package let rows: [HelpRow]

  package init(heading: String, rows: [HelpRow]) {
    self.heading = heading
    self.rows = rows
  }
}

/// A label, such as a flag, and its explanation.
package struct HelpRow: Sendable {
  package let label: String
  package let text: String

  package init(_ label: String, text: String) {
    self.label = label
    self.text = text
  }
}

/// Formats the sections that have rows.
///
/// All labels are in one column. Lines are wrapped to `width` characters, but never to less than 40.
package func helpText(of sections: [HelpSection], width: Int) -> String {
  let width = max(width, 40)
  // A label that is longer than this gets its own line. Otherwise, one long flag would move all explanations
  // to the right.
  let widest = min(32, width / 2)
  let labels = sections.flatMap(\.rows).map(\.label.count).filter { $0 <= widest }
  let column = 2 + (labels.max() ?? widest) + 2
  return sections.filter { !$0.rows.isEmpty }.map { section in
    let rows = section.rows.flatMap { lines(of: $0, column: column, width: width) }
    return ([section.heading + ":"] + rows).map { $0 + "\n" }.joined()
  }.joined(separator: "\n")
}

private func lines(of row: HelpRow, column: Int, width: Int) -> [String] {
  let indent = String(repeating: " ", count: column)
  let texts = wrapped(row.text, to: width - column)
  let label = "  " + row.label
  let fits = label.count + 2 <= column && !texts.isEmpty
  let first = fits ? label + indent.dropFirst(label.count) + texts[0] : label
  return [first] + texts.dropFirst(fits ? 1 : 0).map { indent + $0 }
}

/// Wraps a text into lines of at most `width`.
///
/// The width is counted in characters, or with another measure. A word that is longer than `width` gets its
/// own line.
package func wrapped(_ text: String, to width: Int, by measure: (String) -> Int = \.count) -> [String] {
  var lines: [String] = []
  for word in text.split(separator: " ").map(String.init) {
    if let last = lines.last, measure(last) + 1 + measure(word) <= width {
      lines[lines.count - 1] += " " + word
    } else {
      lines.append(word)
    }
  }
  return lines
}
