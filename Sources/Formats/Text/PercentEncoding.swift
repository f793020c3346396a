import System

/// Encodes bytes for URLs: every byte except letters, digits and some punctuation becomes `%` and two hex
/// digits.
package enum PercentEncoding {
  /// The punctuation that Apple's tools leave unencoded in the URLs of packs.
  package static let applePack: Set<UInt8> = Set("+,-./_~".utf8)
  /// The slash, and the punctuation that RFC 3986 calls unreserved.
  package static let path: Set<UInt8> = Set("-._~/".utf8)

  /// Returns the percent-encoded string.
  ///
  /// Letters, digits and the characters in `marks` are not encoded.
  package static func text(of bytes: some Sequence<UInt8>, leaving marks: Set<UInt8>) -> String {
    bytes.map { byte in
      if byte.isLetterOrDigit || marks.contains(byte) { return String(UnicodeScalar(byte)) }
      return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }

  /// Returns the decoded bytes of a percent-encoded string; nil if a `%` is not followed by two hex digits.
  package static func bytes(of text: [UInt8]) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var place = 0
    while place < text.count {
      if text[place] != UInt8(ascii: "%") {
        bytes.append(text[place])
        place += 1
        continue
      }
      guard place + 2 < text.count, let first = digit(text[place + 1]), let second = digit(text[place + 2])
      else {
        return nil
      }
      bytes.append(first << 4 | second)
      place += 3
    }
    return bytes
  }

  /// Returns the text that a percent-encoded text stands for; nil if the text is not percent-encoded.
  package static func decoded(_ text: String) -> String? {
    guard text.utf8.contains(UInt8(ascii: "%")), let bytes = bytes(of: Array(text.utf8)) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    Character(UnicodeScalar(byte)).hexDigitValue.map { UInt8($0) }
  }
}
