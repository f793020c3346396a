import Flags
import System

/// One command: its description, from which help, completions and man pages are made, and what it does.
struct Command: Sendable {
  let description: CommandDescription
  /// Runs the command with the words behind its name.
  let run: @Sendable ([String], Session) throws -> ExitStatus

  /// Every command, in the order of help.
  static let all: [Command] = [
    build, validate, plan, verify, unpack, diff, explain, importProject, inspect, simulate, checks,
    schema, help,
  ]

  static func named(_ name: String) -> Command? { all.first { $0.name == name } }

  var name: String { description.name }
  var summary: String { description.summary }

  /// A command from its syntax; `body` is run once the words have been understood.
  init<Options>(
    _ syntax: CommandSyntax<Options>, _ defaults: @escaping @Sendable () -> Options,
    _ body: @escaping @Sendable (Options, [String], Session) throws -> ExitStatus
  ) {
    let description = syntax.description
    self.description = description
    run = { words, session in
      let parsed = syntax.parse(words, into: defaults())
      if parsed.wantsHelp {
        try session.print(description.help(tool: Tool.name, width: session.width(of: .output)))
        return .done
      }
      if let conflict = parsed.conflict { return session.refuse(UsageMistake(conflict.message)) }
      if parsed.mistakes.isEmpty { return try body(parsed.options, parsed.positionals, session) }
      for mistake in parsed.mistakes { session.complain(mistake.message) }
      session.explain(
        "\(description.usage(tool: Tool.name))\ntry \"\(Tool.name) help \(description.name)\"\n")
      return .usage
    }
  }
}
