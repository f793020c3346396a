/// A flag's names and value, independent of its options type.
///
/// Help, completions and man pages use this description.
package struct FlagDescription: Sendable, Hashable {
  /// All spellings of the flag with their dashes.
  ///
  /// The long spelling comes first.
  package internal(set) var names: [String]
  /// The name of the flag's value in help; nil if the flag has no value.
  package internal(set) var valueName: String?
  /// The kind of the flag's value.
  package internal(set) var kind: ValueKind
  /// One line of help that begins with a lower-case letter and has no full stop.
  package let summary: String
  /// Whether the flag can be repeated.
  ///
  /// If so, all its values are used.
  package internal(set) var addsUp = false
  /// The heading above the flag in help; nil for the command's own flags.
  package internal(set) var group: String?
  /// The setting that the value of `--set` changes; nil for a flag with a name of its own.
  package internal(set) var setting: Setting?
  /// The words to use instead; nil unless the flag is deprecated.
  ///
  /// Deprecated flags still work, but help does not show them.
  package internal(set) var successor: String?
  /// The hint that packtool shows if the required flag is missing; nil if the flag is optional.
  package internal(set) var missingHint: String?
  /// The hint that packtool shows if the value is not similar to any choice; nil if the list of the choices is
  /// enough.
  package internal(set) var otherChoiceHint: String?
  /// The effects of the environment variables that the flag makes a command read.
  var variables: [VariableUse] = []
  /// The files with fixed names that a command reads or writes because of the flag.
  var files: [FileUsage] = []

  init(_ names: [String], valueName: String?, kind: ValueKind, summary: String, addsUp: Bool = false) {
    self.names = names
    self.valueName = valueName
    self.kind = kind
    self.summary = summary
    self.addsUp = addsUp
  }

  /// The long spelling of the flag.
  package var name: String { names[0] }
  /// Whether the flag must be on the command line.
  package var isRequired: Bool { missingHint != nil }
  /// Whether a value must follow the flag.
  package var takesValue: Bool { valueName != nil }
  /// The permitted values of the flag, in the order of help; empty if every value is permitted.
  package var choices: [String] {
    switch kind {
    case .choice(let choices), .form(let choices): choices
    case .text, .file, .folder, .path, .number, .named, .setting: []
    }
  }
}

extension FlagDescription {
  /// Returns the words that change this setting, such as `--set compression=best`.
  ///
  /// The value is included if it is one of the permitted values.
  func setting(to value: String?) -> String {
    guard let setting, let value, choices.contains(value) else {
      return "--set \(choices == Setting.switchValues ? "\(setting?.key ?? "")=true" : spellings)"
    }
    return "--set \(setting.key)=\(value)"
  }
}

/// A setting that `--set KEY=VALUE` changes for one run.
package struct Setting: Sendable, Hashable {
  /// The heading above the settings in help.
  static let group = "settings for --set KEY=VALUE"
  /// The values of a setting that is either on or off.
  static let switchValues = ["true", "false"]

  /// The key, such as `layout.urlPrefix`.
  ///
  /// A setting that the manifest can contain has the same key there.
  package let key: String
  /// The character between the key and the value.
  ///
  /// It is a dot if the value begins with a key of its own. For example, the value in
  /// `budgets.packs.Level 1=60 MB` is `Level 1=60 MB`.
  let separator: Character
  /// The deprecated flag that sets the same option.
  let formerFlag: String

  /// The names that the setting would have as a flag, for users who look for such a flag.
  var flagNames: [String] { [formerFlag, "--\(key)", "--\(key.split(separator: ".").last ?? "")"] }

  /// Returns the value in a word such as `layout.urlPrefix=URL`; nil if the word has another key.
  func value(in word: String) -> String? {
    let start = key + String(separator)
    // The word is compared by bytes, because a combining accent can come after the separator.
    guard word.utf8.starts(with: start.utf8) else { return nil }
    return String(word.utf8.dropFirst(start.utf8.count))
  }
}

/// The way in which a command uses the file in a flag or an argument.
package enum FileUse: Sendable, Hashable {
  /// The command reads the file.
  case input
  /// The command writes the file.
  ///
  /// It contains a report, findings, a result, or code.
  case output
  /// The command reads the file and adds to it.
  ///
  /// It is a lockfile.
  case lockfile
  /// The command writes a manifest.
  case manifest
}

/// A path on a command line.
package struct NamedPath: Sendable, Hashable {
  /// The name of the flag or argument that contains the path.
  package let name: String
  package let path: String
  package let kind: ValueKind
  package let isFlag: Bool

  /// The way in which the command uses the path, if the path is a file.
  ///
  /// It is nil if the path is a folder or could be a folder.
  package var use: FileUse? {
    switch kind {
    case .file(let use, _): use
    case .form: .output
    case .text, .folder, .path, .choice, .number, .named, .setting: nil
    }
  }
}

/// The kind of a value that is on a command line.
package enum ValueKind: Sendable, Hashable {
  case text
  /// The path of a file, and the way in which the file is used.
  ///
  /// If only files with some suffixes are accepted, these suffixes are listed.
  case file(FileUse, suffixes: [String] = [])
  case folder
  /// The path of a file or a folder.
  case path
  /// The value must be one of these values.
  case choice([String])
  /// The value must be one of these values.
  ///
  /// After it, there can be a file to write, as in `json=FILE`.
  case form([String])
  case number(ClosedRange<Int>)
  /// A name that packtool looks up only when the shell asks for completions.
  case named(NameKind)
  /// The value must be one of these keys, followed by `=` or `.` and the value of the setting.
  case setting([String])

  /// Whether every value is the path of a file or folder.
  var isPath: Bool {
    switch self {
    case .file, .folder, .path: true
    case .text, .choice, .form, .number, .named, .setting: false
    }
  }
}

/// The kinds of names that packtool looks up to complete a command line.
package enum NameKind: Sendable, Hashable {
  case check
  case command
  /// The name of a manual page: a command, or a file format.
  case manual
  case device
  case schema
  /// The id of a check with a severity, such as `empty-file=error`.
  case severity
  /// The name of a file, a tag or a pack.
  case subject
  case tag
}
