/// An edit of a text: the range to replace, and its replacement.
package struct TextEdit: Sendable, Hashable {
  /// The offsets of the bytes, not counting a byte order mark.
  package let range: Range<Int>
  package let replacement: String

  package init(_ range: Range<Int>, replacement: String) {
    self.range = range
    self.replacement = replacement
  }
}

extension [UInt8] {
  /// Returns the bytes after some edits, which must be in order and must not overlap.
  package func applying(_ edits: some Sequence<TextEdit>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    var next = 0
    for edit in edits {
      bytes += self[next..<edit.range.lowerBound]
      bytes += edit.replacement.utf8
      next = edit.range.upperBound
    }
    return bytes + self[next...]
  }
}
