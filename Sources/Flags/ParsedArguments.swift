/// What a command line said, and everything that is wrong with it.
package struct ParsedArguments<Options> {
  /// The options as the flags left them; not to be used when there are mistakes.
  package internal(set) var options: Options
  /// The words that are neither flags nor their values, in order.
  package internal(set) var positionals: [String] = []
  /// The words ask for help, whatever else is in them.
  package internal(set) var wantsHelp = false
  /// Every mistake: first those of the words in their order, then what is missing or too much.
  package internal(set) var mistakes: [FlagMistake] = []
  /// What is wrong with options that do not go together, where each word is right.
  package internal(set) var conflict: FlagMistake?
}

extension ParsedArguments: Sendable where Options: Sendable {}

extension CommandSyntax {
  /// Reads the words behind the command's name, changing `options` as their flags say.
  package func parse(_ words: [String], into options: Options) -> ParsedArguments<Options> {
    var reader = WordReader(syntax: self, words: words[...], parsed: ParsedArguments(options: options))
    reader.readWords()
    reader.checkPositionals()
    reader.checkRequiredFlags()
    reader.checkOptions()
    return reader.parsed
  }
}
