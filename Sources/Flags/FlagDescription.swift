/// A flag's names and value without its options type: the source of help, completions and man pages.
package struct FlagDescription: Sendable, Hashable {
  /// Every spelling with its dashes, the long one first.
  package let names: [String]
  /// The name of the flag's value in help; nil if it takes none.
  package let valueName: String?
  /// The kind of its value.
  package internal(set) var kind: ValueKind
  /// One line of help, lower-case first, no full stop.
  package let summary: String
  /// Whether repeated uses accumulate.
  package internal(set) var addsUp = false
  /// The heading of the flag in help; nil for the command's own flags.
  package internal(set) var group: String?
  /// The hint where a required flag is missing; nil for an optional flag.
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
  /// The permitted values in the order of help; empty if any value is permitted.
  package var choices: [String] {
    switch kind {
    case .choice(let choices), .form(let choices): choices
    case .text, .file, .folder, .path, .number, .named: []
    }
  }
}

/// The kind of a value on a command line.
package enum ValueKind: Sendable, Hashable {
  case text
  /// A path of a file, which ends in one of these suffixes if there are any.
  case file(suffixes: [String] = [])
  case folder
  /// A path of a file or a folder.
  case path
  /// One of these values.
  case choice([String])
  /// One of these values, alone or with the file that it goes to: `json`, `json=FILE`.
  case form([String])
  case number(ClosedRange<Int>)
  /// A name that the tool can look up, such as a tag or the id of a check.
  case named(String)
}
