import Formats
import System

/// A token of app code: a word, a string or a punctuation sign.
///
/// It is stored as a range of bytes.
struct CodeToken {
  enum Kind {
    case word
    /// A string, without its quotes.
    ///
    /// If code completes the string at run time, the token is a `template` instead.
    case string
    case template
    case sign
  }

  let kind: Kind
  let start: Int
  let end: Int
  /// The offset at which the token begins in the file.
  ///
  /// For a string, it is the offset of the opening quotes.
  let offset: Int
  let beginsLine: Bool
}

/// The tokens of one file of app code, without its comments.
///
/// Each of the eight languages would need another library to parse it. To find calls with literal strings,
/// packtool only needs words, strings and punctuation signs.
struct CodeTokens {
  let text: SourceText
  let language: CodeLanguage
  private(set) var tokens: [CodeToken] = []
  private var position = 0
  private var beginsLine = true

  init(_ text: SourceText, language: CodeLanguage) {
    self.text = text
    self.language = language
    let bytes = text.bytes
    while position < bytes.count {
      let byte = bytes[position]
      if byte == newline {
        beginsLine = true
        position += 1
      } else if byte <= 0x20 {
        position += 1
      } else if !skipComment() {
        readToken(byte)
        beginsLine = false
      }
    }
  }

  /// Returns the characters of a word, or the value of a string.
  func string(_ token: CodeToken) -> String { Self.value(text.bytes[token.start..<token.end]) }

  /// Returns the beginning and the end of a string whose other parts code adds at run time.
  ///
  /// The beginning, the end or both can be empty.
  func ends(ofTemplate token: CodeToken) -> (front: String, back: String) {
    let bytes = text.bytes[token.start..<token.end]
    let (opening, closing) = language.interpolation
    let front = bytes.prefix { $0 != opening }
    let back = bytes.lastIndex(of: closing).map { bytes[($0 + 1)...] } ?? []
    return (Self.value(front), Self.value(back))
  }

  func hasSign(_ sign: Character, at number: Int) -> Bool {
    guard tokens.indices.contains(number), tokens[number].kind == .sign else { return false }
    return text.bytes[tokens[number].start] == sign.asciiValue
  }

  func hasWord(_ word: String, at number: Int) -> Bool {
    guard tokens.indices.contains(number), tokens[number].kind == .word else { return false }
    return text.bytes[tokens[number].start..<tokens[number].end].elementsEqual(word.utf8)
  }

  private func hasText(_ word: String, at offset: Int) -> Bool {
    text.bytes[offset...].starts(with: word.utf8)
  }

  /// Skips a comment; returns false if the text at the position is not a comment.
  private mutating func skipComment() -> Bool {
    if let (open, close) = language.blockComment, hasText(open, at: position) {
      position += open.utf8.count
      var depth = 1
      while position < text.bytes.count && depth > 0 {
        if hasText(close, at: position) {
          depth -= 1
          position += close.utf8.count
        } else if language.nestsComments && hasText(open, at: position) {
          depth += 1
          position += open.utf8.count
        } else {
          position += 1
        }
      }
      return true
    }
    guard hasText(language.lineComment, at: position) else { return false }
    position = text.bytes[position...].firstIndex(of: newline) ?? text.bytes.count
    return true
  }

  private mutating func readToken(_ byte: UInt8) {
    let start = position
    if isWordByte(byte) {
      while position < text.bytes.count && isWordByte(text.bytes[position]) { position += 1 }
      add(.word, start: start, end: position)
    } else if byte == quote || (byte == apostrophe && language.hasSingleQuotes) {
      readString(byte)
    } else if byte == apostrophe {
      skipCharacter()
    } else {
      position += 1
      add(.sign, start: start, end: position)
    }
  }

  private mutating func add(_ kind: CodeToken.Kind, start: Int, end: Int, quotes: Int = 0) {
    tokens.append(
      CodeToken(kind: kind, start: start, end: end, offset: start - quotes, beginsLine: beginsLine))
  }

  /// Reads a string.
  ///
  /// Three quotes begin a string that spans several lines.
  private mutating func readString(_ mark: UInt8) {
    let bytes = text.bytes
    let isLong = language != .json && hasText("\"\"\"", at: position)
    let start = position + (isLong ? 3 : 1)
    var isTemplate = bytes[..<position].last == UInt8(ascii: "$") && language == .cSharp
    position = start
    while position < bytes.count {
      let byte = bytes[position]
      if byte == mark, !isLong || hasText("\"\"\"", at: position) { break }
      // An unclosed string ends at the end of its line.
      if byte == newline && !isLong { break }
      if byte == backslash {
        if hasText("\\(", at: position) && language == .swift { isTemplate = true }
        position += 1
      } else if byte == UInt8(ascii: "$") && language == .kotlin {
        isTemplate = true
      }
      position += 1
    }
    position = min(position, bytes.count)
    // An unclosed string is not a token.
    guard position < bytes.count, bytes[position] == mark else { return }
    add(isTemplate ? .template : .string, start: start, end: position, quotes: isLong ? 3 : 1)
    position = min(position + (isLong ? 3 : 1), bytes.count)
  }

