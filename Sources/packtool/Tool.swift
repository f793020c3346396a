import Findings
import Flags
import PackKit
import Packing
import Spelling
import System

/// The tool as a function of its arguments and environment.
enum Tool {
  static let name = "packtool"
  static let version = packtoolVersion

  /// Runs one command line, without the name of the tool.
  static func run(
    _ arguments: [String], environment: [String: String], terminal: some Terminal
  ) -> ExitStatus {
    let session = Session(environment: environment, terminal: terminal)
    do {
      return try dispatch(arguments, session)
    } catch {
      return session.status(after: error)
    }
  }

  private static func dispatch(_ arguments: [String], _ session: Session) throws -> ExitStatus {
    guard let first = arguments.first else {
      session.explain(overview(width: session.width(of: .error)))
      return .usage
    }
    switch first {
    case "--help", "-h":
      try session.print(overview(width: session.width(of: .output)))
      return .done
    case "--version", "-V":
      try session.print("\(name) \(version)\n")
      return .done
    default: break
    }
    if let command = Command.named(first) { return try command.run(Array(arguments.dropFirst()), session) }
    session.complain(mistake(in: arguments))
    session.explain("try \"\(name) --help\"\n")
    return .usage
  }

  /// The message on a command line whose first argument is not a command.
  private static func mistake(in arguments: [String]) -> String {
    let first = arguments[0]
    let isFlag = first.hasPrefix("-")
    if isFlag, let command = arguments.first(where: { Command.named($0) != nil }) {
      return "flags stand behind the command: \(name) \(command) \(first)"
    }
    let known = Command.all.map(\.name) + ["--help", "--version"]
    let guess = didYouMean(nearest(to: first, in: known))
    return "unknown \(isFlag ? "flag" : "command") \"\(first)\"\(guess)"
  }

  /// The output of `packtool --help`.
  static func overview(width: Int) -> String {
    let commands = Command.all.map { HelpSection.Row(label: $0.name, text: $0.summary) }
    let flags: [HelpSection.Row] = [
      ("-h, --help", "print this help"), ("-V, --version", "print the version"),
    ]
    return "\(name) \(version): packs an app's assets by their tags\n\nusage: \(name) COMMAND [ARGUMENTS]\n\n"
      + HelpSection.text(of: [HelpSection("commands", commands), HelpSection("flags", flags)], width: width)
      + "\n\"\(name) help COMMAND\" says more of one command.\n"
  }
}
