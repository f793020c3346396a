/// Looking for bytes in long texts.
package enum ByteSearch {
  /// How often a byte occurs.
  package static func count(of byte: UInt8, in bytes: Span<UInt8>) -> Int {
    // Without checks of bounds, and in sums of a byte, it is done for many bytes at once.
    bytes.withUnsafeBufferPointer { bytes in
      var count = 0
      for start in stride(from: 0, to: bytes.count, by: 255) {
        var some: UInt8 = 0
        for index in start..<min(start + 255, bytes.count) { some &+= bytes[index] == byte ? 1 : 0 }
        count += Int(some)
      }
      return count
    }
  }
}
