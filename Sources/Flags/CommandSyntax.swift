/// What may be written behind a command's name, and the words that describe it.
package struct CommandSyntax<Options>: Sendable {
  /// The command's name; empty for the tool itself.
  package let name: String
  /// One line that says what the command does.
  package let summary: String
  /// More help, a paragraph each; one that starts with a space is printed as it stands.
  package let discussion: [String]
  /// The positional arguments in order.
  package let arguments: [Argument]
  /// Every flag, `--help` as the last.
  package let flags: [Flag<Options>]

  /// A command with these flags and `--help`.
  package init(
    name: String, summary: String, discussion: [String] = [], arguments: [Argument] = [],
    flags: [Flag<Options>] = []
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.arguments = arguments
    self.flags = flags + [.help]
  }

  /// The flag of this name, dashes included.
  package func flag(named name: String) -> Flag<Options>? {
    flags.first { $0.names.contains(name) }
  }
}

/// A positional argument; one that may be left out or repeated stands last.
package struct Argument: Sendable {
  /// What help and messages call the argument.
  package let valueName: String
  /// One line of help, lower-case first, no full stop.
  package let summary: String
  /// How often the argument may be given.
  package let count: ClosedRange<Int>

  /// An argument that must be given once, unless the count says otherwise.
  package init(_ valueName: String, summary: String, count: ClosedRange<Int> = 1...1) {
    self.valueName = valueName
    self.summary = summary
    self.count = count
  }

  /// The argument as a usage line shows it: `DIR`, `[MANIFEST]`, `FILE...`.
  package var usage: String {
    let name = count.lowerBound == 0 ? "[\(valueName)]" : valueName
    return count.upperBound > 1 ? name + "..." : name
  }
}
