import Archiving
import Flags

/// One command: what it is called, its help, and what it does.
struct Command: Sendable {
  let name: String
  let summary: String
  /// The command's help for lines of some width.
  let help: @Sendable (Int) -> String
  /// Runs the command with the words behind its name.
  let run: @Sendable ([String], Session) throws -> ExitStatus

  /// Every command, in the order of help.
  static let all: [Command] = [
    build, validate, plan, verify, unpack, diff, explain, importProject, inspect, simulate, checks,
    schema, help,
  ]

  static func named(_ name: String) -> Command? { all.first { $0.name == name } }

  /// A command from its syntax; `body` is run once the words have been understood.
  init<Options>(
    _ syntax: CommandSyntax<Options>, _ defaults: @escaping @Sendable () -> Options,
    _ body: @escaping @Sendable (Options, [String], Session) throws -> ExitStatus
  ) {
    name = syntax.name
    summary = syntax.summary
    help = { syntax.help(tool: Tool.name, width: $0) }
    run = { words, session in
      let parsed = syntax.parse(words, into: defaults())
      if parsed.wantsHelp {
        try session.print(syntax.help(tool: Tool.name, width: session.width(of: .output)))
        return .done
      }
      if parsed.mistakes.isEmpty { return try body(parsed.options, parsed.positionals, session) }
      for mistake in parsed.mistakes { session.complain(mistake.message) }
      session.explain("\(syntax.usage(tool: Tool.name))\ntry \"\(Tool.name) help \(syntax.name)\"\n")
      return .usage
    }
  }
}
