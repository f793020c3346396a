import Archiving
import Formats
import Model
import Pipeline
import System

extension Tool {
  /// Runs a command line, given as bytes.
  ///
  /// Words that are not UTF-8 are rejected.
  ///
  /// Decoding such a word would change it, and it could then be the path of another file.
  static func run(bytes words: [[UInt8]], session: Session) -> ExitStatus {
    let arguments = words.map { String(validating: $0, as: UTF8.self) }
    if let number = arguments.firstIndex(of: nil) {
      let mistake =
        "argument \(quoted(bytes: words[number])) is not UTF-8; rename the file, or change to its folder "
        + "with \"cd\" and use a relative path"
      return session.refuse(mistake)
    }
    do {
      return try dispatch(arguments.compactMap(\.self), session: session)
    } catch {
      return session.status(after: error)
    }
  }

  private static func dispatch(_ arguments: [String], session: Session) throws -> ExitStatus {
    var words = arguments[...]
    while let word = words.first, word.hasPrefix("-C") {
      words.removeFirst()
      if let mistake = enter(word == "-C" ? words.popFirst() : String(word.dropFirst(2))) {
        return session.refuse(mistake)
      }
    }
    guard let first = words.first else {
      session.writeToStandardError(PlainText(lines: session.overview(width: session.width(of: .error))))
      return .usage
    }
    if first == "--help" || first == "-h" {
      try session.print(PlainText(lines: session.overview(width: session.width(of: .output))))
      return .done
    }
    if let text = version(for: Array(words)) {
      try session.print(text)
      return .done
    }
    if let command = session.command(named: first) {
      return try command.run(Array(words.dropFirst()), session)
    }
    session.reportError(mistake(in: Array(words), session: session))
    session.writeToStandardError("try \"\(name) --help\"\n")
    return .usage
  }

  private static func enter(_ folder: String?) -> String? {
    guard let folder, !folder.isEmpty else { return "flag \"-C\" needs a value: -C DIR" }
    do throws(SystemError) {
      try ThisProcess.enter(folder)
      return nil
    } catch {
      return "packtool cannot change to the folder of flag \"-C\": \(error)"
    }
  }

  private static func mistake(in arguments: [String], session: Session) -> String {
    let first = arguments[0]
    let isFlag = first.hasPrefix("-")
    if isFlag, let command = arguments.first(where: { session.command(named: $0) != nil }) {
      return "flags must come after the command: \(name) \(command) \(first)"
    }
    if let advice = [Command].advice(on: first) { return "unknown command \"\(first)\"; \(advice)" }
    let guess = didYouMean(session.commands.guess(for: first, among: ["--help", "--version"]))
    return "unknown \(isFlag ? "flag" : "command") \"\(first)\"\(guess)"
  }

  /// Returns the version if the command line requests it.
  ///
  /// With `--verbose`, the text also contains the build information. Returns nil for other command lines.
  private static func version(for words: [String]) -> PlainText? {
    let (version, verbose) = (Set(["--version", "-V"]), Set(["--verbose", "-v"]))
    guard words.contains(where: version.contains),
      version.contains(words[0]) || Set(words).isSubset(of: version.union(verbose))
    else { return nil }
    let first: PlainText = "\(name) \(Tool.version)\n"
    if !words.contains(where: verbose.contains) { return first }
    return first + "commit: \(builtCommit)\n"
      + libraryVersions.map { "\($0.name): \($0.version)\n" as PlainText }.joined()
  }
}

extension CommandGroup {
  /// Every command, grouped by purpose, in the order of help.
  static let all = [
    CommandGroup(
      "start",
      entries: [
        CommandEntry("init") { .initialize }, CommandEntry("import") { .importProject },
        CommandEntry("suggest") { .suggest },
      ]),
    CommandGroup(
      "work",
      entries: [
        CommandEntry("build") { .build }, CommandEntry("plan") { .plan },
        CommandEntry("validate") { .validate }, CommandEntry("explain") { .explain },
        CommandEntry("fmt") { .format },
      ]),
    CommandGroup(
      "check",
      entries: [
        CommandEntry("verify") { .verify }, CommandEntry("diff") { .diff },
        CommandEntry("report") { .report },
        CommandEntry("simulate") { .simulate },
      ]),
    CommandGroup(
      "ship",
      entries: [
        CommandEntry("merge") { .merge }, CommandEntry("unpack") { .unpack },
        CommandEntry("inspect") { .inspect }, CommandEntry("serve") { .serve },
      ]),
    CommandGroup(
      "more",
      entries: [
        CommandEntry("tags") { .tags }, CommandEntry("checks") { .checks },
        CommandEntry("devices") { .devices }, CommandEntry("schema") { .schema },
        CommandEntry("completions") { .completions }, CommandEntry("man") { .man },
        CommandEntry("help") { .help },
      ]),
  ]
}
