import Formats

/// A command-line flag that sets an option in a value of type `Options`.
///
/// It has a description and an effect.
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

  /// Returns this flag as a required flag.
  ///
  /// If the flag is missing, packtool shows the hint.
  package func required(hint: String) -> Flag { changed { $0.missingHint = hint } }

  /// Returns this flag with a hint that packtool shows if the value is not similar to any choice.
  package func hintingOtherChoices(_ hint: String) -> Flag { changed { $0.otherChoiceHint = hint } }

  /// Returns this flag as a flag that makes a command read environment variables.
  func reading(_ variables: VariableUse...) -> Flag { changed { $0.variables += variables } }

  /// Returns this flag as a flag that makes a command use files with fixed names.
  func using(_ files: FileUsage...) -> Flag { changed { $0.files += files } }

  /// Returns this flag, with another heading in help.
  ///
  /// Settings keep their own heading.
  package func assigned(toGroup heading: String) -> Flag {
    description.setting == nil ? changed { $0.group = heading } : self
  }

  /// Returns this flag as a deprecated flag: it still works, but help does not show it, and packtool names the
  /// successor if the flag is used.
  package func asDeprecated(successor: String) -> Flag { changed { $0.successor = successor } }

  /// Returns this flag as a setting that `--set KEY=VALUE` changes.
  ///
  /// A flag without a value becomes a setting with the values true and false. The name of the flag itself is
  /// deprecated, but still works.
  package func asSetting(_ key: String, separator: Character = "=") -> Flag {
    let former = description
    let flag = changed {
      $0.setting = Setting(key: key, separator: separator, formerFlag: former.name)
      $0.names = ["--set \(key)"]
      $0.group = Setting.group
    }
    if former.takesValue { return flag }
    var description = flag.description
    (description.valueName, description.kind) = ("true", .choice(Setting.switchValues))
    return Flag(description) { [apply] (options, value) throws(FlagMistake) in
      if value == "true" { try apply(&options, "") }
    }
  }

  /// Returns this flag for a larger options type, in which the options of this flag are one part.
  package func lifted<Whole>(into part: Flag<Whole>.Target<Options>) -> Flag<Whole> {
    Flag<Whole>(description) { [apply] (whole, value) throws(FlagMistake) in
      try apply(&whole[keyPath: part], value)
    }
  }

  /// Returns the same flag, which also adds its name to a set.
  package func recorded(in names: Target<Set<String>>) -> Flag {
    Flag(description) { [apply, name = description.name] (options, value) throws(FlagMistake) in
      try apply(&options, value)
      options[keyPath: names].insert(name)
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
      throw FlagMistake("needs \(oneOf(choices)), not \"\(choice)\"\(hint(for: value, in: choices))")
    }
    try apply(&options, value)
  }

  /// Returns the end of the message about a value that is not permitted.
  private func hint(for value: String, in choices: [String]) -> String {
    if case .form = description.kind {
      let (name, path) = value.splitAtEqualsSign
      if path == nil, let form = form(ofFile: name, in: choices) { return didYouMean("\(form)=\(name)") }
      if path == nil, name.contains("/") || name.contains(".") {
        return "; to write to a file, put the format before it, such as \"\(choices[0])=\(name)\""
      }
      let near = similar(to: name, in: choices)
      return didYouMean(near.map { near in path.map { "\(near)=\($0)" } ?? near })
    }
    if let near = similar(to: value, in: choices) { return didYouMean(near) }
    return description.otherChoiceHint.map { "; \($0)" } ?? ""
  }
}

extension Array {
  /// Returns these flags for a larger options type, in which the options of these flags are one part.
  package func lifted<Part, Whole>(into part: Flag<Whole>.Target<Part>) -> [Flag<Whole>]
  where Element == Flag<Part> {
    map { $0.lifted(into: part) }
  }

  /// Returns the flags, with their own heading in help.
  package static func helpGroup<Options>(under heading: String, flags: [Flag<Options>]) -> [Flag<Options>]
  where Element == Flag<Options> {
    flags.map { $0.assigned(toGroup: heading) }
  }
}

/// Formats choices, such as `"a"`, `"a" or "b"`, or `"a", "b" or "c"`.
private func oneOf(_ choices: [String]) -> String {
  listedWithOr(choices.map { "\"\($0)\"" })
}

/// Returns the choice that the user probably meant; nil if no choice is similar.
private func similar(to word: String, in choices: [String]) -> String? {
  suggestion(for: word, in: choices) ?? only(containing: word, of: choices)
    // Other tools have longer names for the same thing, such as `github-actions`.
    ?? choices.filter { word.hasPrefix($0 + "-") }.max { $0.utf8.count < $1.utf8.count }
}

/// Returns the format in the name of a file, such as `junit` for `junit.xml` and `sarif` for `out.sarif`, or
/// the format with the usual suffix; nil if there is no such format or more than one.
private func form(ofFile path: String, in forms: [String]) -> String? {
  guard path.contains(".") || path.contains("/") else { return nil }
  let words = lastName(of: path).lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
  // The name of a Code Quality report, such as gl-code-quality-report.json, also contains "json".
  let found = forms.filter { words.contains($0) || words.joined().contains($0) && $0.utf8.count > 5 }
  let named = found.filter { $0 != words.last }
  let best = named.isEmpty ? found : named
  if best.isEmpty {
    return ["xml": "junit", "txt": "text"][words.last ?? ""].flatMap { forms.contains($0) ? $0 : nil }
  }
  return best.count == 1 ? best[0] : nil
}

/// Returns the only name that contains `word`, such as `app-store-ios18` for `ios18`; nil if there are
/// several such names or none.
private func only(containing word: String, of names: [String]) -> String? {
  let longer = names.filter { $0.contains(word) }
  return word.utf8.count > 2 && longer.count == 1 ? longer[0] : nil
}

/// Returns the name that the user probably meant.
///
/// If names begin with `word`, and all of them also begin with the shortest of them, the result is the
/// shortest name. Otherwise, it is the most similar name.
func suggestion(for word: String, in names: [String]) -> String? {
  let longer = names.filter { $0.hasPrefix(word) }
  let shortest = longer.min { $0.utf8.count < $1.utf8.count }
  if let shortest, longer.allSatisfy({ $0.hasPrefix(shortest) }) { return shortest }
  return nearest(to: word, in: names)
}
