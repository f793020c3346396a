import System

/// Reads strings and their escapes.
extension JSONReader {
  /// Reads a string in double quotes.
  ///
  /// A string in single quotes is reported and then read in the same way.
  mutating func readString() throws(SyntaxFailure) -> String {
    let start = position
    let quote = bytes[start]
    if quote == UInt8(ascii: "'") { report("expected a string in double quotes, found \"'\"") }
    position += 1
    let plain = position
    skipPlainCharacters(until: quote)
    // Most strings have no escapes and are copied without changes.
    if peek == quote {
      position += 1
      return String(decoding: bytes[plain..<position - 1], as: UTF8.self)
    }
    var decoded = Array(bytes[plain..<position])
    // Only once, the whole string is searched for the reason of a wrong escape.
    var isFirstWrongEscape = true
    while let byte = peek {
      switch byte {
      case quote:
        position += 1
        return String(decoding: decoded, as: UTF8.self)
      case UInt8(ascii: "\\"):
        if isFirstWrongEscape, let mistake = wrongEscape {
          isFirstWrongEscape = false
          if let path = windowsPath(at: start) {
            report("\(mistake); in a path, write \"/\" instead of a backslash: \(quoted(path.text))")
            position = path.end
            return path.text
          }
        }
        readEscape(into: &decoded)
      case 0x0a, 0x0d:
        position = start
        throw unclosed()
      default:
        report("a string cannot contain a control character; write \(escape(for: byte)) instead")
        position += 1
      }
      let run = position
      skipPlainCharacters(until: quote)
      decoded += bytes[run..<position]
    }
    position = start
    throw unclosed()
  }

  /// Skips a string with the same checks as `readString()`, without copying it if it has no escapes.
  mutating func passString() throws(SyntaxFailure) {
    let start = position
    let quote = bytes[start]
    if quote == UInt8(ascii: "\"") {
      position += 1
      skipPlainCharacters(until: quote)
      if peek == quote {
        position += 1
        return
      }
      position = start
    }
    _ = try readString()
  }

  /// Skips a string of ASCII without escapes and returns its length.
  ///
  /// For any other string, the function returns nil and does not change the position.
  mutating func passPlainString(_ bytes: Span<UInt8>) -> Int? {
    let start = position + 1
    var index = start
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") {
        position = index + 1
        return index - start
      }
      if byte < 0x20 || byte >= 0x80 || byte == UInt8(ascii: "\\") { return nil }
      index += 1
    }
    return nil
  }

  private mutating func skipPlainCharacters(until quote: UInt8) {
    while let byte = peek, byte != quote, byte != UInt8(ascii: "\\"), byte >= 0x20 { position += 1 }
  }

  private mutating func unclosed() -> SyntaxFailure {
    report("the string that begins here has no closing quote")
    return SyntaxFailure()
  }

  private func escape(for byte: UInt8) -> String {
    switch byte {
    case 0x09: "\"\\t\""
    default: "\"\\u00" + (byte < 16 ? "0" : "") + String(byte, radix: 16) + "\""
    }
  }

  /// The mistake in the escape at the current position, if a letter, a digit or a wildcard follows the
  /// backslash, as in a Windows path; nil for a correct escape.
  private var wrongEscape: String? {
    guard position + 1 < bytes.count else { return nil }
    let next = bytes[position + 1]
    let letter = UnicodeScalar(next)
    let following = bytes[(position + 2)...].first ?? 0
    if letter == "u" {
      let isDigit = Character(UnicodeScalar(following)).isHexDigit
      return following.isLetterOrDigit && !isDigit ? "\"\\u\" needs four hex digits" : nil
    }
    let isName = next.isLetterOrDigit || letter == "_" || letter == "*"
    guard isName, !"bfnrt".unicodeScalars.contains(letter) else { return nil }
    // In regular expressions, "\\d" is a digit, for example.
    if "dswDSW".unicodeScalars.contains(letter), !following.isLetterOrDigit, following != UInt8(ascii: "\\") {
      return nil
    }
    return "JSON has no escape \"\\\(letter)\""
  }

  /// A Windows path, with slashes instead of backslashes.
  private struct WindowsPath {
    let text: String
    /// The offset after the string that contains the path.
    let end: Int
  }

  /// Returns the path in the string at an offset; nil if the string can be a regular expression.
  private func windowsPath(at start: Int) -> WindowsPath? {
    guard let end = bytes.endOfString(at: start) else { return nil }
    let text = String(decoding: bytes[start + 1..<end - 1], as: UTF8.self)
    if text.unicodeScalars.contains(where: "()[]+^$|\"".unicodeScalars.contains) || text.contains(".*") {
      return nil
    }
    return WindowsPath(
      text: text.replacing("\\\\", with: "\\").replacing("\\", with: "/"), end: end)
  }

  private mutating func readEscape(into decoded: inout [UInt8]) {
    let start = position
    position += 1
    guard let byte = peek else { return }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): decoded.append(byte)
    case UInt8(ascii: "b"): decoded.append(0x08)
    case UInt8(ascii: "f"): decoded.append(0x0c)
    case UInt8(ascii: "n"): decoded.append(0x0a)
    case UInt8(ascii: "r"): decoded.append(0x0d)
    case UInt8(ascii: "t"): decoded.append(0x09)
    case UInt8(ascii: "u"): readUnicodeEscape(from: start, into: &decoded)
    default:
      position = start + 1
      // A character that no string can contain is reported later, when the rest of the string is read.
      if byte < 0x20 { return }
      let character = String(String(decoding: bytes[position...].prefix(4), as: UTF8.self).prefix(1))
      let found = "\"\\" + quoted(character).dropFirst()
      report("expected an escape such as \"\\n\" or \"\\\\\", found \(found)", at: start)
    }
  }

  private mutating func readUnicodeEscape(from start: Int, into decoded: inout [UInt8]) {
    guard let first = readHexDigits() else {
      return report("expected four hex digits after \"\\u\"", at: start)
    }
    var value = first
    if (0xd800..<0xdc00).contains(first), peek == UInt8(ascii: "\\") {
      let before = position
      position += 1
      if peek == UInt8(ascii: "u") {
        position += 1
        if let second = readHexDigits(), (0xdc00..<0xe000).contains(second) {
          value = 0x10000 + (first - 0xd800) << 10 + (second - 0xdc00)
        }
      }
      if value == first { position = before }
    }
    guard let scalar = UnicodeScalar(value) else {
      return report(
        "expected both halves of a surrogate pair, found only \"\\u\(String(first, radix: 16))\"",
        at: start)
    }
    decoded += Array(String(Character(scalar)).utf8)
  }

  private mutating func readHexDigits() -> UInt32? {
    guard position + 4 <= bytes.count else { return nil }
    let digits = String(decoding: bytes[position..<position + 4], as: UTF8.self)
    guard digits.allSatisfy(\.isHexDigit), let value = UInt32(digits, radix: 16) else { return nil }
    position += 4
    return value
  }
}
