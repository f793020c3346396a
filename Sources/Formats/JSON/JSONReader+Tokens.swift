import System

/// Reads white space, words and numbers.
extension JSONReader {
  /// Skips white space and comments.
  ///
  /// Comments are reported unless the text may contain them.
  mutating func skipSpace(_ bytes: Span<UInt8>) {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x09, 0x0a, 0x0d: position += 1
      case UInt8(ascii: "#"): skipComment(openingLength: 1, until: [0x0a])
      case UInt8(ascii: "/") where next == UInt8(ascii: "/"): skipComment(openingLength: 2, until: [0x0a])
      case UInt8(ascii: "/") where next == UInt8(ascii: "*"):
        skipComment(openingLength: 2, until: [UInt8(ascii: "*"), UInt8(ascii: "/")])
      default: return
      }
    }
  }

  private var next: UInt8? { position + 1 < bytes.count ? bytes[position + 1] : nil }

  private mutating func skipComment(openingLength: Int, until end: [UInt8]) {
    // No variant of JSON has comments that begin with "#".
    if !text.mayHaveComments || openingLength == 1 {
      report("JSON does not allow this comment; use a \"$comment\" key\(text.commentHint)")
    }
    let start = position
    position += openingLength
    while position < bytes.count, !bytes[position...].starts(with: end) { position += 1 }
    if position == bytes.count, end.count > 1, text.mayHaveComments {
      report("the comment that begins here has no \"*/\" at its end", at: start)
    }
    position = min(position + end.count, bytes.count)
  }

  mutating func readWord() -> JSONNodes.Word.Kind {
    let start = position
    let word = nextWord()
    switch word {
    case "true", "false": return .bool
    case "null": return .null
    case _ where isNumber(word): return .number
    default:
      let startsLikeNumber = word.first.map { "+-.0123456789".contains($0) } ?? false
      let expected =
        startsLikeNumber
        ? "a JSON number (decimal, with digits on both sides "
          + "of a point, no plus sign and no extra zeros)" : "a value"
      report("expected \(expected), found \(quoted(word))", at: start)
      return .unreadable
    }
  }

  mutating func nextWord() -> String {
    let start = position
    while let byte = peek, isWordByte(byte) { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  func found() -> String {
    guard let byte = peek else { return "the end of the file" }
    if byte == UInt8(ascii: "\"") { return "a string" }
    if isWordByte(byte) {
      let word = bytes[position...].prefix(40).prefix { isWordByte($0) }
      return quoted(String(decoding: word, as: UTF8.self))
    }
    if byte < 0x20 { return "the control character U+00" + (byte < 16 ? "0" : "") + String(byte, radix: 16) }
    let rest = bytes[position...].prefix(4)
    return quoted(String(String(decoding: rest, as: UTF8.self).prefix(1)))
  }
}

/// Whether a byte belongs to a number, a literal or an unquoted name.
package func isWordByte(_ byte: UInt8) -> Bool {
  switch UnicodeScalar(byte) {
  case "+", "-", ".", "_", "$": true
  default: byte.isLetterOrDigit
  }
}

/// Whether a word is a number in the grammar of RFC 8259, section 6.
package func isNumber(_ word: String) -> Bool {
  // Swift also accepts numbers that JSON does not allow: hexadecimal numbers, names such as "inf", and
  // numbers that start with "+", with extra zeros or with the decimal point.
  guard Double(word) != nil, word.utf8.allSatisfy({ $0.isDigit || "+-.eE".utf8.contains($0) }) else {
    return false
  }
  let digits = word.utf8.drop { $0 == UInt8(ascii: "-") }
  let whole = digits.prefix(while: \.isDigit)
  if whole.isEmpty || whole.count > 1 && whole.first == UInt8(ascii: "0") { return false }
  let rest = digits.dropFirst(whole.count)
  return rest.first != UInt8(ascii: ".") || rest.dropFirst().first?.isDigit ?? false
}