  /// Skips a character between single quotes, or a lone single quote.
  private mutating func skipCharacter() {
    let end = min(position + 12, text.bytes.count)
    var offset = position + 1
    while offset < end, text.bytes[offset] != apostrophe, text.bytes[offset] != newline {
      offset += text.bytes[offset] == backslash ? 2 : 1
    }
    position = offset < end && text.bytes[offset] == apostrophe ? offset + 1 : position + 1
  }
}

private let newline = UInt8(ascii: "\n")
private let quote = UInt8(ascii: "\"")
private let apostrophe = UInt8(ascii: "'")
private let backslash = UInt8(ascii: "\\")

private func isWordByte(_ byte: UInt8) -> Bool {
  byte >= 0x80 || byte.isLetterOrDigit || byte == UInt8(ascii: "_")
}

// The values of string literals.
extension CodeTokens {
  /// Returns the value of the bytes between quotes.
  ///
  /// The function decodes the escapes that all languages have in common.
  private static func value(_ bytes: ArraySlice<UInt8>) -> String {
    guard bytes.contains(UInt8(ascii: "\\")) else { return String(decoding: bytes, as: UTF8.self) }
    var text = ""
    var rest = Substring(String(decoding: bytes, as: UTF8.self)).unicodeScalars
    while let scalar = rest.popFirst() {
      guard scalar == "\\", let escape = rest.popFirst() else {
        text.unicodeScalars.append(scalar)
        continue
      }
      text.unicodeScalars.append(self.scalar(escape, rest: &rest))
    }
    return text
  }

  private static func scalar(_ escape: Unicode.Scalar, rest: inout Substring.UnicodeScalarView)
    -> Unicode.Scalar
  {
    switch escape {
    case "n": return "\n"
    case "t": return "\t"
    case "r": return "\r"
    case "0": return "\0"
    case "u", "x", "U": return number(&rest, digits: escape == "u" ? 4 : escape == "x" ? 2 : 8) ?? escape
    default: return escape
    }
  }

  /// Reads a character that is written as a hexadecimal number, either in braces or with a fixed number of
  /// digits.
  private static func number(_ rest: inout Substring.UnicodeScalarView, digits: Int) -> Unicode.Scalar? {
    var text = ""
    if rest.first == "{" {
      guard let end = rest.prefix(12).firstIndex(of: "}") else { return nil }
      text = String(rest[rest.index(after: rest.startIndex)..<end])
      rest = rest[rest.index(after: end)...]
    } else {
      text = String(rest.prefix(digits))
      rest = rest.dropFirst(digits)
    }
    return UInt32(text, radix: 16).flatMap(Unicode.Scalar.init)
  }
}

/// A language of app code, with the syntax of its strings and comments.
enum CodeLanguage: String, CaseIterable {
  case swift
  case objectiveC = "m"
  case objectiveCPlus = "mm"
  case cSharp = "cs"
  case kotlin = "kt"
  case lua
  case gdScript = "gd"
  case json

  /// Creates the language that a file's name shows; nil if the file is not code in one of these languages.
  init?(ofFile name: String) {
    guard let dot = name.lastIndex(of: ".") else { return nil }
    self.init(rawValue: String(name[name.index(after: dot)...]))
  }

  /// The characters that begin a comment which ends at the end of the line.
  var lineComment: String { self == .lua ? "--" : self == .gdScript ? "#" : "//" }

  /// The characters that open and close a comment which can span several lines; nil if the language has no
  /// such comments.
  var blockComment: (open: String, close: String)? {
    self == .gdScript ? nil : self == .lua ? ("--[[", "]]") : ("/*", "*/")
  }

  /// The bytes that enclose an expression in a string.
  ///
  /// Its value is inserted at run time.
  var interpolation: (opening: UInt8, closing: UInt8) {
    switch self {
    case .swift: (UInt8(ascii: "\\"), UInt8(ascii: ")"))
    case .kotlin: (UInt8(ascii: "$"), UInt8(ascii: "}"))
    default: (UInt8(ascii: "{"), UInt8(ascii: "}"))
    }
  }

  /// Whether block comments can contain block comments.
  var nestsComments: Bool { self == .swift || self == .kotlin }

  /// Whether text between single quotes is a string instead of a character.
  var hasSingleQuotes: Bool { self == .lua || self == .gdScript }

  /// Whether a list is written in braces.
  ///
  /// In other languages, braces contain code.
  var listsInBraces: Bool { self == .cSharp || self == .lua }

  var endsStatementsAtLines: Bool { [.swift, .kotlin, .lua, .gdScript].contains(self) }
}
