/// A language of app code, as far as strings and comments need it.
enum CodeLanguage: String, CaseIterable {
  case swift
  case objectiveC = "m"
  case objectiveCPlus = "mm"
  case cSharp = "cs"
  case kotlin = "kt"
  case lua
  case gdScript = "gd"
  case json

  /// The language of a file by its name; nil for another.
  init?(ofFile name: String) {
    guard let dot = name.lastIndex(of: ".") else { return nil }
    self.init(rawValue: String(name[name.index(after: dot)...]))
  }

  /// The beginning of a comment up to the end of the line.
  var lineComment: String {
    switch self {
    case .swift, .objectiveC, .objectiveCPlus, .cSharp, .kotlin, .json: "//"
    case .lua: "--"
    case .gdScript: "#"
    }
  }

  /// The ends of a comment of several lines.
  var blockComment: (open: String, close: String)? {
    switch self {
    case .swift, .objectiveC, .objectiveCPlus, .cSharp, .kotlin, .json: ("/*", "*/")
    case .lua: ("--[[", "]]")
    case .gdScript: nil
    }
  }

  /// The bytes between which a string has what is put into it at run time.
  var interpolation: (opening: UInt8, closing: UInt8) {
    switch self {
    case .swift: (UInt8(ascii: "\\"), UInt8(ascii: ")"))
    case .kotlin: (UInt8(ascii: "$"), UInt8(ascii: "}"))
    default: (UInt8(ascii: "{"), UInt8(ascii: "}"))
    }
  }

  /// Whether such comments may hold others.
  var nestsComments: Bool { self == .swift || self == .kotlin }

  /// Whether text between single quotes is a string, not a character.
  var hasSingleQuotes: Bool { self == .lua || self == .gdScript }

  /// Whether lists stand between braces, which hold code in other languages.
  var listsInBraces: Bool { self == .cSharp || self == .lua }

  /// Whether the end of a line ends a statement.
  var endsStatementsAtLines: Bool {
    switch self {
    case .swift, .kotlin, .lua, .gdScript: true
    case .objectiveC, .objectiveCPlus, .cSharp, .json: false
    }
  }
}
