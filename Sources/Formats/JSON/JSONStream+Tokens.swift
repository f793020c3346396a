import Findings
import System

/// Strings, numbers and words.
extension JSONStream {
  /// Reads a string; `expected` names it in the message if there is none.
  package mutating func readString(_ expected: String) throws(Failure) -> ArraySlice<UInt8> {
    guard try skipSpace() == UInt8(ascii: "\"") else {
      throw mistake("expected \(expected), found \(try found())")
    }
    let place = place
    position += 1
    let start = position
    skipPlainCharacters()
    // Most strings have no escape and end in the same window.
    if position < window.count, window[position] == UInt8(ascii: "\"") {
      position += 1
      return try checkedUTF8(window[start..<position - 1], at: place)
    }
    var decoded = Array(window[start..<position])
    while let byte = try peek() {
      if byte == UInt8(ascii: "\"") {
        position += 1
        return try checkedUTF8(decoded[...], at: place)
      }
      if byte == UInt8(ascii: "\\") {
        try readEscape(into: &decoded)
      } else if byte < 0x20 {
        throw mistake("expected no control character in a string")
      }
      let run = position
      skipPlainCharacters()
      decoded += window[run..<position]
      if decoded.count > Self.longestToken { throw tooLong("string", at: place) }
    }
    throw mistake("expected a closing quote for the string that begins here", at: place)
  }

  private mutating func skipPlainCharacters() {
    while position < window.count {
      let byte = window[position]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { return }
      position += 1
    }
  }

  private func checkedUTF8(
    _ string: ArraySlice<UInt8>, at place: Place.Position
  ) throws(Failure) -> ArraySlice<UInt8> {
    do {
      _ = try UTF8Span(validating: string.span)
      return string
    } catch {
      throw mistake("the string that begins here is not UTF-8", at: place)
    }
  }

  private func tooLong(_ what: String, at place: Place.Position) -> Failure {
    mistake("a \(what) is longer than \(ByteSize.exact(Self.longestToken))", at: place)
  }

  private mutating func readEscape(into decoded: inout [UInt8]) throws(Failure) {
    let place = place
    position += 1
    let byte = try peek()
    position += byte == nil ? 0 : 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): decoded.append(byte ?? 0)
    case UInt8(ascii: "b"): decoded.append(0x08)
    case UInt8(ascii: "f"): decoded.append(0x0c)
    case UInt8(ascii: "n"): decoded.append(0x0a)
    case UInt8(ascii: "r"): decoded.append(0x0d)
    case UInt8(ascii: "t"): decoded.append(0x09)
    case UInt8(ascii: "u"): decoded += Array(String(try readUnicodeEscape(at: place)).utf8)
    default: throw mistake("expected an escape such as \"\\n\" or \"\\\\\"", at: place)
    }
  }

  private mutating func readUnicodeEscape(at place: Place.Position) throws(Failure) -> Character {
    var value = try readHexDigits(at: place)
    if (0xd800..<0xdc00).contains(value), try peek() == UInt8(ascii: "\\") {
      position += 1
      guard try peek() == UInt8(ascii: "u") else { throw halfPair(at: place) }
      position += 1
      let second = try readHexDigits(at: place)
      guard (0xdc00..<0xe000).contains(second) else { throw halfPair(at: place) }
      value = 0x10000 + (value - 0xd800) << 10 + (second - 0xdc00)
    }
    guard let scalar = UnicodeScalar(value) else { throw halfPair(at: place) }
    return Character(scalar)
  }

  private func halfPair(at place: Place.Position) -> Failure {
    mistake("expected a whole character, found half of a surrogate pair", at: place)
  }

  private mutating func readHexDigits(at place: Place.Position) throws(Failure) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = try peek(), let digit = Character(UnicodeScalar(byte)).hexDigitValue else {
        throw mistake("expected four hex digits after \"\\u\"", at: place)
      }
      position += 1
      value = value << 4 | UInt32(digit)
    }
    return value
  }

  /// Reads a non-negative integer.
  package mutating func readWholeNumber(_ expected: String) throws(Failure) -> Int64 {
    _ = try skipSpace()
    let place = place
    let word = try readWord()
    let value = JSON.wholeNumber(word)
    guard isNumber(word), let value else {
      throw mistake(
        "expected \(expected), a whole number from 0 to \(grouped(Int64.max)), found "
          + (word.isEmpty ? try found() : quoted(word)), at: place)
    }
    return value
  }

  /// Skips `true`, `false`, `null` or a number.
  mutating func skipWord() throws(Failure) {
    let place = place
    let word = try readWord()
    if ["true", "false", "null"].contains(word) || isNumber(word) { return }
    throw mistake("expected a value, found \(quoted(word))", at: place)
  }

  private mutating func readWord() throws(Failure) -> String {
    let place = place
    var word: [UInt8] = []
    while let byte = try peek(), isWordByte(byte) {
      let run = position
      while position < window.count, isWordByte(window[position]) { position += 1 }
      word += window[run..<position]
      if word.count > Self.longestToken { throw tooLong("number", at: place) }
    }
    return String(decoding: word, as: UTF8.self)
  }
}
