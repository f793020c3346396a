import Formats
import Model
import Pipeline
import System

/// One command: its description, from which help, completions and man pages are made, and what it does.
struct Command: Sendable {
  private let syntax: CommandDescription
  let run: @Sendable ([String], Session) throws -> ExitStatus

  var name: String { syntax.name }
  var summary: String { syntax.summary }
  var description: CommandDescription { syntax.explained }

  /// A command from its syntax; `body` is run once the words have been understood.
  ///
  /// Findings go where the options say; so do mistakes and failures.
  init<Options: ReportingOptions>(
    _ syntax: CommandSyntax<Options>, defaults: @escaping @Sendable () -> Options,
    body: @escaping @Sendable (Options, [String], Session) throws -> ExitStatus
  ) {
    self.syntax = syntax.description
    run = { words, session in
      let parsed = syntax.parse(words, into: defaults())
      if parsed.wantsHelp { return try session.printHelp(syntax.description) }
      let options = parsed.options
      let written = Destination.all(in: parsed.paths)
      // In the order of help, whatever that of the words, but findings first.
      let flags = syntax.description.flags.map(\.name).filter { !Destination.findingFlags.contains($0) }
      let destinations =
        written.of(Destination.findingFlags) + options.format.destinations + written.of(flags)
      if let clash = options.shared.outputs.mistake ?? Destination.clash(among: destinations) {
        for mistake in parsed.mistakes { session.reportError(mistake.message) }
        return session.refuse(clash)
      }
      // An import writes the manifest of the folder that it reads a project in.
      let folders =
        syntax.description.name == "import" ? [] : parsed.positionals.isEmpty ? ["."] : parsed.positionals
      let inputs =
        parsed.positionals + folders.map { joined($0, "Manifest.json") }
        + parsed.paths.filter { $0.isFlag && $0.use == .input }.map(\.path)
      // Of all commands with a manifest, "fmt" alone does not meet its assets.
      let scanned = syntax.description.name == "fmt" ? [] : inputs
      if let mistake = Destination.mistake(in: destinations, inputs: inputs, scanned: scanned) {
        return session.refuse(mistake)
      }
      return RunScope.$current.withValue(RunScope(parsed.paths, options: options.shared)) {
        session.reporting(options.shared) {
          try $0.run(
            parsed, description: syntax.description, furtherMistakes: options.furtherMistakes, body: body)
        }
      }
    }
  }
}

extension RunScope {
  /// The flag that names the folder below which manifests may have their root.
  static let rootFlag = "--root"

  /// The scope of a run with these paths on its command line.
  fileprivate init(_ paths: [NamedPath], options: SharedOptions) {
    self.init()
    root = paths.last { $0.name == Self.rootFlag }?.path
    followsSymlinks = options.symlinks == .follow
    // A folder may hold assets and more, and an argument that is one may be that of the manifest.
    files = paths.filter { $0.isFlag ? $0.use != nil || $0.kind == .path : $0.use != nil }.map {
      NamedFile(name: $0.name, path: $0.path)
    }
  }
}

extension CommandDescription {
  /// What the page of commands says of each: paragraphs, then command lines worth copying with what they do.
  static let pages = Dictionary(
    uniqueKeysWithValues: "\n\(commandPages)".split(separator: "\n# ").map { page in
      let blocks = page.split(separator: "\n\n")
      return (String(blocks[0]), blocks.dropFirst())
    })

  /// The same command with the paragraphs and the examples of its page.
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

/// Messages on options that do not go together, by whether they are given.
typealias Mistakes = KeyValuePairs<Bool, String>

func firstMistake(_ mistakes: Mistakes) -> String? { mistakes.first { $0.key }?.value }

protocol ReportingOptions: Sendable {
  var shared: SharedOptions { get }
  var format: OutputFormat { get }
  /// Further mistakes of a command line whose words are wrong, so that one run says it all.
  func furtherMistakes(_ arguments: [String]) -> [String]
}

extension ReportingOptions {
  var format: OutputFormat { .text }
  func furtherMistakes(_ arguments: [String]) -> [String] { [] }
}

extension Session {
  fileprivate func printHelp(_ description: CommandDescription) throws -> ExitStatus {
    try print(PlainText(lines: description.explained.help(tool: Tool.name, width: width(of: .output))))
    return .done
  }

  fileprivate func run<Options>(
    _ parsed: ArgumentParser<Options>, description: CommandDescription,
    furtherMistakes: ([String]) -> [String],
    body: (Options, [String], Session) throws -> ExitStatus
  ) throws -> ExitStatus {
    if let conflict = parsed.conflict { return refuse(conflict) }
    if parsed.mistakes.isEmpty { return try body(parsed.options, parsed.positionals, self) }
    for mistake in parsed.mistakes { reportError(mistake.message) }
    for mistake in furtherMistakes(parsed.positionals) { reportError(mistake) }
    if reports?.outputs.isDocument != true {
      writeToStandardError(
        "\(description.usage(tool: Tool.name))\ntry \"\(Tool.name) help \(description.name)\"\n")
    }
    return .usage
  }
}

extension [Command] {
  func named(_ name: String) -> Command? { first { $0.name == name } }

  /// Names of commands in other tools, for "did you mean".
  private static var otherNames: [String: String] {
    [
      "check": "validate", "lint": "validate", "test": "validate", "pack": "build", "package": "build",
      "make": "build", "create": "build", "dry-run": "plan", "list": "plan", "ls": "plan",
      "extract": "unpack",
      "unzip": "unpack", "compare": "diff", "why": "explain", "show": "inspect", "info": "inspect",
      "convert": "import", "migrate": "import", "play": "simulate", "rules": "checks", "version": "--version",
    ]
  }

  /// The command that a word was meant to be; nil where none is likely.
  ///
  /// Words that only look alike, such as "report" and "import", are no guess: their first letters differ.
  func guess(for word: String, among more: [String] = []) -> String? {
    let names = map(\.name) + more
    if let name = Self.otherNames[word.lowercased()], names.contains(name) { return name }
    let begun = names.filter { $0.hasPrefix(word) }
    if word.utf8.count > 2, begun.count == 1 { return begun[0] }
    guard let near = nearest(to: word, in: names) else { return nil }
    // The first letter is rarely wrong, but may be swapped with the second.
    let starts = [word, near].map { Set($0.lowercased().filter { $0 != "-" }.prefix(2)) }
    let hasSameStart = word.lowercased().first == near.first || starts[0] == starts[1]
    return hasSameStart ? near : nil
  }
}

struct NoOptions: ReportingOptions { let shared = SharedOptions() }

enum Tool {
  static let name = "packtool"
  static let version = packtoolVersion
  static let summary = "packs an app's assets by their tags"
  /// The flags in place of a command, or in front of it.
  static let flags: [HelpRow] = [
    HelpRow("-C DIR", text: "change to DIR before anything else; in front of the command"),
    HelpRow("-h, --help", text: "print this help"),
    HelpRow("-V, --version", text: "print the version; with --verbose also the commit and the libraries"),
  ]
}
