import Formats
import Model
import Pipeline
import System

extension Command {
  /// The pages by their topics: the name of each page, and `scenario` as another name of `scenarios`.
  private static let pages: [String: String] = {
    var pages: [String: String] = [:]
    for (file, text) in searchedPages { pages[topicName(ofPage: String(file.dropLast(3)))] = text }
    pages["scenario"] = pages["scenarios"]
    return pages
  }()
  static let topics = pages.keys.sorted()

  private struct HelpOptions: ReportingOptions {
    /// The words to search for in all pages; nil if no search is requested.
    var search: String?
    let shared = SharedOptions()
  }

  static let help = Command(
    CommandSyntax<HelpOptions>(
      name: "help", summary: "print help for packtool or a command, or a page on a topic",
      arguments: [
        Argument(
          "COMMAND|TOPIC",
          summary: "a command, a check, or one of the topics \(topics.joined(separator: ", "))",
          kind: .named(.command), count: 0...1),
        Argument(
          "GROUP", summary: "with a command: a group of its flags, such as layout or signing", count: 0...1),
      ],
      flags: [
        .value(
          "--search", valueName: "WORDS", summary: "list the lines of all pages that contain these words",
          into: \.search)
      ]), defaults: HelpOptions.init
  ) { options, arguments, session in
    let width = session.width(of: .output)
    if let words = options.search {
      if arguments.first != nil {
        return session.refuse("flag \"--search\" searches all pages; leave out the command or topic")
      }
      let lines = PageSearch(words).text(width: width)
      if lines.isEmpty {
        session.reportError("no page contains the words \(quoted(words))")
        return .usage
      }
      try session.print(PlainText(lines: lines))
      return .done
    }
    guard let name = arguments.first else {
      try session.print(PlainText(lines: session.overview(width: width)))
      return .done
    }
    let command = session.command(named: name)?.description
    if arguments.count > 1 {
      guard let command else {
        return session.refuse("\(quoted(name)) is not a command; only commands have groups of flags")
      }
      return try session.printHelp(ofGroup: arguments[1], of: command)
    }
    let page = pages[name].map { session.text(ofPage: $0, width: width) }
    let texts = [command?.help(tool: Tool.name, width: width), page].compactMap(\.self)
    if texts.isEmpty {
      if Check.named(name) != nil, let checks = session.command(named: "checks") {
        return try checks.run([name], session)
      }
      let guess = session.commands.guess(for: name, among: topics + Check.all.map(\.id))
      session.reportError("unknown command or topic \"\(name)\"\(didYouMean(guess))")
      return .usage
    }
    try session.print(PlainText(lines: texts.joined(separator: "\n")))
    return .done
  }
}

extension Session {
  /// The line after which a page lists the help of all commands.
  private static let commandMarker = "<!-- commands -->\n"

  /// Returns a page as text for a terminal.
  ///
  /// The help of the commands in the page has lines for a wide window, so it is made again.
  fileprivate func text(ofPage page: String, width: Int) -> String {
    guard let marker = page.firstRange(of: Self.commandMarker) else {
      return MarkdownText(page, width: width).text
    }
    let introduction = MarkdownText(String(page[..<marker.lowerBound]), width: width).text
    let helps = commands.map { command in
      let title = MarkdownText("## `\(command.name)`", width: width).text
      return "\(title)\n\(command.description.help(tool: Tool.name, width: width))"
    }
    return ([introduction] + helps).joined(separator: "\n")
  }

  /// Prints the flags of one group of a command.
  fileprivate func printHelp(ofGroup name: String, of command: CommandDescription) throws -> ExitStatus {
    let sections = command.sections(tool: Tool.name).filter { $0.name == name }
    guard !sections.isEmpty else {
      let groups = command.flagGroups
      let guess = suggestion(nearest(to: name, in: groups))
      let hint =
        groups.isEmpty
        ? "; it has no groups" : guess.isEmpty ? "; name one of \(groups.joined(separator: ", "))" : guess
      return refuse("\"\(command.name)\" has no group of flags \(quoted(name))\(hint)")
    }
    try print(PlainText(lines: helpText(of: sections, width: width(of: .output))))
    return .done
  }
}

/// The lines of all pages that contain the given words.
///
/// The search ignores case.
private struct PageSearch {
  private let found: [(String, String)]

  init(_ words: String) {
    let words = words.lowercased()
    found = searchedPages.sorted { $0.key < $1.key }.flatMap { page, text in
      text.split(separator: "\n").filter { $0.lowercased().contains(words) }.map { line in
        (page, String(line.replacing("`", with: "").trimmingPrefix { "| #-".contains($0) }))
      }
    }
  }

  func text(width: Int) -> String {
    let column = (found.map(\.0.count).max() ?? 0) + 2
    return found.map { page, line in
      let space = String(repeating: " ", count: column - page.count)
      return "\(page)\(space)\(line.prefix(max(40, width - column)))\n"
    }.joined()
  }
}

extension Session {
  func overview(width: Int) -> String {
    let sections = groups.map { group in
      HelpSection(heading: group.name, rows: group.commands.map { HelpRow($0.name, text: $0.summary) })
    }
    return "\(Tool.name) \(Tool.version): \(Tool.summary)\n\nusage: \(Tool.name) COMMAND [ARGUMENTS]\n\n"
      + helpText(of: sections + [HelpSection(heading: "flags", rows: Tool.flags)], width: width)
      + "\n"
      + wrapped(
        "\"\(Tool.name) help COMMAND\" describes a command, \"\(Tool.name) help TOPIC\" prints a page: "
          + Command.topics.joined(separator: ", ") + ".", to: max(width, 40)
      ).map { $0 + "\n" }.joined()
  }
}

