import Spelling

/// Reads the words of a command line from left to right, going on after every mistake.
struct WordReader<Options> {
  let syntax: CommandSyntax<Options>
  var words: ArraySlice<String>
  var parsed: ParsedArguments<Options>
  /// The long names of the flags that were written, rightly or not.
  var seen: Set<String> = []

  mutating func readWords() {
    while let word = words.popFirst() {
      if word == "--" {
        parsed.positionals += words
        words = []
      } else if !word.isFlag {
        parsed.positionals.append(word)
      } else if word.utf8.starts(with: "--".utf8) {
        readLong(word)
      } else {
        readShort(word)
      }
    }
  }

  /// Reads `--flag`, `--flag=value`.
  private mutating func readLong(_ word: String) {
    let (name, value) = word.splitAtEqualsSign
    if let flag = syntax.flag(named: name) {
      use(flag, as: name, attached: value)
    } else {
      reportUnknown(name, hasValue: value != nil)
    }
  }

  /// Reads `-q`, `-qv`, `-oDIR`, `-o=DIR`, `-qoDIR`.
  private mutating func readShort(_ word: String) {
    let (name, value) = word.splitAtEqualsSign
    // `-output` is a slip for `--output`, not the value `utput` of `-o`.
    if syntax.flag(named: "-" + name) != nil { return reportUnknown(name, hasValue: value != nil) }
    var letters = word.unicodeScalars.dropFirst()
    while let letter = letters.popFirst() {
      let isLast = letters.isEmpty
      guard let flag = syntax.flag(named: "-\(letter)") else {
        if suggestion(for: name, in: syntax.flags.map(\.description.name)) == nil {
          return reportUnknown("-\(letter)", hasValue: !isLast)
        }
        return reportUnknown(name, hasValue: value != nil)
      }
      if flag.takesValue || letters.first == "=" {
        if letters.first == "=" { letters.removeFirst() }
        return use(flag, as: "-\(letter)", attached: isLast ? nil : String(letters))
      }
      use(flag, as: "-\(letter)", attached: nil)
    }
  }

  /// Takes the flag's value and lets the flag do its work.
  private mutating func use(_ flag: Flag<Options>, as name: String, attached: String?) {
    seen.insert(flag.name)
    if let attached, !flag.takesValue {
      return report("flag \"\(name)\" takes no value, but has \"\(attached)\"")
    }
    if flag.name == Flag<Options>.help.name { parsed.wantsHelp = true }
    guard let value = flag.takesValue ? attached ?? popValue() : "" else {
      return report("flag \"\(name)\" needs a value: \(name) \(flag.valueName ?? "")")
    }
    do throws(FlagMistake) {
      try flag.set(&parsed.options, to: value)
    } catch {
      report("flag \"\(name)\" \(error.message)")
    }
  }

  /// Reports a flag that does not exist, and reads on as if the nearest one had been written.
  private mutating func reportUnknown(_ name: String, hasValue: Bool) {
    let near = suggestion(for: name, in: syntax.flags.flatMap(\.description.names))
    report("unknown flag \"\(name)\"\(didYouMean(near))")
    guard let flag = near.flatMap(syntax.flag(named:)) else { return }
    // Else the value would be one positional too many, and a required flag missing besides.
    seen.insert(flag.name)
    if flag.takesValue, !hasValue { _ = popValue() }
  }

  /// The next word, where it can be a flag's value.
  private mutating func popValue() -> String? {
    guard let next = words.first, !next.isFlag || next.isNegativeNumber else { return nil }
    return words.popFirst()
  }

  /// Reports positional arguments that are missing, empty or too many.
  mutating func checkPositionals() {
    var left = parsed.positionals[...]
    for argument in syntax.description.arguments {
      let taken = left.prefix(argument.count.upperBound)
      left = left.dropFirst(taken.count)
      if taken.count < argument.count.lowerBound {
        report("argument \"\(argument.valueName)\" is missing: \(argument.summary)")
      } else if taken.contains("") {
        report("argument \"\(argument.valueName)\" is empty: \(argument.summary)")
      }
    }
    guard let surplus = left.first else { return }
    report("unexpected argument \"\(surplus)\"" + (left.count > 1 ? " and \(left.count - 1) more" : ""))
  }

  /// Reports required flags that no word named.
  mutating func checkRequiredFlags() {
    for flag in syntax.flags where !seen.contains(flag.name) {
      if let hint = flag.missingHint { report("flag \"\(flag.name)\" is missing: \(hint)") }
    }
  }

  /// Reports options that do not go together, once every word is right.
  mutating func checkOptions() {
    guard parsed.mistakes.isEmpty, let mistake = syntax.mistake(parsed.options) else { return }
    parsed.conflict = FlagMistake(mistake)
  }

  private mutating func report(_ message: String) {
    parsed.mistakes.append(FlagMistake(message))
  }
}

extension String {
  /// The word starts with a dash and is more than a dash.
  fileprivate var isFlag: Bool { utf8.first == UInt8(ascii: "-") && utf8.count > 1 }

  /// The word is `-1` or the like: no flag is named so, and one that needs a number says which.
  fileprivate var isNegativeNumber: Bool {
    guard isFlag, let digit = utf8.dropFirst().first else { return false }
    return (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit)
  }

  /// The text before the first `=`, and what is behind it; by bytes, for an accent may follow the sign.
  fileprivate var splitAtEqualsSign: (name: String, value: String?) {
    guard let sign = utf8.firstIndex(of: UInt8(ascii: "=")) else { return (self, nil) }
    return (String(self[..<sign]), String(self[utf8.index(after: sign)...]))
  }
}
