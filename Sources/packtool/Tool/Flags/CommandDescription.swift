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
  /// The effects of environment variables that do not depend on a flag.
  var ownVariables: [VariableUse] = []
  /// The files with fixed names that do not depend on an argument or a flag.
  var ownFiles: [FileUsage] = []
  /// Sentences about the command's exit status that the list of statuses does not contain.
  var statusNote: String?
}

extension CommandDescription {
  /// The effects of all environment variables that the command reads.
  ///
  /// Every command reads the variable for crashes.
  var variables: [VariableUse] { [.backtrace] + ownVariables + flags.flatMap(\.variables) }

  /// The files with fixed names that the command reads or writes.
  var files: [FileUsage] {
    var files: [FileUsage] = []
    for file in arguments.flatMap(\.files) + ownFiles + flags.flatMap(\.files) where !files.contains(file) {
      files.append(file)
    }
    return files
  }

  /// The exit statuses with which the command can end.
  ///
  /// Only a command that reports findings can end because of errors in its input.
  var exitStatuses: [ExitStatus] {
    let reportsFindings = flags.contains { $0.name == FindingOutputs.flagName }
    return ExitStatus.allCases.filter { $0 != .inputHasErrors || reportsFindings }
  }
}
