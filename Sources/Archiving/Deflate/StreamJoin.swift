import System

extension ByteBuffer {
  /// Turns a whole deflate stream, the bytes from `start` to the end, into one that another may follow.
  ///
  /// libdeflate ends the stream of every buffer. This clears the final bit of the last block and adds an empty
  /// stored block up to a whole byte, so that blocks compressed on several threads join to one stream.
  package mutating func reopenDeflateStream(from start: Int) {
    guard let last = withBytes(start..<count, { LastBlock(of: $0) }) else {
      preconditionFailure("libdeflate made a damaged stream")
    }
    let finalBit = start * 8 + last.start
    replaceByte(at: finalBit / 8) { $0 & ~(1 << UInt8(finalBit % 8)) }
    // The header of an empty stored block is three zero bits; libdeflate left the unused ones zero.
    if last.unusedBits < 3 { append(0) }
    let length: [UInt8] = [0x00, 0x00, 0xff, 0xff]
    append(length.span.bytes)
  }

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

/// The last block of a whole deflate stream.
struct LastBlock {
  /// Where it begins, in bits.
  let start: Int
  /// The number of unused bits in the stream's last byte.
  let unusedBits: Int

  /// The last block by passing over all before it; nil if the stream does not end with it.
  init?(of stream: RawSpan) {
    let found = stream.withUnsafeBytes { bytes -> (start: Int, end: Int)? in
      var scanner = BlockScanner(bytes)
      while true {
        let start = scanner.offset
        guard let isLast = scanner.passBlock() else { return nil }
        if isLast { return (start, scanner.offset) }
      }
    }
    guard let found else { return nil }
    start = found.start
    unusedBits = stream.byteCount * 8 - found.end
    guard (0..<8).contains(unusedBits) else { return nil }
  }
}
