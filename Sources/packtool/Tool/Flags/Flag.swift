import Formats

/// A command-line flag for an options type: its description and its effect.
@dynamicMemberLookup
package struct Flag<Options>: Sendable {
  /// The key path of the option that a flag sets.
  package typealias Target<Value> = any WritableKeyPath<Options, Value> & Sendable

  package private(set) var description: FlagDescription
  /// Sets the option to a value.
  ///
  /// The value is empty for a flag without a value.
  let apply: @Sendable (inout Options, String) throws(FlagMistake) -> Void

  init(
    _ description: FlagDescription,
    apply: @escaping @Sendable (inout Options, String) throws(FlagMistake) -> Void
  ) {
    self.description = description
    self.apply = apply
  }

  package subscript<Value>(dynamicMember member: KeyPath<FlagDescription, Value>) -> Value {
    description[keyPath: member]
  }

  /// Returns the same flag as a required flag.
  ///
  /// If the flag is missing, the user sees the hint.
  package func required(hint: String) -> Flag { changed { $0.missingHint = hint } }

  /// Returns the same flag under another heading in help.
  package func assigned(toGroup heading: String) -> Flag { changed { $0.group = heading } }

  /// Returns the same flag for a larger options type that contains this flag's options as a part.
  package func lifted<Whole>(into part: Flag<Whole>.Target<Options>) -> Flag<Whole> {
    Flag<Whole>(description) { [apply] (whole, value) throws(FlagMistake) in
      try apply(&whole[keyPath: part], value)
    }
  }

  private func changed(_ change: (inout FlagDescription) -> Void) -> Flag {
    var copy = self
    change(&copy.description)
    return copy
  }

  /// Checks the value against the choices and sets the option.
  func set(_ options: inout Options, to value: String) throws(FlagMistake) {
    let description = description
    if description.takesValue, value.isEmpty { throw FlagMistake("needs a value, not \"\"") }
    let choices = description.choices
    let choice = if case .form = description.kind { value.splitAtEqualsSign.name } else { value }
    guard choices.isEmpty || choices.contains(choice) else {
      let hint = didYouMean(suggestion(for: choice, in: choices) ?? only(containing: choice, of: choices))
      throw FlagMistake("needs \(oneOf(choices)), not \"\(choice)\"\(hint)")
    }
    try apply(&options, value)
  }
}

extension Array {
  /// Returns the same flags for a larger options type that contains these flags' options as a part.
  package func lifted<Part, Whole>(into part: Flag<Whole>.Target<Part>) -> [Flag<Whole>]
  where Element == Flag<Part> {
    map { $0.lifted(into: part) }
  }

  /// Returns flags under their own heading in help.
  package static func helpGroup<Options>(under heading: String, flags: [Flag<Options>]) -> [Flag<Options>]
  where Element == Flag<Options> {
    flags.map { $0.assigned(toGroup: heading) }
  }
}

/// Formats choices: `"a"`, `"a" or "b"`, `"a", "b" or "c"`.
private func oneOf(_ choices: [String]) -> String {
  let quoted = choices.map { "\"\($0)\"" }
  return quoted.dropLast(2).map { $0 + ", " }.joined() + quoted.suffix(2).joined(separator: " or ")
}

/// Returns the name that contains `word`, such as `app-store-ios18` for `ios18`, if it is the only such name.
private func only(containing word: String, of names: [String]) -> String? {
  let longer = names.filter { $0.contains(word) }
  return word.utf8.count > 2 && longer.count == 1 ? longer[0] : nil
}

/// Returns the name that the user probably meant.
///
/// Among the names that begin with `word`, the shortest is returned if all the other names begin with the
/// shortest. Otherwise, the most similar name is returned.
func suggestion(for word: String, in names: [String]) -> String? {
  let longer = names.filter { $0.hasPrefix(word) }
  let shortest = longer.min { $0.utf8.count < $1.utf8.count }
  if let shortest, longer.allSatisfy({ $0.hasPrefix(shortest) }) { return shortest }
  return nearest(to: word, in: names)
}
