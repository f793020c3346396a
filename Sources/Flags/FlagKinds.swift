extension Flag {
  /// A flag without a value that turns something on.
  package static func toggle(_ names: String..., summary: String, sets target: Target<Bool>) -> Flag {
    Flag(names: names, summary: summary) { options, _ in options[keyPath: target] = true }
  }

  /// A flag whose last value counts.
  package static func value(
    _ names: String..., valueName: String, summary: String, choices: [String] = [],
    into target: Target<String?>
  ) -> Flag {
    Flag(names: names, valueName: valueName, summary: summary, choices: choices) { options, value in
      options[keyPath: target] = value
    }
  }

  /// A flag that may be repeated; all values count, in order.
  package static func list(
    _ names: String..., valueName: String, summary: String, choices: [String] = [],
    into target: Target<[String]>
  ) -> Flag {
    Flag(names: names, valueName: valueName, summary: summary, choices: choices) { options, value in
      options[keyPath: target].append(value)
    }
  }

  /// A flag whose value is a whole number within a range.
  package static func number(
    _ names: String..., valueName: String = "N", summary: String, range: ClosedRange<Int>,
    into target: Target<Int?>
  ) -> Flag {
    Flag(names: names, valueName: valueName, summary: summary) { (options, value) throws(FlagMistake) in
      guard let number = Int(value), range.contains(number) else {
        let (least, most) = (range.lowerBound, range.upperBound)
        throw FlagMistake("needs a number from \(least) to \(most), not \"\(value)\"")
      }
      options[keyPath: target] = number
    }
  }

  /// A flag whose value names one case of an enum.
  package static func choice<Value: CaseIterable & RawRepresentable & Sendable>(
    _ names: String..., valueName: String, summary: String, into target: Target<Value>
  ) -> Flag where Value.RawValue == String {
    let choices = Value.allCases.map(\.rawValue)
    return Flag(names: names, valueName: valueName, summary: summary, choices: choices) { options, value in
      if let choice = Value(rawValue: value) { options[keyPath: target] = choice }
    }
  }

  /// A flag whose value is read by a function, which throws what follows `flag "--name"` in the message.
  package static func parsed<Value>(
    _ names: String..., valueName: String, summary: String, choices: [String] = [],
    parse: @escaping @Sendable (String) throws(FlagMistake) -> Value, into target: Target<Value>
  ) -> Flag {
    Flag(names: names, valueName: valueName, summary: summary, choices: choices) {
      (options, value) throws(FlagMistake) in options[keyPath: target] = try parse(value)
    }
  }

  /// The flag that every command has; the parser only notes that it was there.
  static var help: Flag {
    Flag(names: ["--help", "-h"], summary: "show this help") { _, _ in }
  }
}
