/// The value of a string literal of app code.
enum CodeString {
  /// The value of the bytes between the quotes, with the escapes that the languages share.
  static func value(_ bytes: ArraySlice<UInt8>) -> String {
    guard bytes.contains(UInt8(ascii: "\\")) else { return String(decoding: bytes, as: UTF8.self) }
    var text = ""
    var rest = Substring(String(decoding: bytes, as: UTF8.self)).unicodeScalars
    while let scalar = rest.popFirst() {
      guard scalar == "\\", let escape = rest.popFirst() else {
        text.unicodeScalars.append(scalar)
        continue
      }
      text.unicodeScalars.append(self.scalar(escape, &rest))
    }
    return text
  }

  private static func scalar(_ escape: Unicode.Scalar, _ rest: inout Substring.UnicodeScalarView)
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

  /// A character by its number in hex: in braces, or of a fixed number of digits.
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
