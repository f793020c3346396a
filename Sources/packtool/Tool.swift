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
  static let summary = "packs an app's assets by their tags"
  /// What may stand in place of a command, or in front of it.
  static let flags: [HelpSection.Row] = [
    ("-C DIR", "change to DIR before anything else; in front of the command"),
    ("-h, --help", "print this help"),
    ("-V, --version", "print the version; with --verbose also the commit and the libraries"),
  ]

  /// Runs one command line, without the name of the tool.
  static func run(
    _ arguments: [String], environment: [String: String], terminal: some Terminal
  ) -> ExitStatus {
    run(arguments, Session(environment: environment, terminal: terminal))
  }

  private static func run(_ arguments: [String], _ session: Session) -> ExitStatus {
    do {
      return try dispatch(arguments, session)
    } catch {
      return session.status(after: error)
    }
  }

  /// Runs one command line, whose words may be any bytes; as another text one would name another file.
  static func run(bytes words: [[UInt8]], _ session: Session) -> ExitStatus {
    let arguments = words.map { String(validating: $0, as: UTF8.self) }
    if let number = arguments.firstIndex(of: nil) {
      let mistake = UsageMistake(
        "argument \(quoted(bytes: words[number])) is not UTF-8; rename what it names, or go there by \"cd\"")
      return session.refuse(mistake)
    }
    return run(arguments.compactMap(\.self), session)
  }

  private static func dispatch(_ arguments: [String], _ session: Session) throws -> ExitStatus {
    var words = arguments[...]
    while let word = words.first, word.hasPrefix("-C") {
      words.removeFirst()
      if let mistake = enter(word == "-C" ? words.popFirst() : String(word.dropFirst(2))) {
        return session.refuse(mistake)
      }
    }
    guard let first = words.first else {
      session.explain(PlainText(lines: overview(width: session.width(of: .error))))
      return .usage
    }
    if first == "--help" || first == "-h" {
      try session.print(PlainText(lines: overview(width: session.width(of: .output))))
      return .done
    }
    if let text = VersionText.text(for: Array(words)) {
      try session.print(text)
      return .done
    }
    if let command = Command.named(first) { return try command.run(Array(words.dropFirst()), session) }
    session.complain(mistake(in: Array(words)))
    session.explain("try \"\(name) --help\"\n")
    return .usage
  }

  /// Changes to the folder of the flag `-C`, as make and git do.
  private static func enter(_ folder: String?) -> UsageMistake? {
    guard let folder, !folder.isEmpty else { return UsageMistake("flag \"-C\" needs a value: -C DIR") }
    do throws(SystemError) {
      try ThisProcess.enter(folder)
      return nil
    } catch {
      return UsageMistake("flag \"-C\" names a folder that cannot be entered: \(error)")
    }
  }

  /// The message on a command line whose first argument is not a command.
  private static func mistake(in arguments: [String]) -> String {
    let first = arguments[0]
    let isFlag = first.hasPrefix("-")
    if isFlag, let command = arguments.first(where: { Command.named($0) != nil }) {
      return "flags stand behind the command: \(name) \(command) \(first)"
    }
    let guess = didYouMean(Command.guess(for: first, among: ["--help", "--version"]))
    return "unknown \(isFlag ? "flag" : "command") \"\(first)\"\(guess)"
  }

  /// The output of `packtool --help`.
  static func overview(width: Int) -> String {
    let commands = Command.all.map { HelpSection.Row(label: $0.name, text: $0.summary) }
    return "\(name) \(version): \(summary)\n\nusage: \(name) COMMAND [ARGUMENTS]\n\n"
      + HelpSection.text(of: [HelpSection("commands", commands), HelpSection("flags", flags)], width: width)
      + "\n\"\(name) help COMMAND\" says more of one command.\n"
  }
}
