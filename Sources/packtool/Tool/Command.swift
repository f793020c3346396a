import Formats
import Model
import Pipeline
import System

/// A command: its function, and the description from which help, completions and man pages are made.
struct Command: Sendable {
  private let syntax: CommandDescription
  let run: @Sendable ([String], Session) throws -> ExitStatus

  var name: String { syntax.name }
  var summary: String { syntax.summary }
  var description: CommandDescription { syntax.explained }

  /// Makes a command from its syntax; `runCommand` runs after the command line was parsed.
  ///
  /// Findings, mistakes and failures are written to the destinations that the options set.
  init<Options: ReportingOptions>(
    _ syntax: CommandSyntax<Options>, defaults: @escaping @Sendable () -> Options,
    runCommand: @escaping @Sendable (Options, [String], Session) throws -> ExitStatus
  ) {
    self.syntax = syntax.description
    run = { words, session in
      var parsed = syntax.parse(words, into: defaults())
      parsed.replacePaths(with: existingPath)
      if parsed.wantsHelp {
        return try session.printHelp(
          syntax.description, detail: parsed.wantsBriefHelp ? .brief : .complete)
      }
      let options = parsed.options
      let written = Destination.all(in: parsed.paths)
      // The flags for findings come first. The other flags are in the order in which help lists them, and not
      // in the order of the command line.
      let flags = syntax.description.flags.map(\.name).filter { !Destination.findingFlags.contains($0) }
      let destinations =
        written.of(Destination.findingFlags) + options.format.destinations + written.of(flags)
      if let clash = options.shared.outputs.mistake ?? Destination.clash(among: destinations) {
        for mistake in parsed.mistakes { session.reportError(mistake.message) }
        return session.refuse(clash)
      }
      // An import reads a project and writes a manifest to the project's folder, so a manifest in this folder
      // is not an input.
      let folders =
        syntax.description.name == "import" ? [] : parsed.positionals.isEmpty ? ["."] : parsed.positionals
      let inputs =
        parsed.positionals + folders.map { joined($0, "Manifest.json") }
        + parsed.paths.filter { $0.isFlag && $0.use == .input }.map(\.path)
      // "fmt" is the only command that reads a manifest without scanning the manifest's assets.
      let scanned = syntax.description.name == "fmt" ? [] : inputs
      if let mistake = Destination.mistake(in: destinations, inputs: inputs, scanned: scanned) {
        return session.refuse(mistake)
      }
      return RunScope.$current.withValue(RunScope(parsed.paths, options: options.shared)) {
        session.reporting(options.shared) {
          try $0.run(parsed, description: syntax.description, options: options, runCommand: runCommand)
        }
      }
    }
  }
}

/// The name of a command, and the function that describes the command.
///
/// A command is described when it is needed. If each start of packtool described the flags of all commands, this
/// would be 40 % of the instructions of `packtool --version`.
struct CommandEntry: Sendable {
  let name: String
  let command: @Sendable () -> Command

  init(_ name: String, command: @escaping @Sendable () -> Command) {
    self.name = name
    self.command = command
  }
}

/// Commands with the same purpose.
struct CommandGroup: Sendable {
  let name: String
  let entries: [CommandEntry]
  var commands: [Command] { entries.map { $0.command() } }

  init(_ name: String, entries: [CommandEntry]) {
    self.name = name
    self.entries = entries
  }
}

extension [CommandGroup] {
  var commands: [Command] { flatMap(\.commands) }

  /// Returns the command with a name, without describing the other commands.
  func command(named name: String) -> Command? {
    lazy.flatMap(\.entries).first { $0.name == name }?.command()
  }
}

/// Returns the path of a file that the user means.
///
/// Names from the log of a server are percent-encoded. If only the file with the decoded name exists, the user
/// means this file.
private func existingPath(for path: String) -> String {
  guard let decoded = PercentEncoding.decoded(path), (try? FileOperations.exists(path)) == false,
    (try? FileOperations.exists(decoded)) == true
  else { return path }
  return decoded
}

extension RunScope {
  /// The flag that specifies the folder that limits roots.
  ///
  /// The roots of all manifests must be in the folder.
  static let rootFlag = "--root"

  /// Makes the scope of a run with the paths on its command line.
  fileprivate init(_ paths: [NamedPath], options: SharedOptions) {
    self.init()
    root = paths.last { $0.name == Self.rootFlag }?.path
    followsSymlinks = options.symlinks == .follow
    // A folder among the arguments is not included, because it can be the folder of a manifest. A folder in a
    // flag is included.
    files = paths.filter { $0.isFlag ? $0.use != nil || $0.kind == .path : $0.use != nil }.map {
      NamedFile(name: $0.name, path: $0.path)
    }
  }
}

extension CommandDescription {
  /// The help text of each command: paragraphs, followed by useful command lines with explanations.
  static let pages = Dictionary(
    uniqueKeysWithValues: "\n\(commandPages)".split(separator: "\n# ").map { page in
      let blocks = page.split(separator: "\n\n")
      return (String(blocks[0]), blocks.dropFirst())
    })

  /// This command's description, with the paragraphs and the examples of the command's help text added.
  fileprivate var explained: CommandDescription {
    var explained = self
    for block in Self.pages[name] ?? [] {
      if block.hasPrefix("- `") {
        explained.examples = block.matches(of: /- `(.+)`: (.+)/).map {
          HelpRow(String($0.1), text: String($0.2))
        }
      } else {
        explained.discussion.append(String(block).replacing("\n", with: " "))
      }
    }
    return explained
  }
}

