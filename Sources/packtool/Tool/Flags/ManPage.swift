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

  /// The name of a page, and its section of the manual.
  struct Reference: Sendable, Hashable {
    let name: String
    let section: Int

    /// The page of a command, or of the tool itself if the name is empty.
    init(command: String, tool: String) {
      name = command.isEmpty ? tool : "\(tool)-\(command)"
      section = 1
    }

    /// The page of a file format.
    init(format: String, tool: String) {
      name = "\(tool)-\(format)"
      section = 5
    }

    /// The path of the page below a folder of the manual.
    var path: String { "man\(section)/\(name).\(section)" }
  }

  let reference: Reference
  /// The roff text of the whole page.
  package let text: String

  init(_ reference: Reference, text: RoffText) {
    self.reference = reference
    self.text = text.text
  }
}

// The page of one command.
extension ManPage {
  /// Makes the page of one command.
  ///
  /// `related` are the pages that the page leads to.
  init(of command: CommandDescription, tool: Tool, related: [Reference]) {
    reference = Reference(command: command.name, tool: tool.name)
    var page = RoffText(title: reference.name, section: 1, summary: command.summary, tool: tool)
    page.addHeading("synopsis")
    page.addUsage([String(command.usage(tool: tool.name).dropFirst("usage: ".utf8.count))])
    page.addHeading("description")
    page.addParagraphs([Self.sentence(command.summary)] + command.discussion)
    page.add(command.argumentRows, under: "arguments", labels: .usage)
    page.addHeading("options")
    for section in command.flagSections(row: { HelpRow($0.spellings, text: $0.fullSummary) }) {
      if let heading = section.heading { page.addSubheading(Self.capitalized(heading)) }
      page.add(section.rows, labels: .usage)
    }
    page.addStatuses(of: command)
    page.addHeading("environment")
    page.add(command.variables.rows, labels: .name)
    page.addHeading("files")
    page.add(
      command.files, otherwise: "\(tool.name) \(command.name) reads and writes no files with fixed names.")
    page.add(command.exampleRows(tool: tool.name), under: "examples", labels: .name)
    page.addHeading("see also")
    page.addReferences(related)
    text = page.text
  }

  private static func sentence(_ summary: String) -> String { capitalized(summary) + "." }

  fileprivate static func capitalized(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst()
  }
}

// The page of the tool itself.
extension ManPage {
  /// Makes the page of the tool itself, which lists the commands.
  init(of tool: Tool, commands: [CommandDescription], flags: [HelpRow], related: [Reference]) {
    reference = Reference(command: "", tool: tool.name)
    var page = RoffText(title: tool.name, section: 1, summary: tool.summary, tool: tool)
    page.addHeading("synopsis")
    page.addUsage(["\(tool.name) COMMAND [ARGUMENTS]"])
    page.addHeading("description")
    page.addParagraphs([
      Self.sentence(tool.summary),
      "`\(tool.name) help` lists the commands, and `\(tool.name) help TOPIC` prints a page of the "
        + "documentation.",
    ])
    page.addHeading("commands")
    page.add(
      commands.map { HelpRow("\(tool.name)-\($0.name)(1)", text: $0.summary) }, labels: .name)
    page.addHeading("options")
    page.add(flags, labels: .usage)
    page.addHeading("exit status")
    page.addParagraph("The page of a command lists the statuses with which this command can end.")
    page.add(ExitStatus.allCases.map(\.row) + [ExitStatus.signalRow], labels: .name)
    page.addHeading("environment")
    page.addParagraph("The page of a command lists the variables that this command reads.")
    page.add(VariableUse.all.rows, labels: .name)
    page.addHeading("files")
    page.addParagraph(
      "The page of a command lists the files that this command reads and writes. DIR is the output folder of a "
        + "build.")
    page.add([.manifest, .checkout, .index, .contents, .packs, .state], otherwise: "")
    page.addHeading("examples")
    page.add(
      commands.compactMap { command in
        command.examples.first.map { HelpRow("\(tool.name) \($0.label)", text: $0.text) }
      }, labels: .name)
    page.addHeading("see also")
    page.addReferences(related)
    text = page.text
  }
}

extension RoffText {
  fileprivate mutating func addStatuses(of command: CommandDescription) {
    addHeading("exit status")
    add(command.exitStatuses.map(\.row) + [ExitStatus.signalRow], labels: .name)
    if let note = command.statusNote { addParagraph(note + ".") }
  }

  fileprivate mutating func add(_ files: [FileUsage], otherwise sentence: String) {
    if files.isEmpty { addParagraph(sentence) }
    add(files.map { HelpRow($0.path, text: $0.meaning) }, labels: .usage)
  }
}
