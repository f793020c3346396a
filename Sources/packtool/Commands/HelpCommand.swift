import Flags
import Spelling
import System

extension Command {
  private struct HelpOptions: Sendable {}

  /// The command `packtool help [COMMAND]`.
  static let help = Command(
    CommandSyntax<HelpOptions>(
      name: "help", summary: "print help for the tool or one command",
      arguments: [
        Argument("COMMAND", summary: "the command to explain", kind: .named("command"), count: 0...1)
      ]), HelpOptions.init
  ) { _, arguments, session in
    let width = session.width(of: .output)
    guard let name = arguments.first else {
      try session.print(PlainText(lines: Tool.overview(width: width)))
      return .done
    }
    guard let command = Command.named(name) else {
      session.complain("unknown command \"\(name)\"\(didYouMean(Command.guess(for: name)))")
      return .usage
    }
    try session.print(PlainText(lines: command.description.help(tool: Tool.name, width: width)))
    return .done
  }
}
