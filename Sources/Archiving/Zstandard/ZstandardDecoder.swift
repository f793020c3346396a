#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import CZstandard
package import System

/// Decompresses one Zstandard frame that was compressed with old contents as its raw prefix.
///
/// libarchive's reader does not support prefixes.
package struct ZstandardDecoder: ~Copyable {
  /// The way in which a frame ended.
  package enum End: Sendable {
    case whole
    /// The frame's bytes are damaged, or were compressed with another prefix.
    case damaged
    /// The frame has more bytes than expected.
    case tooLong
  }

  private let context: OpaquePointer
  private let output: UnsafeMutableRawBufferPointer
  private var rest: Int64
  private var isAtEnd = false
  private var hasMore = false
  private var isDamaged = false

  private init(size: Int64, prefix: UnsafeRawBufferPointer) {
    context = ThisProcess.allocated(ZSTD_createDCtx())
    let capacity = ZSTD_DStreamOutSize()
    output = UnsafeMutableRawBufferPointer(start: ThisProcess.allocated(malloc(capacity)), count: capacity)
    rest = size
    isDamaged = ZSTD_isError(ZSTD_DCtx_refPrefix(context, prefix.baseAddress, prefix.count)) != 0
  }

  deinit {
    ZSTD_freeDCtx(context)
    free(output.baseAddress)
  }

  /// Decompresses a frame of `uncompressedSize` bytes.
  ///
  /// `body` must pass the compressed blocks to `append`.
  package static func decode<Failure: Error>(
    uncompressedSize: Int64, prefix: borrowing ByteBuffer,
    body: (inout ZstandardDecoder) throws(Failure) -> Void
  ) throws(Failure) -> End {
    try prefix.withBytes { prefix throws(Failure) in
      try prefix.withUnsafeBytes { prefix throws(Failure) in
        var decoder = ZstandardDecoder(size: uncompressedSize, prefix: prefix)
        try body(&decoder)
        if decoder.hasMore || decoder.rest < 0 { return .tooLong }
        return decoder.isDamaged || !decoder.isAtEnd || decoder.rest != 0 ? .damaged : .whole
      }
    }
  }

  /// Decompresses the next bytes of the frame.
  ///
  /// The result is false if no more bytes are needed.
  package mutating func append(_ bytes: RawSpan, take: (RawSpan) -> Void) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var input = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
      var isFull = false
      while !isDamaged && (input.pos < input.size || isFull) {
        if isAtEnd {
          hasMore = true
          return false
        }
        var made = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        let code = ZSTD_decompressStream(context, &made, &input)
        isDamaged = ZSTD_isError(code) != 0
        isAtEnd = code == 0
        isFull = made.pos == made.size && !isAtEnd
        rest -= Int64(made.pos)
        if rest < 0 { return false }
        take(UnsafeRawBufferPointer(rebasing: output[..<made.pos]).bytes)
      }
      return !isDamaged
    }
  }
}

/// Decompresses one frame.
///
/// Windows are refused if they are larger than those of level 19, because packtool uses no higher level.
final class ZstandardInflater: StreamInflater {
  private let context = ThisProcess.allocated(ZSTD_createDCtx())
  private(set) var isAtEnd = false

  init() {
    let limit = ZstandardSettings.maxWindowSize.trailingZeroBitCount
    ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, Int32(limit))
  }

  deinit { ZSTD_freeDCtx(context) }

  func inflate(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(StreamDamage) -> (used: Int, made: Int) {
    var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
    var made = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
    let code = ZSTD_decompressStream(context, &made, &source)
    if ZSTD_isError(code) != 0 {
      let isTooLarge = ZSTD_getErrorCode(code) == ZSTD_error_frameParameter_windowTooLarge
      throw StreamDamage(
        reason: isTooLarge
          ? "the Zstandard stream needs a window of more than \(ZstandardSettings.maxWindowSize) bytes"
          : "Zstd decompression failed: \(String(cString: ZSTD_getErrorName(code)))")
    }
    isAtEnd = code == 0
    return (source.pos, made.pos)
  }
}
