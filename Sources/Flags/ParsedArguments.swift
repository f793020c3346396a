/// The result of parsing a command line, with all mistakes.
package struct ParsedArguments<Options> {
  /// The options as set by the flags; not to be used if there are mistakes.
  package internal(set) var options: Options
  /// The arguments that are neither flags nor their values, in order.
  package internal(set) var positionals: [String] = []
  /// Whether the arguments include a request for help.
  package internal(set) var wantsHelp = false
  /// All mistakes: first those in arguments, in order, then missing and surplus ones.
  package internal(set) var mistakes: [FlagMistake] = []
  /// The conflict between options, if each argument is valid.
  package internal(set) var conflict: FlagMistake?
}

extension ParsedArguments: Sendable where Options: Sendable {}

extension CommandSyntax {
  /// Parses the arguments after the command's name and sets `options` by the flags.
  package func parse(_ words: [String], into options: Options) -> ParsedArguments<Options> {
    var reader = WordReader(syntax: self, words: words[...], parsed: ParsedArguments(options: options))
    reader.readWords()
    reader.checkPositionals()
    reader.checkRequiredFlags()
    reader.checkOptions()
    return reader.parsed
  }
}
