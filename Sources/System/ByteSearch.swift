import Glibc

/// Finding bytes in long texts, at the speed of the C library.
package enum ByteSearch {
  /// The offset behind each occurrence of a byte, as far as 32 bits count.
  package static func offsets(behind byte: UInt8, in bytes: [UInt8]) -> [UInt32] {
    bytes.withUnsafeBytes { bytes in
      var offsets: [UInt32] = []
      guard let base = bytes.baseAddress else { return offsets }
      var start = 0
      while let found = memchr(base + start, Int32(byte), bytes.count - start) {
        start = UnsafeRawPointer(found) - base + 1
        offsets.append(UInt32(clamping: start))
      }
      return offsets
    }
  }
}
