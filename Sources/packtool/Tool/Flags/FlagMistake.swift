/// A mistake in a command line, with its message: lower case, names in quotes, without a full stop.
package struct FlagMistake: Error, Equatable {
  /// The message.
  ///
  /// The code that parses a flag's value provides only the part that comes after `flag "--name"`, such as
  /// `needs a date, not "x"`.
  package let message: String

  /// Makes a mistake with a message.
  package init(_ message: String) { self.message = message }
}