/// Messages about options that cannot be used together.
///
/// A key is true if the user made this mistake.
typealias Mistakes = KeyValuePairs<Bool, String>

func firstMistake(_ mistakes: Mistakes) -> String? { mistakes.first { $0.key }?.value }

protocol ReportingOptions: Sendable {
  var shared: SharedOptions { get }
  var format: OutputFormat { get }
  /// Returns further mistakes of a command line that is known to have mistakes.
  ///
  /// One run then reports all mistakes.
  func additionalMistakes(_ arguments: [String]) -> [String]
  /// Returns one message that explains all mistakes of a command line and says what to type; nil if there is
  /// no such message.
  func combinedMistake(_ arguments: [String]) -> String?
}

extension ReportingOptions {
  var format: OutputFormat { .text }
  func additionalMistakes(_ arguments: [String]) -> [String] { [] }
  func combinedMistake(_ arguments: [String]) -> String? { nil }
}

extension Session {
  fileprivate func printHelp(_ description: CommandDescription, detail: HelpDetail) throws -> ExitStatus {
    let (command, width) = (description.explained, width(of: .output))
    let text =
      switch detail {
      case .brief: command.briefHelp(tool: Tool.name, width: width)
      case .complete: command.help(tool: Tool.name, width: width)
      }
    try print(PlainText(lines: text))
    return .done
  }

  fileprivate func run<Options: ReportingOptions>(
    _ parsed: ArgumentParser<Options>, description: CommandDescription, options: Options,
    runCommand: (Options, [String], Session) throws -> ExitStatus
  ) throws -> ExitStatus {
    for flag in parsed.deprecated where !options.shared.isQuiet {
      printProgress("\(Tool.name): note: \(flag.message)\n", options: options.shared)
    }
    if let conflict = parsed.conflict { return refuse(conflict) }
    if parsed.mistakes.isEmpty { return try runCommand(parsed.options, parsed.positionals, self) }
    if !parsed.hasUnknownFlag, let mistake = options.combinedMistake(parsed.positionals) {
      reportError(mistake)
    } else {
      for mistake in parsed.mistakes { reportError(mistake.message) }
      let further = parsed.hasUnknownFlag ? [] : options.additionalMistakes(parsed.positionals)
      for mistake in further { reportError(mistake) }
    }
    if reports?.outputs.isDocument != true {
      writeToStandardError(
        "\(description.usage(tool: Tool.name))\ntry \"\(Tool.name) help \(description.name)\"\n")
    }
    return .usage
  }
}

extension [Command] {
  /// The names that similar commands have in other tools.
  ///
  /// They are used for messages with "did you mean".
  private static var otherNames: [String: String] {
    [
      "check": "validate", "lint": "validate", "test": "validate", "pack": "build", "package": "build",
      "make": "build", "create": "build", "dry-run": "plan", "list": "plan", "ls": "plan",
      "extract": "unpack",
      "unzip": "unpack", "compare": "diff", "why": "explain", "show": "inspect", "info": "inspect",
      "convert": "import", "migrate": "import", "play": "simulate", "rules": "checks", "version": "--version",
      "new": "init", "start": "init", "setup": "init", "format": "fmt", "run": "build", "watch": "serve",
      "server": "serve", "bundle": "build", "publish": "build", "status": "plan", "tree": "plan",
      "-v": "--version",
    ]
  }

  /// Returns advice for the name of a command that other tools have, and for which packtool needs none.
  static func advice(on word: String) -> String? {
    switch word.lowercased() {
    case "add", "remove", "rm":
      "the rules in Manifest.json assign tags to files; \"packtool help manifest\" describes them"
    case "clean", "clear":
      "\"packtool build --no-cache\" builds everything again; you can delete the output folder at any time"
    case "upload", "deploy", "push":
      "packtool uploads nothing; copy the output folder to your server, and index.json last"
    default: nil
    }
  }

  /// Returns the command that the user probably meant; nil if there is no likely command.
  ///
  /// Words with different first letters are not guesses for each other. For example, "report" and "import"
  /// are similar, but users do not confuse them.
  func guess(for word: String, among more: [String] = []) -> String? {
    let names = map(\.name) + more
    if let name = Self.otherNames[word.lowercased()], names.contains(name) { return name }
    let begun = names.filter { $0.hasPrefix(word) }
    if word.utf8.count > 2, begun.count == 1 { return begun[0] }
    guard let near = nearest(to: word, in: names) else { return nil }
    // People rarely mistype the first letter, but they sometimes swap the first and the second letter.
    let starts = [word, near].map { Set($0.lowercased().filter { $0 != "-" }.prefix(2)) }
    let hasSameStart = word.lowercased().first == near.first || starts[0] == starts[1]
    return hasSameStart ? near : nil
  }
}

/// The amount of help about a command.
enum HelpDetail {
  /// Help that fits on one screen, for `-h`.
  case brief
  /// All flags, for `--help`.
  case complete
}

struct NoOptions: ReportingOptions { let shared = SharedOptions() }

enum Tool {
  static let name = "packtool"
  static let version = packtoolVersion
  static let summary = "packs an app's assets by their tags"
  /// The flags that can be used instead of a command or before it.
  static let flags: [HelpRow] = [
    HelpRow("-C DIR", text: "change to DIR first; must be before the command"),
    HelpRow("-h, --help", text: "print this help"),
    HelpRow("-V, --version", text: "print the version; with --verbose also the commit and the libraries"),
  ]
}
