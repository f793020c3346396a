import CZlib

/// A gzip stream being unpacked by zlib, its checksum and length checked at its end.
///
/// Our own way around libarchive's gzip filter, which passes over both.
struct GzipInflater: ~Copyable {
  /// A stream that is not what it should be, in zlib's words.
  struct Damage: Error {
    let reason: String
  }

  // A z_stream points to itself, so it needs an address that does not move.
  private let state = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private(set) var isAtEnd = false

  init() {
    state.initialize(to: z_stream())
    // 15 bits of window, and 16 for a gzip header.
    precondition(inflateInit2_(state, 31, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK)
  }

  deinit {
    inflateEnd(state)
    state.deallocate()
  }

  /// Unpacks some of the input; how many bytes of it were used and how many were written.
  mutating func inflate(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(Damage) -> (used: Int, made: Int) {
    state.pointee.next_in = UnsafeMutablePointer(
      mutating: input.baseAddress!.assumingMemoryBound(to: UInt8.self))
    state.pointee.avail_in = UInt32(input.count)
    state.pointee.next_out = output.baseAddress!.assumingMemoryBound(to: UInt8.self)
    state.pointee.avail_out = UInt32(output.count)
    let code = CZlib.inflate(state, Z_NO_FLUSH)
    isAtEnd = code == Z_STREAM_END
    guard code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR else {
      throw Damage(reason: state.pointee.msg.map { String(cString: $0) } ?? "it is no gzip stream")
    }
    return (input.count - Int(state.pointee.avail_in), output.count - Int(state.pointee.avail_out))
  }
}
