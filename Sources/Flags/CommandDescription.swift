/// What a command is called and takes, whatever its options: what help, completions and man pages are made of.
package struct CommandDescription: Sendable {
  /// The command's name; empty for the tool itself.
  package let name: String
  /// One line that says what the command does.
  package let summary: String
  /// More help, a paragraph each; one that starts with a space is printed as it stands.
  package let discussion: [String]
  /// Command lines worth copying, each with what it does.
  package let examples: [Example]
  /// The positional arguments in order.
  package let arguments: [Argument]
  /// Every flag, `--help` as the last.
  package let flags: [FlagDescription]

  /// A command line and what it does.
  package struct Example: Sendable {
    package let words: String
    package let summary: String

    package init(_ words: String, _ summary: String) {
      self.words = words
      self.summary = summary
    }
  }
}
