/// A command's name, arguments and flags without its options type, for help, completions and man pages.
package struct CommandDescription: Sendable {
  /// The command's name; empty for the tool itself.
  package let name: String
  /// One line that says what the command does.
  package let summary: String
  /// More help, one paragraph each.
  package var discussion: [String] = []
  /// Useful command lines, each with an explanation.
  package var examples: [HelpRow] = []
  /// The positional arguments in order.
  package let arguments: [Argument]
  /// Every flag; `--help` is the last.
  package let flags: [FlagDescription]
}
