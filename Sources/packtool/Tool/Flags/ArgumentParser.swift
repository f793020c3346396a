import Formats

/// Parses a command line from left to right, and stores the results.
///
/// The parser continues after a mistake, because it must find all mistakes.
package struct ArgumentParser<Options> {
  /// The options that the flags set.
  ///
  /// Do not use the options if there are mistakes.
  package internal(set) var options: Options
  /// The arguments that are neither flags nor values of flags, in order.
  package private(set) var positionals: [String] = []
  /// The paths in flags and arguments, in order.
  package private(set) var paths: [NamedPath] = []
  /// Whether the arguments include a request for help.
  package private(set) var wantsHelp = false
  /// Whether the request is only `-h`, for help that fits on one screen.
  package private(set) var wantsBriefHelp = true
  /// All mistakes.
  ///
  /// Mistakes in words come first, in order. Then come missing and surplus arguments.
  package private(set) var mistakes: [FlagMistake] = []
  /// Whether the rest of the command line cannot be understood, because a flag is unknown.
  ///
  /// The word after such a flag can be its value or an argument, so only the flag itself is reported.
  package private(set) var isUnclear = false
  /// Whether a flag is unknown, even if the parser knows which flag the user meant.
  ///
  /// Then only this mistake is reported, and not also what the command line lacks.
  package private(set) var hasUnknownFlag = false
  /// The message about options that cannot be used together.
  ///
  /// It is set only if there are no mistakes.
  package private(set) var conflict: String?

  /// The deprecated flags on the command line, in order.
  package private(set) var deprecated: [DeprecatedFlag] = []

  private let syntax: CommandSyntax<Options>
  private var words: ArraySlice<String>
  /// The long names of the flags that were used, including flags with mistakes.
  private var seen: Set<String> = []
  /// The long names of the flags that were used and that have had no mistakes so far.
  private var used: Set<String> = []

  fileprivate init(_ words: [String], of syntax: CommandSyntax<Options>, into options: Options) {
    (self.options, self.syntax, self.words) = (options, syntax, words[...])
    readWords()
    checkPositionals()
    if !hasUnknownFlag { checkRequiredFlags() }
    if mistakes.isEmpty { conflict = syntax.mistake(self.options) }
  }

  private mutating func readWords() {
    while let word = words.popFirst() {
      if word == "--" {
        positionals += words
        words = []
      } else if !word.isFlag {
        positionals.append(word)
      } else if word.utf8.starts(with: "--".utf8) {
        readLong(word)
      } else {
        readShort(word)
      }
    }
  }

  /// Reads a long flag, in the form `--flag` or `--flag=value`.
  private mutating func readLong(_ word: String) {
    let (name, value) = word.splitAtEqualsSign
    if name == "--set", let flag = syntax.flag(named: name) {
      change(flag, attached: value)
    } else if let flag = syntax.flag(named: name) {
      if let successor = flag.successor {
        deprecated.append(DeprecatedFlag(name: name, successor: successor))
      }
      use(flag, as: name, attached: value)
    } else if let setting = syntax.flags.first(where: { $0.setting?.formerFlag == name }) {
      deprecated.append(DeprecatedFlag(name: name, successor: "--set \(setting.spellings)"))
      let isSwitch = setting.choices == Setting.switchValues
      use(setting, as: name, attached: value ?? (isSwitch ? "true" : nil))
    } else {
      reportUnknown(name, attached: value)
    }
  }

  /// Finds the setting in the value of `--set`, and changes it.
  private mutating func change(_ flag: Flag<Options>, attached: String?) {
    guard let word = attached ?? popValue() else {
      return report("flag \"--set\" needs a value: --set \(flag.valueName ?? "")")
    }
    for setting in syntax.flags {
      guard let value = setting.setting?.value(in: word) else { continue }
      return use(setting, as: setting.name, attached: value)
    }
    let key = word.splitAtEqualsSign.name
    let settings = syntax.flags.compactMap(\.setting)
    if settings.contains(where: { $0.key == key }) {
      return report("flag \"--set \(key)\" needs a value: --set \(key)=VALUE")
    }
    let hint = suggestion(for: key, in: settings.map(\.key))
    report(
      "flag \"--set\" has no setting \"\(key)\""
        + (hint == nil ? "; see \"packtool help \(syntax.description.name) settings\"" : didYouMean(hint)))
  }

  /// Reads short flags, such as `-q`, `-qv`, `-oDIR`, `-o=DIR` or `-qoDIR`.
  private mutating func readShort(_ word: String) {
    let (name, value) = word.splitAtEqualsSign
    // The words `-output` and `-out` are misspellings of `--output`. They are not `-o` with the values
    // `utput` and `ut`.
    let isLongName =
      name.utf8.count > 2 && syntax.flags.flatMap(\.names).contains { $0.hasPrefix("-" + name) }
    if isLongName { return reportUnknown(name, intended: "-" + name, attached: value) }
    var letters = word.unicodeScalars.dropFirst()
    while let letter = letters.popFirst() {
      let isLast = letters.isEmpty
      guard let flag = syntax.flag(named: "-\(letter)") else {
        if suggestion(for: name, in: syntax.flags.map(\.description.name)) == nil {
          return reportUnknown("-\(letter)", attached: isLast ? nil : String(letters))
        }
        return reportUnknown(name, attached: value)
      }
      if flag.takesValue || letters.first == "=" {
        if letters.first == "=" { letters.removeFirst() }
        return use(flag, as: "-\(letter)", attached: isLast ? nil : String(letters))
      }
      use(flag, as: "-\(letter)", attached: nil)
    }
  }

  /// Finds the flag's value and applies the flag to the options.
  private mutating func use(_ flag: Flag<Options>, as name: String, attached: String?) {
    seen.insert(flag.name)
    if let attached, !flag.takesValue {
      return report("flag \"\(name)\" takes no value, but has \"\(attached)\"")
    }
    if flag.name == Flag<Options>.help.name {
      wantsHelp = true
      if name == flag.name { wantsBriefHelp = false }
    }
    guard let value = flag.takesValue ? attached ?? popValue() : "" else {
      return report("flag \"\(name)\" needs a value: \(name) \(flag.valueName ?? "")")
    }
    if !used.insert(flag.name).inserted, !flag.addsUp {
      return report("flag \"\(flag.name)\" is given twice; keep one of them")
    }
    do throws(FlagMistake) {
      try flag.set(&options, to: value)
      note(value, of: flag.description)
    } catch {
      report("flag \"\(name)\" \(error.message)")
    }
  }

  /// Records the path in the value of a flag, if the value contains a path.
  private mutating func note(_ value: String, of flag: FlagDescription) {
    switch flag.kind {
    case .file, .folder, .path:
      paths.append(NamedPath(name: flag.name, path: value, kind: flag.kind, isFlag: true))
    case .form:
      guard let path = value.splitAtEqualsSign.value else { return }
      paths.append(NamedPath(name: flag.name, path: path, kind: flag.kind, isFlag: true))
    case .text, .choice, .number, .named, .setting: return
    }
  }

  /// Reports an unknown flag.
  ///
  /// Then the parser continues as if the user had typed the most similar flag.
  private mutating func reportUnknown(_ name: String, intended: String? = nil, attached: String?) {
    hasUnknownFlag = true
    if name == "-C" {
      if attached == nil { _ = popValue() }
      return report("flag \"-C\" must be before the command: -C DIR \(syntax.description.name)")
    }
    if let removed = RemovedFlag.named(name, of: syntax.description.name) {
      if removed.takesValue, attached == nil { _ = popValue() }
      return report("flag \"\(name)\" was removed; \(removed.successor)")
    }
    let other = OtherFlagName.named(name, in: syntax.description)
    if case .advice(let advice) = other?.replacement {
      if other?.next == .value, attached == nil { _ = popValue() }
      isUnclear = true
      return report("unknown flag \"\(name)\"; \(advice)")
    }
    var near = suggestion(for: intended ?? name, in: syntax.flags.flatMap(\.description.names))
    if case .flag(let meant) = other?.replacement { near = meant }
    guard let flag = near.flatMap(syntax.flag(named:)) else { return reportOldName(name, attached: attached) }
    let current = flag.successor ?? near
    report("unknown flag \"\(name)\"\(didYouMean(current))")
    // The misspelled flag is treated as the similar flag. Otherwise, the parser would also report the flag's
    // value as a surplus argument, and a required flag as missing.
    seen.insert(flag.name)
    if flag.takesValue, attached == nil { _ = popValue() }
  }

  /// Reports an unknown flag that is not similar to any flag of the command.
  ///
  /// The flag is compared with the settings of `--set` and with removed flags.
  private mutating func reportOldName(_ name: String, attached: String?) {
    isUnclear = true
    var settings: [String: Flag<Options>] = [:]
    for flag in syntax.flags {
      for name in flag.setting?.flagNames ?? [] where settings[name] == nil { settings[name] = flag }
    }
    let near = name.hasPrefix("--") ? suggestion(for: name, in: settings.keys.sorted()) : nil
    if let setting = near.flatMap({ settings[$0] }) {
      let words = setting.description.setting(to: attached ?? words.first)
      return report("unknown flag \"\(name)\"\(didYouMean(words))")
    }
    let removed = RemovedFlag.all(of: syntax.description.name)
    let old = name.hasPrefix("--") ? suggestion(for: name, in: removed.map(\.name)) : nil
    guard let flag = removed.first(where: { $0.name == old }) else {
      return report("unknown flag \"\(name)\"")
    }
    report("unknown flag \"\(name)\"; the flag \"\(flag.name)\" was removed; \(flag.successor)")
  }

  /// Removes and returns the next argument if it can be the value of a flag; otherwise nil.
  private mutating func popValue() -> String? {
    guard let next = words.first, !next.isFlag || next.isNegativeNumber else { return nil }
    return words.popFirst()
  }

  /// Replaces the paths in the positional arguments.
  ///
  /// `replacement` returns the path to use instead of a path.
  package mutating func replacePaths(with replacement: (String) -> String) {
    var left = positionals.indices
    for argument in syntax.description.arguments {
      let values = left.prefix(argument.count.upperBound)
      left = left.dropFirst(values.count)
      guard argument.kind.isPath else { continue }
      for index in values { positionals[index] = replacement(positionals[index]) }
    }
    paths = paths.map { path in
      path.isFlag || !path.kind.isPath
        ? path
        : NamedPath(name: path.name, path: replacement(path.path), kind: path.kind, isFlag: false)
    }
  }

  /// Reports positional arguments that are missing, empty or surplus.
  private mutating func checkPositionals() {
    var left = positionals[...]
    for argument in syntax.description.arguments {
      let values = left.prefix(argument.count.upperBound)
      left = left.dropFirst(values.count)
      paths += values.map {
        NamedPath(name: argument.valueName, path: $0, kind: argument.kind, isFlag: false)
      }
      if isUnclear { continue }
      if values.count < argument.count.lowerBound {
        report("argument \"\(argument.valueName)\" is missing: \(argument.summary)")
      } else if !argument.allowsEmpty, values.contains("") {
        report("argument \"\(argument.valueName)\" is empty: \(argument.summary)")
      }
    }
    guard !isUnclear, let surplus = left.first else { return }
    report("unexpected argument \"\(surplus)\"" + (left.count > 1 ? " and \(left.count - 1) more" : ""))
  }

  private mutating func checkRequiredFlags() {
    for flag in syntax.flags where !seen.contains(flag.name) {
      if let hint = flag.missingHint { report("flag \"\(flag.name)\" is missing: \(hint)") }
    }
  }

  private mutating func report(_ message: String) { mistakes.append(FlagMistake(message)) }
}

