import Formats
import System

/// The maximum number of bytes of a PEM file that packtool searches for a private key.
private let maxKeyFileSize = 1 << 20

/// Whether a text file contains a private key in PEM format, that is, a block such as `-----BEGIN RSA PRIVATE
/// KEY-----`.
///
/// The first PEM block must begin in the head, possibly after comments. The key can be in a later block, for
/// example after certificates.
func isPrivateKey(
  head: Span<UInt8>, size: Int64, read: ContentProblem.Read
) throws(SystemError) -> Bool {
  // Text begins with a printable character, whitespace, or a byte order mark.
  guard (0x20..<0x7f).contains(head[0]) || [0x09, 0x0a, 0x0d, 0xef].contains(head[0]) else { return false }
  // The command "openssl pkcs12" writes text before a key, and this text can be longer than the head.
  guard head.starts(with: "Bag Attributes".utf8) || head.contains(pemMarker) else { return false }
  return holdsPrivateKey(String(decoding: try read(0, Int(min(size, Int64(maxKeyFileSize)))), as: UTF8.self))
}

/// The beginning of a PEM block.
///
/// The marker is a constant array for speed, because every text file is searched for the marker.
private let pemMarker = Array("-----BEGIN ".utf8)

/// Whether a string contains a private key in PEM format.
///
/// A marker at the start of a line is sufficient evidence. Elsewhere, for example in JSON or in prose, the
/// marker must be followed by characters of a key.
private func holdsPrivateKey(_ text: String) -> Bool {
  for start in text.ranges(of: "-----BEGIN ") {
    let label = text[start.upperBound...].prefix { !$0.isNewline && $0 != "\\" }
    guard let words = label.firstRange(of: "PRIVATE KEY") else { continue }
    let before = text[..<start.lowerBound].last
    if before == nil || before?.isNewline == true || before == "\u{feff}" { return true }
    // In JSON, line breaks are written as "\n".
    let body = text[words.upperBound...].prefix(200).drop { "- \r\n\t\\nr".contains($0) }
    if body.prefix(while: { $0.isASCII && ($0.isLetter || $0.isNumber || "+/".contains($0)) }).count >= 16 {
      return true
    }
  }
  return false
}

/// Whether a file is a minisign secret key: a comment, followed by a line that begins with the algorithm
/// codes of a secret key.
func isMinisignKey(
  _ head: Span<UInt8>, size: Int64, read: ContentProblem.Read
) throws(SystemError) -> Bool {
  let longest = 1 << 12
  guard size <= longest, head.starts(with: "untrusted comment:".utf8) else { return false }
  return SecretKey.isSecretKey(String(decoding: try read(0, longest), as: UTF8.self))
}
