import CZlib
import System

/// The last block of a whole deflate stream.
struct LastBlock: Equatable {
  /// Where it begins, in bits.
  let start: Int
  /// The number of unused bits in the stream's last byte.
  let unusedBits: Int

  /// The last block of a stream that libdeflate made.
  init(of stream: RawSpan) {
    self = Self(onlyOneOf: stream) ?? stream.withUnsafeBytes { Self(decoding: $0) }
  }

  /// The only block of a stream by its header; nil if there are several, or the code of its end is but zeros.
  ///
  /// To decode all of the block took a tenth of a build's time. Its last code is that of its end, so that the last
  /// set bit of the stream and the zeros at the end of that code tell where it ends.
  init?(onlyOneOf stream: RawSpan) {
    var header = BlockHeader()
    guard header.read(1, in: stream) == 1, header.read(2, in: stream) == 2,
      let endCode = header.readEndCode(in: stream), endCode != 0,
      let lastByte = stream.byteOffsets.last(where: {
        stream.unsafeLoad(fromByteOffset: $0, as: UInt8.self) != 0
      })
    else { return nil }
    let byte = stream.unsafeLoad(fromByteOffset: lastByte, as: UInt8.self)
    let end = (lastByte + 1) * 8 - byte.leadingZeroBitCount + endCode.trailingZeroBitCount
    start = 0
    unusedBits = stream.byteCount * 8 - end
    guard (0..<8).contains(unusedBits) else { return nil }
  }

  /// The last block of a stream by zlib, which stops before each.
  init(decoding stream: UnsafeRawBufferPointer) {
    self = withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { window in
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
        if state.pointee.data_type & 64 != 0 { return LastBlock(start: lastStart, unusedBits: unused) }
        lastStart = position
      }
    }
  }

  private init(start: Int, unusedBits: Int) {
    self.start = start
    self.unusedBits = unusedBits
  }
}
