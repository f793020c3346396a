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

  /// The maximum number of flags in the brief help.
  static let maxBriefFlags = 8
  /// The maximum number of lines in the brief help.
  private static let maxBriefLines = 24
  /// The maximum number of examples in the brief help.
  private static let maxBriefExamples = 3

  /// Returns help that fits on one screen: the most important flags, and where the other flags are.
  package func briefHelp(tool: String, width: Int) -> String {
    let counts = (0...Self.maxBriefExamples).reversed()
    let texts = counts.lazy.map { briefHelp(tool: tool, width: width, exampleCount: $0) }
    let fitting = texts.first { text in text.count { $0 == "\n" } <= Self.maxBriefLines }
    return fitting ?? briefHelp(tool: tool, width: width, exampleCount: 0)
  }

  private func briefHelp(tool: String, width: Int, exampleCount: Int) -> String {
    let brief = briefFlags
    let shown = flags.filter { brief.contains($0.name) }.map { flag in
      HelpRow(flag.helpRow.label, text: firstStatement(of: flag.summary))
    }
    let examples = examples.prefix(exampleCount).map { HelpRow("\(tool) \($0.label)", text: $0.text) }
    let sections = [
      HelpSection(heading: "flags", rows: shown), HelpSection(heading: "examples", rows: examples),
    ]
    var more = "more: \(tool) \(name) --help"
    if !flagGroups.isEmpty {
      more += "; groups of flags: \(tool) help \(name) \(flagGroups.joined(separator: " | "))"
    }
    let paragraphs = [usage(tool: tool), summary, more].map {
      wrapped($0, to: max(width, 40)).joined(separator: "\n")
    }
    return paragraphs.prefix(2).joined(separator: "\n\n") + "\n\n"
      + helpText(of: sections, width: width) + "\n" + paragraphs[2] + "\n"
  }

  /// The flags that most command lines need, if the command has them.
  private static let usualFlags = [
    "--output", "--submission", "--strict", "--baseline", "--layout", "--format", "--diagnostics", "--jobs",
    "--quiet",
  ]

  /// The names of the flags in the brief help.
  private var briefFlags: Set<String> {
    let own = flags.filter { $0.group == nil && $0.name != "--help" }.map(\.name)
    let required = flags.filter(\.isRequired).map(\.name)
    let usual = Self.usualFlags.filter { name in flags.contains { $0.name == name } }
    var chosen: [String] = []
    for name in required + usual + own where !chosen.contains(name) && chosen.count < Self.maxBriefFlags {
      chosen.append(name)
    }
    return Set(chosen)
  }

  /// The short names of the groups of flags, for `help COMMAND GROUP`.
  package var flagGroups: [String] {
    var names: [String] = []
    for flag in flags {
      if let name = flag.group.map(groupName), !names.contains(name) { names.append(name) }
    }
    return names
  }

  /// Returns the sections of the help: arguments, the command's own flags, each group of flags, and examples.
  func sections(tool: String) -> [HelpSection] {
    let flags = flagSections(row: \.helpRow)
    return [HelpSection(heading: "arguments", rows: argumentRows)]
      + flags.map { HelpSection(heading: $0.heading ?? "flags", rows: $0.rows) }
      + [HelpSection(heading: "examples", rows: exampleRows(tool: tool))]
  }

  var argumentRows: [HelpRow] { arguments.map { HelpRow($0.valueName, text: $0.summary) } }

  func exampleRows(tool: String) -> [HelpRow] {
    examples.map { HelpRow("\(tool) \($0.label)", text: $0.text) }
  }

  /// Returns the flags by their groups; the heading of the command's own flags, which come first, is nil.
  func flagSections(row: (FlagDescription) -> HelpRow) -> [(heading: String?, rows: [HelpRow])] {
    var groups: [String?] = [nil]
    for flag in flags where !groups.contains(flag.group) { groups.append(flag.group) }
    return groups.map { group in (group, flags.filter { $0.group == group }.map(row)) }
  }
}

extension FlagDescription {
  /// The flag's row in help.
  ///
  /// It contains the spellings, such as `-o, --output DIR`, and the summary with the choices.
  var helpRow: HelpRow {
    HelpRow((setting != nil || names.contains(where: isShort) ? "" : "    ") + spellings, text: fullSummary)
  }

  /// The flag's spellings and the name of its value, such as `-o, --output DIR` or `layout.urlPrefix=URL`.
  package var spellings: String {
    if let setting { return setting.key + String(setting.separator) + (valueName ?? "") }
    return (names.filter(isShort) + names.filter { !isShort($0) }).joined(separator: ", ")
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

/// Returns the first statement of a flag's summary, so that it is short.
private func firstStatement(of summary: String) -> String {
  let ends = [": ", "; ", ", ", " ("].compactMap { summary.firstRange(of: $0)?.lowerBound }
  return ends.min().map { String(summary[..<$0]) } ?? summary
}

/// Returns the short name of a group of flags: the topic in its heading.
private func groupName(_ heading: String) -> String {
  if heading.contains("Xcode") { return "xcode" }
  if heading.contains("Background Assets") { return "background-assets" }
  if heading.contains("code") { return "code" }
  return String(heading.prefix { $0 != " " && $0 != "," })
}

/// A section of help: a heading, and rows with labels and explanations.
package struct HelpSection: Sendable {
  /// The short name of a group of flags.
  var name: String { groupName(heading) }
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
  var widthOfLast = 0
  for word in text.split(separator: " ").map(String.init) {
    let widthOfWord = measure(word)
    if !lines.isEmpty, widthOfLast + 1 + widthOfWord <= width {
      lines[lines.count - 1] += " " + word
      widthOfLast += 1 + widthOfWord
    } else {
      lines.append(word)
      widthOfLast = widthOfWord
    }
  }
  return lines
}