/// A deprecated flag that was used, and the words to use instead.
package struct DeprecatedFlag: Sendable, Hashable {
  let name: String
  let successor: String

  /// The message for the user.
  package var message: String { "flag \"\(name)\" is deprecated; use \(successor)" }
}

extension CommandSyntax {
  /// Parses the words after the command's name, and sets `options` from the flags.
  package func parse(_ words: [String], into options: Options) -> ArgumentParser<Options> {
    ArgumentParser(words, of: self, into: options)
  }
}

extension String {
  /// Whether the argument starts with a dash and has more characters after the dash.
  fileprivate var isFlag: Bool { utf8.first == UInt8(ascii: "-") && utf8.count > 1 }

  /// Whether the argument looks like `-1`.
  ///
  /// Such an argument is never a flag, but it can be the value of a flag. The flag may then reject the value.
  fileprivate var isNegativeNumber: Bool {
    guard isFlag, let digit = utf8.dropFirst().first else { return false }
    return (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit)
  }

  /// The parts before and after the first `=`.
  ///
  /// The string is split by bytes, because a combining accent can come after the `=`.
  var splitAtEqualsSign: (name: String, value: String?) {
    guard let sign = utf8.firstIndex(of: UInt8(ascii: "=")) else { return (self, nil) }
    return (String(self[..<sign]), String(self[utf8.index(after: sign)...]))
  }
}
