import Findings
import Flags
import PackKit
import Spelling
import System

extension Command {
  private static let topics = builtPages.keys.sorted()

  static let help = Command(
    CommandSyntax<NoOptions>(
      name: "help", summary: "print help for the tool or one command, or a page on a topic",
      examples: [
        .init("help build", "the flags of build"),
        .init("help manifest | less", "all keys of a manifest, with examples"),
      ],
      arguments: [
        Argument(
          "COMMAND|TOPIC", summary: "a command, or one of the topics \(topics.joined(separator: ", "))",
          kind: .named("command"), count: 0...1)
      ]), NoOptions.init
  ) { _, arguments, session in
    let width = session.width(of: .output)
    guard let name = arguments.first else {
      try session.print(PlainText(lines: session.overview(width: width)))
      return .done
    }
    let help = session.commands.named(name)?.description.help(tool: Tool.name, width: width)
    let texts = [help, builtPages[name].map(readable)].compactMap(\.self)
    if texts.isEmpty {
      let guess = session.commands.guess(for: name, among: topics)
      session.complain("unknown command or topic \"\(name)\"\(didYouMean(guess))")
      return .usage
    }
    try session.print(PlainText(lines: texts.joined(separator: "\n")))
    return .done
  }

  /// A page without what only Markdown's readers use: marks of tables, and where links lead.
  private static func readable(_ page: String) -> String {
    let lines = page.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix("<!--") }
    return lines.joined(separator: "\n").replacing(/\[([^\]\n]*)\]\([^)\s]*\)/) { $0.output.1 } + "\n"
  }
}

extension Session {
  func overview(width: Int) -> String {
    let sections = groups.map { group in
      HelpSection(group.name, group.commands.map { HelpSection.Row(label: $0.name, text: $0.summary) })
    }
    return "\(Tool.name) \(Tool.version): \(Tool.summary)\n\nusage: \(Tool.name) COMMAND [ARGUMENTS]\n\n"
      + HelpSection.text(of: sections + [HelpSection("flags", Tool.flags)], width: width)
      + "\n\"\(Tool.name) help COMMAND\" says more of one command, \"\(Tool.name) help TOPIC\" prints a page: "
      + builtPages.keys.sorted().joined(separator: ", ") + ".\n"
  }
}

extension Command {
  private struct ManOptions: Sendable {
    var output: String?
  }

  static let man = Command(
    CommandSyntax<ManOptions>(
      name: "man", summary: "print the manual's page of the tool or one command",
      examples: [
        .init("man build | man -l -", "read the page of build"),
        .init("man -o /usr/local/share/man/man1", "write all pages"),
      ],
      arguments: [
        Argument("COMMAND", summary: "the command of the page", kind: .named("command"), count: 0...1)
      ],
      flags: [
        .value(
          "--output", "-o", valueName: "DIR", kind: .folder, summary: "write all pages to a folder",
          into: \.output)
      ]), ManOptions.init
  ) { options, arguments, session in
    if let folder = options.output {
      if arguments.first != nil {
        return session.refuse("flag \"--output\" writes all pages; leave out the command")
      }
      try FileOperations.makeFolder(folder)
      for (name, text) in pages(of: session.commands) {
        var bytes = ByteBuffer()
        bytes.append(text)
        try FileOperations.replace(joined(folder, "\(name).1"), by: bytes)
      }
      return .done
    }
    let name = arguments.first.map { "\(Tool.name)-\($0)" } ?? Tool.name
    guard let page = pages(of: session.commands).first(where: { $0.name == name }) else {
      let guess = arguments.first.flatMap { session.commands.guess(for: $0) }
      session.complain("unknown command \"\(arguments[0])\"\(didYouMean(guess))")
      return .usage
    }
    try session.print(PlainText(lines: page.text))
    return .done
  }

  private static func pages(of commands: [Command]) -> [(name: String, text: String)] {
    let tool = ManPage.Tool(
      name: Tool.name, version: Tool.version, date: packtoolDate, summary: Tool.summary)
    let statuses = [
      ("0", "done, with warnings or without"), ("1", "the input has errors"),
      ("2", "the command line is wrong"),
      ("3", "the machine failed: input and output, or memory"),
    ]
    let commands = commands.map(\.description)
    let overview = ManPage(
      of: tool, commands: commands, flags: Tool.flags, exitStatus: statuses)
    return [(Tool.name, overview.text)]
      + commands.map { ("\(Tool.name)-\($0.name)", ManPage(of: $0, tool: tool).text) }
  }
}
