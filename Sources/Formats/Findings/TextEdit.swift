/// A change of a text: some of its bytes, and what they become.
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
  /// The bytes with edits made, which are in order and do not overlap.
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
