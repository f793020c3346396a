/// The flags and arguments of a command, and their effects on the command's options.
package struct CommandSyntax<Options>: Sendable {
  package private(set) var description: CommandDescription
  /// All flags of the command, including deprecated flags; the last flag is `--help`.
  package let flags: [Flag<Options>]
  /// Returns a message about options that cannot be used together; nil if there is no such conflict.
  let mistake: @Sendable (Options) -> String?

  /// Makes a command with these flags and `--help`, and with `--set` if some of the flags are settings.
  package init(
    name: String, summary: String, arguments: [Argument] = [], flags: [Flag<Options>] = [],
    mistake: @escaping @Sendable (Options) -> String? = { _ in nil }
  ) {
    let settings = flags.compactMap(\.setting)
    let flags = flags + (settings.isEmpty ? [] : [.set(settings)]) + [.help]
    description = CommandDescription(
      name: name, summary: summary, arguments: arguments,
      flags: flags.map(\.description).filter { $0.successor == nil })
    self.flags = flags
    self.mistake = mistake
  }

  /// Returns this command as a command that reads environment variables, whatever its flags are.
  func reading(_ variables: VariableUse...) -> CommandSyntax {
    changed { $0.ownVariables += variables }
  }

  /// Returns this command as a command that uses files with fixed names, whatever its flags are.
  func using(_ files: FileUsage...) -> CommandSyntax { changed { $0.ownFiles += files } }

  /// Returns this command with sentences about its exit status.
  func noting(exitStatus note: String) -> CommandSyntax { changed { $0.statusNote = note } }

  private func changed(_ change: (inout CommandDescription) -> Void) -> CommandSyntax {
    var copy = self
    change(&copy.description)
    return copy
  }

  /// Returns the flag with a name.
  ///
  /// The name includes the dashes.
  package func flag(named name: String) -> Flag<Options>? { flags.first { $0.names.contains(name) } }
}

/// A positional argument.
///
/// Only the last argument of a command can be omitted or repeated.
package struct Argument: Sendable {
  /// The name of the argument in help and messages.
  package let valueName: String
  /// One line of help that begins with a lower-case letter and has no full stop.
  package let summary: String
  /// The kind of the argument's value.
  package let kind: ValueKind
  /// The number of times that the argument can be on the command line.
  package let count: ClosedRange<Int>
  /// Whether an empty word is accepted as the argument.
  package let allowsEmpty: Bool
  /// The files with fixed names that a command uses because of the argument.
  private(set) var files: [FileUsage] = []

  /// Makes an argument that must be on the command line once, unless `count` is another range.
  package init(
    _ valueName: String, summary: String, kind: ValueKind = .text, count: ClosedRange<Int> = 1...1,
    allowsEmpty: Bool = false
  ) {
    self.allowsEmpty = allowsEmpty
    self.valueName = valueName
    self.summary = summary
    self.kind = kind
    self.count = count
  }

  /// Returns this argument with a maximum number of repetitions.
  package func repeated(upTo limit: Int) -> Argument {
    var repeated = Argument(
      valueName, summary: summary, kind: kind, count: count.lowerBound...limit, allowsEmpty: allowsEmpty)
    repeated.files = files
    return repeated
  }

  /// Returns this argument as an argument that makes a command use files with fixed names.
  func using(_ files: FileUsage...) -> Argument {
    var copy = self
    copy.files += files
    return copy
  }

  /// The argument as a usage line shows it, such as `DIR`, `[MANIFEST]` or `FILE...`.
  package var usage: String {
    let name = count.lowerBound == 0 ? "[\(valueName)]" : valueName
    return count.upperBound > 1 ? name + "..." : name
  }
}
