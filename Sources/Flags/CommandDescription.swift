/// A command's name, arguments and flags without its options type: the source of help, completions and man pages.
package struct CommandDescription: Sendable {
  /// The command's name; empty for the tool itself.
  package let name: String
  /// One line that says what the command does.
  package let summary: String
  /// More help, one paragraph each; one that starts with a space is printed unwrapped.
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
