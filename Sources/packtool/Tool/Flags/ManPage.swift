/// A manual page in the macros of man(7), made from the same data as the help.
package struct ManPage: Sendable {
  /// The data that all pages of a tool share.
  package struct Tool: Sendable {
    package let name: String
    package let version: String
    /// The date of the version, such as `2026-01-31`.
    package let date: String
    package let summary: String

    package init(name: String, version: String, date: String, summary: String) {
      self.name = name
      self.version = version
      self.date = date
      self.summary = summary
    }
  }

  /// The roff text of the whole page.
  package let text: String

  /// Makes the page of one command.
  package init(of command: CommandDescription, tool: Tool) {
    var page = Self.head("\(tool.name)-\(command.name)", summary: command.summary, tool: tool)
    let usage = command.usage(tool: tool.name).dropFirst("usage: ".utf8.count)
    page += ".SH SYNOPSIS\n.B \(Self.escaped(String(usage)))\n"
    page += ".SH DESCRIPTION\n" + Self.paragraphs([Self.sentence(command.summary)] + command.discussion)
    let sections = command.sections(tool: tool.name, flagsHeading: "options") {
      HelpRow($0.spellings, text: $0.fullSummary)
    }
    page += sections.map { Self.section($0.heading.uppercased(), rows: $0.rows) }.joined()
    text = page + ".SH SEE ALSO\n.BR \(tool.name) (1)\n"
  }

  /// Makes the page of the tool itself.
  ///
  /// This page lists the commands.
  package init(
    of tool: Tool, commands: [CommandDescription], flags: [HelpRow],
    exitStatus: [HelpRow]
  ) {
    var page = Self.head(tool.name, summary: tool.summary, tool: tool)
    page += ".SH SYNOPSIS\n.B \(tool.name) COMMAND [ARGUMENTS]\n"
    page += ".SH DESCRIPTION\n" + Self.paragraphs([Self.sentence(tool.summary)])
    let rows = commands.map { HelpRow("\(tool.name)-\($0.name)(1)", text: $0.summary) }
    page += Self.section("COMMANDS", rows: rows)
    page += Self.section("OPTIONS", rows: flags)
    page += Self.section("EXIT STATUS", rows: exitStatus)
    let pages = commands.map { ".BR \(tool.name)\\-\(Self.escaped($0.name)) (1)" }
    text = page + ".SH SEE ALSO\n" + pages.joined(separator: ",\n") + "\n"
  }

  private static func head(_ name: String, summary: String, tool: Tool) -> String {
    ".TH \(name.uppercased()) 1 \(tool.date) \"\(tool.name) \(tool.version)\"\n.SH NAME\n"
      + "\(escaped(name)) \\- \(escaped(summary))\n"
  }

  private static func section(_ heading: String, rows: [HelpRow]) -> String {
    if rows.isEmpty { return "" }
    return ".SH \(heading)\n"
      + rows.map { ".TP\n.B \(escaped($0.label))\n\(lines(of: $0.text))" }.joined()
  }

  private static func paragraphs(_ texts: [String]) -> String {
    texts.map(lines).joined(separator: ".PP\n")
  }

  private static func sentence(_ summary: String) -> String {
    summary.prefix(1).uppercased() + summary.dropFirst() + "."
  }

  /// Wraps text into short lines.
  ///
  /// Each sentence starts on a new line.
  private static func lines(of text: String) -> String {
    var lines: [String] = []
    for sentence in text.split(separator: ". ", omittingEmptySubsequences: true).map(String.init) {
      lines += wrapped(sentence, to: 76)
      lines[lines.count - 1] += "."
    }
    if let last = lines.last, !text.hasSuffix(".") || last.hasSuffix("..") {
      lines[lines.count - 1] = String(last.dropLast())
    }
    return lines.map { escaped($0) + "\n" }.joined()
  }

  /// Escapes characters that roff would interpret: backslashes, and dots and apostrophes at the start of a
  /// line.
  private static func escaped(_ text: String) -> String {
    let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("\"", with: "\\(dq")
      .replacing("…", with: "...").replacing("`", with: "\\(ga").replacing("'", with: "\\(aq")
    return plain.hasPrefix(".") ? "\\&" + plain : plain
  }
}
