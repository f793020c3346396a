/// A set of offsets in a text, as one bit for each byte, since a text may be wrong in every second byte.
package struct OffsetSet: Sendable {
  private var words: [UInt64] = []

  package init() {
  }

  package mutating func insert(_ offset: Int) {
    let word = offset / 64
    if word >= words.count { words += Array(repeating: 0, count: word + 1 - words.count) }
    words[word] |= 1 << UInt64(offset % 64)
  }

  package func contains(_ offset: Int) -> Bool {
    let word = offset / 64
    return word < words.count && words[word] >> UInt64(offset % 64) & 1 == 1
  }
}