extension Command {
  /// The argument that completion scripts pass instead of the name of a shell.
  private static let wordsName = "words"

  static let completions = Command(
    CommandSyntax<NoOptions>(
      name: "completions", summary: "print a script that completes command lines in a shell",
      arguments: [
        Argument("SHELL", summary: "bash, zsh or fish", kind: .choice(shellScripts.map(\.key))),
        Argument("WORD", summary: "the words of a command line", count: 0...100_000, allowsEmpty: true)
          .using(.manifest, .builtIndex),
      ]), defaults: NoOptions.init
  ) { _, arguments, session in
    if arguments[0] == wordsName {
      try session.print(session.commands.words(for: Array(arguments.dropFirst())))
      return .done
    }
    guard let shell = shellScripts.first(where: { $0.key == arguments[0] }), arguments.count == 1 else {
      let guess = suggestion(nearest(to: arguments[0], in: shellScripts.map(\.key)))
      return session.refuse(
        "there is no completion script for "
          + "\(quoted(arguments[0]))\(guess.isEmpty ? "; use bash, zsh or fish" : guess)"
      )
    }
    try session.print(PlainText(lines: "\(shell.value)\n"))
    return .done
  }
}

extension [Command] {
  /// Returns the words that can complete a command line, for the completion scripts.
  ///
  /// The first line says whether files can complete it. Each other line is a word.
  fileprivate func words(for words: [String]) -> PlainText {
    var completion = Completion(of: words, commands: map(\.description), toolFlags: Self.toolFlags)
    if let lookup = completion.lookup { completion.add(names(lookup), completing: words.last ?? "") }
    let lines = completion.candidates.prefix(1000).filter {
      !$0.word.unicodeScalars.contains { $0.value < 0x20 }
    }
    // A subject can also be a path, so the shell must also offer files.
    return "\(completion.lookup?.kind == .subject ? "files" : completion.files)\n"
      + lines.map { line -> PlainText in "\(line.word)\t\(line.summary)\n" }.joined()
  }

  private var commandNames: [Completion.Candidate] {
    map { Completion.Candidate($0.name, summary: $0.summary) }
  }

  private static var toolFlags: [Completion.Candidate] {
    Tool.flags.flatMap { row in
      row.label.split(separator: ", ").map { spelling in
        Completion.Candidate(String(spelling.prefix { $0 != " " }), summary: row.text)
      }
    }
  }

  /// Returns names that a shell cannot find itself, such as tags.
  ///
  /// The result is empty if a file with these names cannot be read.
  private func names(_ lookup: Completion.Lookup) -> [Completion.Candidate] {
    switch lookup.kind {
    case .check: Check.all.map { Completion.Candidate($0.id, summary: $0.summary) }
    case .severity:
      Check.all.map { Completion.Candidate($0.id + "=", summary: $0.summary) } + Self.levels
    case .command: commandNames
    case .manual: commandNames + Manual.formats.map { Completion.Candidate($0.name, summary: $0.summary) }
    case .tag: Self.tags(of: lookup.positionals.first)
    case .subject: Self.subjects(of: lookup.positionals.dropFirst().first)
    // The names of products are offered, because the names of device classes contain spaces.
    case .device:
      DeviceClass.all.flatMap { device in
        device.products.map { Completion.Candidate($0, summary: device.name) }
      }
    case .schema: Command.schemaNames.map { Completion.Candidate($0, summary: "") }
    }
  }

  /// The values of the flag for severities, such as `empty-file=error`: one for each check and level.
  private static var levels: [Completion.Candidate] {
    Check.all.flatMap { check in
      SeverityChoice.allCases.map {
        Completion.Candidate("\(check.id)=\($0.rawValue)", summary: check.summary)
      }
    }
  }

  private static func tags(of argument: String?) -> [Completion.Candidate] {
    if let argument, let index = try? BuiltFolder(argument).index {
      return index.release.tags.map { Completion.Candidate($0.name, summary: $0.delivery.title) }
    }
    return plan(of: argument)?.tags.map { Completion.Candidate($0.name, summary: $0.delivery.title) } ?? []
  }

  private static func subjects(of argument: String?) -> [Completion.Candidate] {
    guard let plan = plan(of: argument) else { return [] }
    return plan.tags.map { Completion.Candidate($0.name, summary: "tag, \($0.delivery.title)") }
      + plan.packs.filter { $0.tags.count > 1 }.map {
        Completion.Candidate($0.joinedTags, summary: "pack, \($0.delivery.title)")
      }
      + plan.packs.map {
        Completion.Candidate($0.identity.identifier, summary: "pack of \(setNotation($0.tags))")
      }
  }

  private static func plan(of argument: String?) -> PackPlan? {
    guard let manifestPath = try? argument ?? ManifestSource.search() else { return nil }
    var request = Preparation.Request(argument: manifestPath, jobs: 4)
    // The files are not inspected, because completions show only names and must be fast.
    request.inspector = .caller
    return try? Preparation(request).plan
  }
}

/// The scripts that complete packtool's command lines in shells.
///
/// The scripts call packtool to get the words.
let shellScripts: KeyValuePairs<String, StaticString> = [
  "bash": bashCompletion, "zsh": zshCompletion, "fish": fishCompletion,
]
