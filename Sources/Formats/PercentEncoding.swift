import Findings

/// Percent-encoding of bytes for URLs: all but letters, digits and some marks become `%` and two hex digits.
package enum PercentEncoding {
  /// The marks that Apple's tools do not encode in the URLs of packs.
  package static let applePack: Set<UInt8> = Set("+,-./_~".utf8)
  /// The unreserved marks of RFC 3986, and slashes.
  package static let path: Set<UInt8> = Set("-._~/".utf8)

  /// The encoded text; `marks` are kept like letters and digits.
  package static func text(of bytes: some Sequence<UInt8>, leaving marks: Set<UInt8>) -> String {
    bytes.map { byte in
      if isLetterOrDigit(byte) || marks.contains(byte) { return String(UnicodeScalar(byte)) }
      return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: false
    }
  }
}
