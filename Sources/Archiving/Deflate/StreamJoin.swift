import CZlib
import System

extension ByteBuffer {
  /// Turns a whole deflate stream, the bytes from `start` to the end, into one that another may follow.
  ///
  /// libdeflate ends the stream of every buffer. This clears the final bit of the last block and adds an empty
  /// stored block up to a whole byte, so that blocks compressed on several threads join to one stream. Only
  /// decoding finds the start of the last block: zlib's `inflate` stops before each block.
  package mutating func reopenDeflateStream(from start: Int) {
    let end = deflateEnd(from: start)
    clearBit(end.finalBit)
    // The header of an empty stored block is three zero bits; libdeflate left the unused ones zero.
    if end.unusedBits < 3 { append(0) }
    let length: [UInt8] = [0x00, 0x00, 0xff, 0xff]
    append(length.span.bytes)
  }

  private func deflateEnd(from start: Int) -> (finalBit: Int, unusedBits: Int) {
    withBytes(start..<count) { bytes in
      bytes.withUnsafeBytes { stream in
        let end = findLastBlock(in: stream)
        return (start * 8 + end.bit, end.unusedBits)
      }
    }
  }

  private mutating func clearBit(_ bit: Int) {
    replaceByte(at: bit / 8) { $0 & ~(1 << UInt8(bit % 8)) }
  }
}

/// The bit offset of the last block's final bit, and the number of unused bits in the stream's last byte.
private func findLastBlock(in stream: UnsafeRawBufferPointer) -> (bit: Int, unusedBits: Int) {
  withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { window in
    // A z_stream contains pointers to itself, so its address must not change.
    let state = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    state.initialize(to: z_stream())
    defer { state.deallocate() }
    precondition(inflateInit2_(state, -15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK)
    defer { inflateEnd(state) }
    state.pointee.next_in = UnsafeMutablePointer(
      mutating: stream.baseAddress!.assumingMemoryBound(to: UInt8.self))
    state.pointee.avail_in = UInt32(stream.count)
    var lastStart = 0
    while true {
      state.pointee.next_out = window.baseAddress!.assumingMemoryBound(to: UInt8.self)
      state.pointee.avail_out = UInt32(window.count)
      let code = inflate(state, Z_BLOCK)
      let unused = Int(state.pointee.data_type & 7)
      let position = (stream.count - Int(state.pointee.avail_in)) * 8 - unused
      precondition(code == Z_OK, "libdeflate made a stream that zlib refuses")
      // 128: at the end of a block; 64: that block was the last.
      if state.pointee.data_type & 128 == 0 { continue }
      if state.pointee.data_type & 64 != 0 { return (lastStart, unused) }
      lastStart = position
    }
  }
}
