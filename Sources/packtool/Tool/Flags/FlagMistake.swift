/// A mistake in a command line, with its message: lower case, names in quotes, no full stop.
package struct FlagMistake: Error, Equatable {
  /// The message.
  ///
  /// The parser of a flag's value gives only the part after `flag "--name"`, such as `needs a date, not "x"`.
  package let message: String

  /// Makes a mistake with this message.
  package init(_ message: String) { self.message = message }
}
