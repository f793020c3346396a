import Findings
import Flags
import Formats
import PackKit
import Projects
import Releases
import Spelling
import System

extension Command {
  private struct CompletionsOptions: Sendable {}

  /// What the scripts ask for, in place of a shell's name.
  private static let wordsName = "words"

  /// The command `packtool completions bash|zsh|fish`.
  static let completions = Command(
    CommandSyntax<CompletionsOptions>(
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
      ]), CompletionsOptions.init
  ) { _, arguments, session in
    if arguments[0] == wordsName {
      try session.print(CommandLineWords(Array(arguments.dropFirst()), of: session.commands).text)
      return .done
    }
    guard let shell = Shell(rawValue: arguments[0]), arguments.count == 1 else {
      let guess = suggestion(nearest(to: arguments[0], in: Shell.allCases.map(\.rawValue)))
      return session.refuse(
        UsageMistake(
          "there is no script for \(quoted(arguments[0]))\(guess.isEmpty ? "; name bash, zsh or fish" : guess)"
        ))
    }
    try session.print(PlainText(lines: shell.script))
    return .done
  }
}
