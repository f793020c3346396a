import Flags
import Spelling
import System

extension Command {
  /// The command `packtool help [COMMAND]`.
  static let help = Command(
    CommandSyntax<NoOptions>(
      name: "help", summary: "print help for the tool or one command",
      arguments: [
        Argument("COMMAND", summary: "the command to explain", kind: .named("command"), count: 0...1)
      ]), NoOptions.init
  ) { _, arguments, session in
    let width = session.width(of: .output)
    guard let name = arguments.first else {
      try session.print(PlainText(lines: session.overview(width: width)))
      return .done
    }
    guard let command = session.commands.named(name) else {
      session.complain("unknown command \"\(name)\"\(didYouMean(session.commands.guess(for: name)))")
      return .usage
    }
    try session.print(PlainText(lines: command.description.help(tool: Tool.name, width: width)))
    return .done
  }
}

extension Session {
  /// The output of `packtool --help`.
  func overview(width: Int) -> String {
    let rows = commands.map { HelpSection.Row(label: $0.name, text: $0.summary) }
    return "\(Tool.name) \(Tool.version): \(Tool.summary)\n\nusage: \(Tool.name) COMMAND [ARGUMENTS]\n\n"
      + HelpSection.text(of: [HelpSection("commands", rows), HelpSection("flags", Tool.flags)], width: width)
      + "\n\"\(Tool.name) help COMMAND\" says more of one command.\n"
  }
}
