/// The pattern of one name in a glob: characters, `*`, `?` and `[…]`.
package struct NamePattern: Sendable, Hashable {
  /// A literal byte, or one of the following values.
  ///
  /// A token needs only two bytes, because a manifest can have millions of tokens.
  private typealias Token = UInt16

  /// `*`: any number of characters, including none.
  private static let any: Token = 256
  /// `?`: one character.
  private static let one: Token = 257
  /// The first character class.
  ///
  /// The value of another class is this value plus its index.
  private static let firstClass: Token = 258

  /// `[…]`: one character that is in the class or, after a leading `!`, one character that is not in the
  /// class.
  struct CharacterClass: Sendable, Hashable {
    fileprivate let ranges: [ClosedRange<UInt32>]
    fileprivate let isNegated: Bool

    func contains(_ value: UInt32) -> Bool { ranges.contains { $0.contains(value) } != isNegated }
  }

  private let tokens: [Token]
  private let classes: [CharacterClass]

  package init(_ text: String) throws(Glob.Mistake) {
    var tokens: [Token] = []
    var classes: [CharacterClass] = []
    // An array, because reading the scalars of a string one by one is several times as slow.
    let scalars = Array(text.unicodeScalars)
    var index = 0
    while index < scalars.count {
      let scalar = scalars[index]
      index += 1
      switch scalar {
      case "*": if tokens.last != Self.any { tokens.append(Self.any) }
      case "?": tokens.append(Self.one)
      case "[":
        // A class needs at least three bytes, and a glob has at most 65,535 bytes. Therefore the index of a
        // class fits into a token.
        tokens.append(Self.firstClass + Token(classes.count))
        classes.append(try Self.characterClass(in: scalars, at: &index))
      case _ where scalar.isASCII: tokens.append(Token(scalar.value))
      default: tokens += UTF8.encode(scalar).map { $0.map { Token($0) } } ?? []
      }
    }
    self.tokens = tokens
    self.classes = classes
  }

  /// A part of the pattern that matches exactly one character.
  enum Unit: Sendable {
    case scalar(Unicode.Scalar)
    /// `?`: any character.
    case any
    case member(CharacterClass)
  }

  /// The sequences of characters and wildcards between the stars.
  ///
  /// Two adjacent stars are treated as one star.
  var runs: [[Unit]] {
    tokens.split(separator: Self.any, omittingEmptySubsequences: false).map { run in
      var units: [Unit] = []
      var bytes = run[...]
      while let token = bytes.first {
        switch token {
        case Self.one: units.append(.any)
        case Self.firstClass...: units.append(.member(classes[Int(token - Self.firstClass)]))
        default:
          let text = bytes.prefix { $0 < Self.any }
          units += String(decoding: text.lazy.map { UInt8($0) }, as: UTF8.self).unicodeScalars.map {
            .scalar($0)
          }
          bytes = bytes.dropFirst(text.count)
          continue
        }
        bytes.removeFirst()
      }
      return units
    }
  }

  /// The sequences of literal bytes.
  ///
  /// Every name that matches contains all of these sequences.
  package var texts: [[UInt8]] { tokens.split { $0 >= Self.any }.map { $0.map { UInt8($0) } } }

  /// Whether a pattern has two adjacent stars outside of character classes.
  static func hasDoubleStar(_ text: String) throws(Glob.Mistake) -> Bool {
    let scalars = Array(text.unicodeScalars)
    var index = 0
    while index < scalars.count {
      let scalar = scalars[index]
      index += 1
      if scalar == "*", index < scalars.count, scalars[index] == "*" { return true }
      if scalar == "[" { _ = try characterClass(in: scalars, at: &index) }
    }
    return false
  }

  /// Reads a class up to its closing bracket.
  ///
  /// A closing bracket right after the opening bracket is a plain character. `index` moves from the place after the
  /// opening bracket to the place after the closing bracket.
  private static func characterClass(
    in scalars: [Unicode.Scalar], at index: inout Int
  ) throws(Glob.Mistake) -> CharacterClass {
    let isNegated = index < scalars.count && (scalars[index] == "!" || scalars[index] == "^")
    if isNegated { index += 1 }
    let start = index
    var ranges: [ClosedRange<UInt32>] = []
    while index < scalars.count {
      let scalar = scalars[index]
      index += 1
      if scalar == "]" && index > start + 1 { return CharacterClass(ranges: ranges, isNegated: isNegated) }
      var last = scalar
      if index + 1 < scalars.count, scalars[index] == "-", scalars[index + 1] != "]" {
        last = scalars[index + 1]
        index += 2
      }
      if scalar <= last { ranges.append(scalar.value...last.value) }
    }
    throw .unclosed("[")
  }

  /// Whether the whole name matches.
  ///
  /// The time is linear, apart from backtracking to the previous `*`.
  package func matches(_ name: ArraySlice<UInt8>) -> Bool {
    var token = 0
    var position = name.startIndex
    var retry: (token: Int, position: Int)?
    while position < name.endIndex {
      if token < tokens.count, tokens[token] == Self.any {
        retry = (token + 1, position)
        token += 1
      } else if token < tokens.count, let length = length(of: tokens[token], at: position, in: name) {
        token += 1
        position += length
      } else if let last = retry {
        // Backtracking moves by whole characters, because a class must not be compared with a part of a
        // character.
        position = last.position + character(at: last.position, in: name).length
        retry?.position = position
        token = last.token
      } else {
        return false
      }
    }
    return tokens[token...].allSatisfy { $0 == Self.any }
  }

  /// Returns the number of bytes that a token matches at a position; nil if the token does not match.
  private func length(of token: Token, at position: Int, in name: ArraySlice<UInt8>) -> Int? {
    switch token {
    case 0..<Self.any: return Token(name[position]) == token ? 1 : nil
    case Self.any: return 0
    case Self.one: return character(at: position, in: name).length
    default:
      let character = character(at: position, in: name)
      return classes[Int(token - Self.firstClass)].contains(character.value) ? character.length : nil
    }
  }

  /// Returns the character at a position.
  ///
  /// A byte that is not valid UTF-8 is treated as one character.
  private func character(at position: Int, in name: ArraySlice<UInt8>) -> (value: UInt32, length: Int) {
    var decoder = UTF8()
    var bytes = name[position...].prefix(4).makeIterator()
    if case .scalarValue(let scalar) = decoder.decode(&bytes) {
      return (scalar.value, UTF8.width(scalar))
    }
    return (UInt32.max, 1)
  }
}
