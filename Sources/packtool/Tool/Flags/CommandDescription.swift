/// A command's name, arguments and flags, independent of its options type.
///
/// Help, completions and man pages use this description.
package struct CommandDescription: Sendable {
  /// The command's name; empty for packtool itself.
  package let name: String
  /// One line that says what the command does.
  package let summary: String
  /// Further paragraphs of the command's help.
  package var discussion: [String] = []
  /// Useful command lines, each with an explanation.
  package var examples: [HelpRow] = []
  /// The positional arguments in order.
  package let arguments: [Argument]
  /// All flags of the command; the last flag is `--help`.
  package let flags: [FlagDescription]
}
