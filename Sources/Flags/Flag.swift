import Spelling

/// One command-line flag over an options type: its names, its help and its effect.
package struct Flag<Options>: Sendable {
  /// Where in the options a value goes.
  package typealias Target<Value> = any WritableKeyPath<Options, Value> & Sendable

  /// Every spelling with its dashes, the long one first.
  package let names: [String]
  /// What help calls the flag's value; nil where it takes none.
  package internal(set) var valueName: String? = nil
  /// One line of help, lower-case first, no full stop.
  package let summary: String
  /// The only values that are taken, in the order of help; empty where any is.
  package internal(set) var choices: [String] = []
  /// The heading in help that the flag stands under; nil for the command's own flags.
  package internal(set) var group: String? = nil
  /// What to do when a required flag is missing; nil where the flag may be left out.
  package internal(set) var missingHint: String? = nil
  /// Puts a value, empty for a toggle, into the options.
  let apply: @Sendable (inout Options, String) throws(FlagMistake) -> Void

  /// The long spelling.
  package var name: String { names[0] }
  /// A command line without this flag is a mistake.
  package var isRequired: Bool { missingHint != nil }
  /// A value must follow.
  package var takesValue: Bool { valueName != nil }

  /// The same flag, which a command line must have; the hint says what to do when it has not.
  package func required(hint: String) -> Flag {
    var copy = self
    copy.missingHint = hint
    return copy
  }

  /// The same flag under a heading of its own in help.
  package func grouped(under heading: String) -> Flag {
    var copy = self
    copy.group = heading
    return copy
  }

  /// The same flag for options that hold this flag's options as a part.
  package func lifted<Whole>(into part: Flag<Whole>.Target<Options>) -> Flag<Whole> {
    Flag<Whole>(
      names: names, valueName: valueName, summary: summary, choices: choices, group: group,
      missingHint: missingHint
    ) { [apply] (whole, value) throws(FlagMistake) in try apply(&whole[keyPath: part], value) }
  }

  /// Checks the value against the choices and puts it into the options.
  func set(_ options: inout Options, to value: String) throws(FlagMistake) {
    if takesValue, value.isEmpty { throw FlagMistake("needs a value, not \"\"") }
    guard choices.isEmpty || choices.contains(value) else {
      let hint = didYouMean(suggestion(for: value, in: choices))
      throw FlagMistake("needs \(oneOf(choices)), not \"\(value)\"\(hint)")
    }
    try apply(&options, value)
  }
}

/// `"a"`, `"a" or "b"`, `"a", "b" or "c"`.
private func oneOf(_ choices: [String]) -> String {
  let quoted = choices.map { "\"\($0)\"" }
  return quoted.dropLast(2).map { $0 + ", " }.joined() + quoted.suffix(2).joined(separator: " or ")
}

/// The one name that goes on where `word` ends, or else the nearest.
func suggestion(for word: String, in names: [String]) -> String? {
  let longer = names.filter { $0.hasPrefix(word) }
  return longer.count == 1 ? longer[0] : nearest(to: word, in: names)
}
