package import Findings
import System

/// Edits of single values of a JSON text, which leave all other bytes as they are.
extension SourceText {
  /// The edit that replaces the string at an offset; nil if none begins there.
  package func replacing(stringAt offset: Int, by text: String) -> TextEdit? {
    guard let end = bytes.endOfString(at: offset) else { return nil }
    var written = ByteBuffer()
    written.append(json: text)
    return TextEdit(offset..<end, String(decoding: written.array(), as: UTF8.self))
  }

  /// The edit that puts another JSON text in place of the value at an offset; nil if none begins there.
  package func replacing(valueAt offset: Int, by text: String) -> TextEdit? {
    var depth = 0
    for token in JSONTokens(of: Array(bytes[offset...])).tokens {
      depth += token.kind == .open ? 1 : token.kind == .close ? -1 : 0
      if depth == 0 { return TextEdit(offset..<offset + token.range.upperBound, text) }
    }
    return nil
  }

  /// The edit that removes the string at an offset from its list; nil if none begins there.
  ///
  /// With it goes the comma before it, or if a comment is between them, the one behind it.
  package func removing(elementAt offset: Int) -> TextEdit? {
    guard let end = bytes.endOfString(at: offset) else { return nil }
    let before = bytes[..<offset].lastIndex { !isSpace($0) }
    if let before, bytes[before] == UInt8(ascii: ","), !isInComment(before) {
      return TextEdit(before..<end, "")
    }
    let behind = bytes[end...].firstIndex { !isSpace($0) }
    let hasComma = behind.map { bytes[$0] == UInt8(ascii: ",") } ?? false
    return TextEdit(offset..<(hasComma ? (behind ?? end) + 1 : end), "")
  }

  /// Whether a comment that ends with its line may begin before an offset.
  private func isInComment(_ offset: Int) -> Bool {
    if !mayHaveComments { return false }
    let near = max(0, offset - Self.longestLine)
    let lineEnd = bytes[near..<offset].lastIndex(of: 0x0a)
    if lineEnd == nil && near > 0 { return true }
    let start = lineEnd.map { $0 + 1 } ?? 0
    let line = bytes[start..<offset]
    var position = start
    while position < offset {
      if line[position] == UInt8(ascii: "\"") {
        position = bytes.endOfString(at: position) ?? offset
      } else if line[position...].starts(with: "//".utf8) {
        return true
      } else {
        position += 1
      }
    }
    return false
  }

  /// The part of a line in bytes that is looked at, since a hostile text may be one line.
  private static let longestLine = 4096

  private func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0a, 0x0d].contains(byte) }
}
