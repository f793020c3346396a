import CZlib
import System

/// The error for a damaged stream, with the message of the library.
struct StreamDamage: Error { let reason: String }

/// Decompresses one compressed stream piece by piece.
protocol StreamInflater: AnyObject {
  var isAtEnd: Bool { get }
  /// Decompresses some of the input.
  ///
  /// Returns the number of bytes that were consumed and the number of bytes that were written.
  func inflate(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(StreamDamage) -> (used: Int, made: Int)
}

/// Decompresses a gzip stream with zlib, which verifies the checksum and the length at its end.
///
/// libarchive's own gzip filter does not verify them.
final class GzipInflater: StreamInflater {
  // zlib keeps pointers to a z_stream inside its own state, so its address must not change.
  private let state = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private(set) var isAtEnd = false

  init() {
    state.initialize(to: z_stream())
    // The value 31 means a window of 2^15 bytes, plus 16 to expect a gzip header.
    let code = inflateInit2_(state, 31, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    if code == Z_MEM_ERROR { ThisProcess.endOutOfMemory() }
    precondition(code == Z_OK, "zlib has another version")
  }

  deinit {
    inflateEnd(state)
    state.deallocate()
  }

  func inflate(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(StreamDamage) -> (used: Int, made: Int) {
    state.pointee.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
    state.pointee.avail_in = UInt32(input.count)
    state.pointee.next_out = output.baseAddress!.assumingMemoryBound(to: UInt8.self)
    state.pointee.avail_out = UInt32(output.count)
    let code = CZlib.inflate(state, Z_NO_FLUSH)
    isAtEnd = code == Z_STREAM_END
    if code == Z_MEM_ERROR { ThisProcess.endOutOfMemory() }
    guard code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR else {
      throw StreamDamage(reason: state.pointee.msg.map { String(cString: $0) } ?? "it is not a gzip stream")
    }
    return (input.count - Int(state.pointee.avail_in), output.count - Int(state.pointee.avail_out))
  }
}
