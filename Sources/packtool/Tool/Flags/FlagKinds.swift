extension Flag {
  /// Makes a flag without a value, which sets an option to true.
  package static func toggle(_ names: String..., summary: String, sets target: Target<Bool>) -> Flag {
    Flag(FlagDescription(names, valueName: nil, kind: .text, summary: summary)) { options, _ in
      options[keyPath: target] = true
    }
  }

  /// Makes a flag with a value.
  package static func value(
    _ names: String..., valueName: String, kind: ValueKind = .text, summary: String,
    into target: Target<String?>
  ) -> Flag {
    Flag(FlagDescription(names, valueName: valueName, kind: kind, summary: summary)) { options, value in
      options[keyPath: target] = value
    }
  }

  /// Makes a flag that can be repeated.
  ///
  /// All its values are used, in their order.
  package static func list(
    _ names: String..., valueName: String, kind: ValueKind = .text, summary: String,
    into target: Target<[String]>
  ) -> Flag {
    Flag(FlagDescription(names, valueName: valueName, kind: kind, summary: summary, addsUp: true)) {
      options, value in
      options[keyPath: target].append(value)
    }
  }

  /// Makes a flag that can be repeated.
  ///
  /// Each value is parsed and then added to the options.
  ///
  /// If the value is wrong, `parse` throws the part of the message that comes after `flag "--name"`.
  package static func each<Value>(
    _ names: String..., valueName: String, kind: ValueKind = .text, summary: String,
    parse: @escaping @Sendable (String) throws(FlagMistake) -> Value,
    add: @escaping @Sendable (inout Options, Value) -> Void
  ) -> Flag {
    Flag(FlagDescription(names, valueName: valueName, kind: kind, summary: summary, addsUp: true)) {
      (options, value) throws(FlagMistake) in add(&options, try parse(value))
    }
  }

  /// Makes a flag that can be repeated.
  ///
  /// The value of the flag is the name of an enum case, optionally followed by `=` and a file.
  package static func forms<Value: CaseIterable & RawRepresentable & Sendable>(
    _ names: String..., valueName: String, summary: String,
    add: @escaping @Sendable (inout Options, Value, _ path: String?) -> Void
  ) -> Flag where Value.RawValue == String {
    let kind = ValueKind.form(Value.allCases.map(\.rawValue))
    return Flag(FlagDescription(names, valueName: valueName, kind: kind, summary: summary, addsUp: true)) {
      (options, value) throws(FlagMistake) in
      let (name, path) = value.splitAtEqualsSign
      if path?.isEmpty == true { throw FlagMistake("needs a file after \"\(name)=\"") }
      if let form = Value(rawValue: name) { add(&options, form, path) }
    }
  }

  /// Makes a flag whose value is a whole number in a range.
  package static func number(
    _ names: String..., valueName: String = "N", summary: String, range: ClosedRange<Int>,
    into target: Target<Int?>
  ) -> Flag {
    Flag(FlagDescription(names, valueName: valueName, kind: .number(range), summary: summary)) {
      (options, value) throws(FlagMistake) in
      guard let number = Int(value), range.contains(number) else {
        let (least, limit) = (range.lowerBound, range.upperBound)
        throw FlagMistake("needs a number from \(least) to \(limit), not \"\(value)\"")
      }
      options[keyPath: target] = number
    }
  }

  /// Makes a flag whose value is the name of an enum case.
  package static func choice<Value: CaseIterable & RawRepresentable & Sendable>(
    _ names: String..., valueName: String, summary: String, into target: Target<Value>
  ) -> Flag where Value.RawValue == String {
    let kind = ValueKind.choice(Value.allCases.map(\.rawValue))
    return Flag(FlagDescription(names, valueName: valueName, kind: kind, summary: summary)) {
      options, value in
      if let choice = Value(rawValue: value) { options[keyPath: target] = choice }
    }
  }

  /// Makes a flag whose value is the name of an enum case, for an option without a default value.
  package static func choice<Value: CaseIterable & RawRepresentable & Sendable>(
    _ names: String..., valueName: String, summary: String, into target: Target<Value?>
  ) -> Flag where Value.RawValue == String {
    let kind = ValueKind.choice(Value.allCases.map(\.rawValue))
    return Flag(FlagDescription(names, valueName: valueName, kind: kind, summary: summary)) {
      options, value in
      options[keyPath: target] = Value(rawValue: value)
    }
  }

  /// Makes a flag whose value is parsed with a function.
  ///
  /// If the value is wrong, the function throws the part of the message that comes after `flag "--name"`.
  package static func parsed<Value>(
    _ names: String..., valueName: String, kind: ValueKind = .text, summary: String,
    parse: @escaping @Sendable (String) throws(FlagMistake) -> Value, into target: Target<Value>
  ) -> Flag {
    Flag(FlagDescription(names, valueName: valueName, kind: kind, summary: summary)) {
      (options, value) throws(FlagMistake) in
      options[keyPath: target] = try parse(value)
    }
  }

  /// The flag `--set` of every command with settings.
  ///
  /// The parser finds the setting and changes it.
  static func set(_ settings: [Setting]) -> Flag {
    let keys = settings.map { $0.key + String($0.separator) }
    return Flag(
      FlagDescription(
        ["--set"], valueName: "KEY=VALUE", kind: .setting(keys),
        summary: "change a setting for this run, overriding the manifest; can be repeated", addsUp: true)
    ) { _, _ in }
  }

  /// The flag `--help` of every command.
  ///
  /// The parser only records that the flag was used.
  static var help: Flag {
    Flag(
      FlagDescription(["--help", "-h"], valueName: nil, kind: .text, summary: "show this help", addsUp: true)
    ) { _, _ in }
  }
}
