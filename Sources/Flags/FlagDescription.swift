/// What a flag is called and takes, whatever options it changes: what help, completions and man pages are made of.
package struct FlagDescription: Sendable, Hashable {
  /// Every spelling with its dashes, the long one first.
  package let names: [String]
  /// What help calls the flag's value; nil where it takes none.
  package let valueName: String?
  /// What the value stands for.
  package internal(set) var kind: ValueKind
  /// One line of help, lower-case first, no full stop.
  package let summary: String
  /// Whether every use adds to those before.
  package internal(set) var addsUp = false
  /// The heading in help that the flag stands under; nil for the command's own flags.
  package internal(set) var group: String?
  /// What to do when a required flag is missing; nil where the flag may be left out.
  package internal(set) var missingHint: String?

  init(_ names: [String], _ valueName: String?, _ kind: ValueKind, _ summary: String, addsUp: Bool = false) {
    self.names = names
    self.valueName = valueName
    self.kind = kind
    self.summary = summary
    self.addsUp = addsUp
  }

  /// The long spelling.
  package var name: String { names[0] }
  /// Whether a command line without this flag is a mistake.
  package var isRequired: Bool { missingHint != nil }
  /// Whether a value must follow.
  package var takesValue: Bool { valueName != nil }
  /// The only values that are taken, in the order of help; empty where any is.
  package var choices: [String] { if case .choice(let choices) = kind { choices } else { [] } }
}

/// What a value on a command line stands for.
package enum ValueKind: Sendable, Hashable {
  case text
  /// A path of a file, which ends in one of these suffixes where there are any.
  case file(suffixes: [String] = [])
  case folder
  /// A path of either.
  case path
  /// One of these words.
  case choice([String])
  case number(ClosedRange<Int>)
  /// A word that the tool knows more about, such as a tag or the id of a check.
  case named(String)
}
