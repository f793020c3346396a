import System

extension ByteBuffer {
  /// Turns a whole deflate stream, the bytes from `start` to the end, into one that another may follow.
  ///
  /// libdeflate ends the stream of every buffer. This clears the final bit of the last block and adds an empty
  /// stored block up to a whole byte, so that blocks compressed on several threads join to one stream.
  package mutating func reopenDeflateStream(from start: Int) {
    let last = withBytes(start..<count) { LastBlock(of: $0) }
    let finalBit = start * 8 + last.start
    replaceByte(at: finalBit / 8) { $0 & ~(1 << UInt8(finalBit % 8)) }
    // The header of an empty stored block is three zero bits; libdeflate left the unused ones zero.
    if last.unusedBits < 3 { append(0) }
    let length: [UInt8] = [0x00, 0x00, 0xff, 0xff]
    append(length.span.bytes)
  }
}
