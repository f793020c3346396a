/// One thing wrong with a command line, in words: lower case, names in quotes, no full stop.
package struct FlagMistake: Error, Equatable {
  /// What is wrong; where a flag's value is parsed, what follows `flag "--name"`, such as `needs a date, not "x"`.
  package let message: String

  /// A mistake in these words.
  package init(_ message: String) {
    self.message = message
  }
}
