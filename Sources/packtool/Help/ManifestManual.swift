import Model

extension ManPage {
  /// Makes the page about the format of manifests.
  ///
  /// The keys are generated from the same list as the schema. All other text is the page `Manifest.md`, whose
  /// table of keys is left out.
  init(ofManifest reference: Reference, summary: String, tool: Tool, related: [Reference]) {
    let page = MarkdownPage(searchedPages["Manifest.md"] ?? "")
    var text = RoffText(title: reference.name, section: reference.section, summary: summary, tool: tool)
    text.addHeading("synopsis")
    text.addUsage([Manifest.fileName, Manifest.fileNameWithComments])
    let introduction = page.sections.first?.blocks ?? []
    let table = introduction.firstIndex(where: \.isTable) ?? introduction.endIndex
    let example = introduction.firstIndex(where: \.isCode).map { max($0 - 1, 0)..<$0 + 1 } ?? 0..<0
    text.addHeading("description")
    for (number, block) in introduction[..<table].enumerated() where !example.contains(number) {
      text.add(block)
    }
    text.addHeading("keys")
    text.addParagraph(
      "The key `a[].b` is the key `b` of each object in the list `a`, and `a.b` is the key `b` of the object "
        + "`a`.")
    text.add(Manifest.keyEntries.map(\.row), labels: .name)
    for block in introduction[table...].dropFirst() { text.add(block) }
    for section in page.sections.dropFirst() {
      text.addHeading(section.heading)
      for block in section.blocks { text.add(block) }
    }
    text.addHeading("examples")
    for block in introduction[example] { text.add(block) }
    text.addHeading("see also")
    text.addReferences(related)
    self.init(reference, text: text)
  }
}

extension ManifestKeyEntry {
  fileprivate var row: HelpRow {
    let firstType = type.prefix(1).uppercased() + String(type.dropFirst())
    let facts: [String?] = [firstType, need, defaultValue.map { "default: `\($0)`" }]
    return HelpRow(path, text: "\(summary).\n\(facts.compactMap(\.self).joined(separator: "; ")).")
  }
}

extension RoffText {
  fileprivate mutating func add(_ block: MarkdownPage.Block) {
    switch block {
    case .paragraph(let text): addParagraph(text)
    case .item(let text): addListItem(text)
    case .code(let lines): addCode(lines)
    case .table(let rows):
      add(rows.map { HelpRow($0[0], text: $0.dropFirst().joined(separator: ". ")) }, labels: .text)
    }
  }
}

/// The parts of a page in Markdown, for other formats than that of a terminal.
private struct MarkdownPage {
  struct Section {
    let heading: String
    var blocks: [Block] = []
  }

  enum Block {
    /// A paragraph on one line, in which only code has marks.
    case paragraph(String)
    /// An element of a list.
    case item(String)
    case code([String])
    /// The rows of a table, without its header.
    case table([[String]])

    var isTable: Bool { if case .table = self { true } else { false } }
    var isCode: Bool { if case .code = self { true } else { false } }
  }

  /// The sections; the first section is the text before the first heading of the second level.
  private(set) var sections = [Section(heading: "")]

  init(_ page: String) {
    var open: [Substring] = []
    var code: [String]?
    func block() -> Block? { open.isEmpty ? nil : Block(open) }
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        if let lines = code { add(.code(lines)) } else { add(block()) }
        (open, code) = ([], code == nil ? [] : nil)
      } else if code != nil {
        code?.append(String(line))
      } else if line.isEmpty || line.hasPrefix("#") || line.hasPrefix("- ") || line.hasPrefix("<!--") {
        add(block())
        open = line.hasPrefix("- ") ? [line] : []
        if line.hasPrefix("## ") { sections.append(Section(heading: String(line.dropFirst(3)))) }
      } else {
        open.append(line)
      }
    }
    add(block())
  }

  private mutating func add(_ block: Block?) {
    if let block { sections[sections.count - 1].blocks.append(block) }
  }
}

extension MarkdownPage.Block {
  /// Makes a block from its lines.
  fileprivate init(_ lines: [Substring]) {
    if lines[0].hasPrefix("|") {
      self = .table(lines.dropFirst(2).map { MarkdownText.cells(of: $0).map(Self.text) })
      return
    }
    let text = lines.map { $0.drop { $0 == " " } }.joined(separator: " ")
    self = text.hasPrefix("- ") ? .item(Self.text(String(text.dropFirst(2)))) : .paragraph(Self.text(text))
  }

  /// Returns a text in which links to other pages are commands that print these pages.
  private static func text(_ text: String) -> String {
    // Most texts have no links, and regular expressions are slow.
    guard text.utf8.contains(UInt8(ascii: "[")) else { return MarkdownText.unmarked(text) }
    return MarkdownText.unmarked(
      text.replacing(/\[([^\]]*)\]\((\w+)\.md(?:#[^)\s]*)?\)/) { link in
        "\(link.output.1) (`\(Tool.name) help \(topicName(ofPage: String(link.output.2)))`)"
      })
  }
}
