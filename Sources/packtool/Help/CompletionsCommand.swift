import Findings
import Flags
import Formats
import PackKit
import Projects
import Published
import Spelling

extension Command {
  /// The argument of the scripts in place of a shell's name.
  private static let wordsName = "words"

  static let completions = Command(
    CommandSyntax<NoOptions>(
      name: "completions", summary: "print a script that completes command lines in a shell",
      discussion: [
        "The script asks packtool for the words: \"packtool completions words -- WORD...\" prints which files fit, then "
          + "the words that do, each with its meaning behind a tab."
      ],
      examples: [
        .init("completions bash > ~/.local/share/bash-completion/completions/packtool", "for bash"),
        .init("completions zsh > ~/.zfunc/_packtool", "for zsh, with ~/.zfunc in its fpath"),
        .init("completions fish > ~/.config/fish/completions/packtool.fish", "for fish"),
      ],
      arguments: [
        Argument(
          "SHELL", summary: "bash, zsh or fish", kind: .choice(Shell.allCases.map(\.rawValue))),
        Argument("WORD", summary: "the words of a command line", count: 0...100_000, takesEmpty: true),
      ]), NoOptions.init
  ) { _, arguments, session in
    if arguments[0] == wordsName {
      try session.print(session.commands.words(for: Array(arguments.dropFirst())))
      return .done
    }
    guard let shell = Shell(rawValue: arguments[0]), arguments.count == 1 else {
      let guess = suggestion(nearest(to: arguments[0], in: Shell.allCases.map(\.rawValue)))
      return session.refuse(
        "there is no script for \(quoted(arguments[0]))\(guess.isEmpty ? "; name bash, zsh or fish" : guess)")
    }
    try session.print(PlainText(lines: shell.script))
    return .done
  }
}

extension [Command] {
  private static var mostWords: Int { 1000 }

  /// The words that may end a command line, for the scripts of shells: a line for files, then one for each word.
  fileprivate func words(for words: [String]) -> PlainText {
    var completion = Completion(of: words, commands: map(\.description), toolFlags: Self.toolFlags)
    if let lookup = completion.lookup { completion.add(names(lookup), to: words.last ?? "") }
    let lines = completion.candidates.prefix(Self.mostWords).filter {
      !$0.word.unicodeScalars.contains { $0.value < 0x20 }
    }
    return "\(Self.files(in: completion))\n"
      + lines.map { line -> PlainText in "\(line.word)\t\(line.summary)\n" }.joined()
  }

  private static var toolFlags: [Completion.Candidate] {
    Tool.flags.flatMap { row in
      row.label.split(separator: ", ").map { spelling in
        Completion.Candidate(String(spelling.prefix { $0 != " " }), row.text)
      }
    }
  }

  private static func files(in completion: Completion) -> String {
    // A subject may be a path, too.
    if completion.lookup?.name == "subject" { return "files" }
    return switch completion.files {
    case .none: "none"
    case .folders: "folders"
    case .files(let suffixes): (["files"] + suffixes).joined(separator: " ")
    }
  }

  /// The names of a kind that only packtool knows; none where a file that says them cannot be read.
  private func names(_ lookup: Completion.Lookup) -> [Completion.Candidate] {
    switch lookup.name {
    case "check": Check.all.map { Completion.Candidate($0.id, $0.summary) }
    case "severity": Check.all.map { Completion.Candidate($0.id + "=", $0.summary) } + Self.levels
    case "command": map { Completion.Candidate($0.name, $0.summary) }
    case "tag": Self.tags(of: lookup.positionals.first)
    case "subject": Self.subjects(of: lookup.positionals.dropFirst().first)
    default: []
    }
  }

  /// `empty-file=error` and the like, for each check and level.
  private static var levels: [Completion.Candidate] {
    Check.all.flatMap { check in
      SeverityChoice.allCases.map { Completion.Candidate("\(check.id)=\($0.rawValue)", check.summary) }
    }
  }

  private static func tags(of argument: String?) -> [Completion.Candidate] {
    if let argument, let index = try? BuiltFolder(argument).index {
      return index.release.tags.map { Completion.Candidate($0.name, $0.delivery.title) }
    }
    return plan(of: argument)?.tags.map { Completion.Candidate($0.tag, $0.delivery.title) } ?? []
  }

  private static func subjects(of argument: String?) -> [Completion.Candidate] {
    guard let plan = plan(of: argument) else { return [] }
    return plan.tags.map { Completion.Candidate($0.tag, "tag, \($0.delivery.title)") }
      + plan.packs.filter { $0.tags.count > 1 }.map {
        Completion.Candidate($0.joinedTags, "pack, \($0.delivery.title)")
      }
      + plan.packs.map { Completion.Candidate($0.identity.identifier, "pack of \(setNotation($0.tags))") }
  }

  private static func plan(of argument: String?) -> PackPlan? {
    guard let manifest = try? argument ?? ManifestSource.search() else { return nil }
    return try? Preparation(Preparation.Request(manifest, jobs: 4)).plan
  }
}

/// A shell that completes command lines of packtool by a script, which asks packtool for the words.
enum Shell: String, CaseIterable, Sendable {
  case bash
  case zsh
  case fish

  var script: String {
    let text: StaticString =
      switch self {
      case .bash: bashCompletion
      case .zsh: zshCompletion
      case .fish: fishCompletion
      }
    return "\(text)\n"
  }
}
