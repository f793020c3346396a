package import System

extension ByteBuffer {
  /// Appends bytes as stored blocks of a deflate stream that has come to the end of a byte, as they end with one.
  ///
  /// libdeflate's level 0 ends the stream, and to reopen it costs an empty block.
  package mutating func appendStoredBlocks(_ bytes: RawSpan, isLast: Bool) {
    var start = 0
    repeat {
      let end = min(start + Int(UInt16.max), bytes.byteCount)
      let size = UInt16(end - start)
      append(isLast && end == bytes.byteCount ? 1 : 0)
      append(UInt8(truncatingIfNeeded: size))
      append(UInt8(size >> 8))
      append(UInt8(truncatingIfNeeded: ~size))
      append(UInt8(~size >> 8))
      append(bytes.extracting(start..<end))
      start = end
    } while start < bytes.byteCount
  }
}
