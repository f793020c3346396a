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

  init(_ names: [String], valueName: String?, kind: ValueKind, summary: String, addsUp: Bool = false) {
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

/// What a command does with a file that a flag or an argument names.
package enum FileUse: Sendable, Hashable {
  /// Reads it.
  case input
  /// Writes it: a report, findings, a result, code.
  case output
  /// Reads it and adds to it: a lockfile.
  case lockfile
  /// Writes a manifest.
  case manifest
}

/// A path that a command line names.
package struct NamedPath: Sendable, Hashable {
  /// The flag or the argument that names it.
  package let name: String
  package let path: String
  package let kind: ValueKind
  package let isFlag: Bool

  /// What the command does with it, if it is a file; nil for a folder, or what may be one.
  package var use: FileUse? {
    switch kind {
    case .file(let use, _): use
    case .form: .output
    case .text, .folder, .path, .choice, .number, .named: nil
    }
  }
}

/// The kind of a value on a command line.
package enum ValueKind: Sendable, Hashable {
  case text
  /// A path of a file, what the command does with it, and the suffixes of its name if it has one of some.
  case file(FileUse, suffixes: [String] = [])
  case folder
  /// A path of a file or a folder.
  case path
  /// One of these values.
  case choice([String])
  /// One of these values, alone or with the file that it goes to: `json`, `json=FILE`.
  case form([String])
  case number(ClosedRange<Int>)
  /// A name that the tool looks up once somebody asks for it.
  case named(NameKind)
}

/// The kinds of names that the tool looks up to complete a command line.
package enum NameKind: Sendable, Hashable {
  case check
  case command
  case device
  case schema
  /// The id of a check with a level: `empty-file=error`.
  case severity
  /// A file, a tag or a pack.
  case subject
  case tag
}
