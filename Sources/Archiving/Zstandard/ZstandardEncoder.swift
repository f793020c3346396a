#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import CZstandard
package import System

/// Compresses a stream into one Zstandard frame, using libzstd.
///
/// libarchive's filter for Zstandard does not let the caller set the window size.
struct ZstandardEncoder: ~Copyable {
  private let context: OpaquePointer
  private let output: UnsafeMutableRawBufferPointer
  private let path: String

  init(_ settings: ZstandardSettings, pathInMessages: String) {
    self.path = pathInMessages
    context = ThisProcess.allocated(ZSTD_createCCtx())
    let size = ZSTD_CStreamOutSize()
    output = UnsafeMutableRawBufferPointer(start: ThisProcess.allocated(malloc(size)), count: size)
    for (parameter, value) in settings.parameters {
      let code = ZSTD_CCtx_setParameter(context, parameter, value)
      precondition(ZSTD_isError(code) == 0, "libzstd refuses a parameter")
    }
  }

  deinit {
    ZSTD_freeCCtx(context)
    free(output.baseAddress)
  }

  /// Makes old contents the prefix of a frame of `size` bytes, as `zstd --patch-from` does.
  ///
  /// The prefix must stay valid until the frame is complete.
  fileprivate func begin(frameOf size: Int64, prefix: UnsafeRawBufferPointer) {
    var code = ZSTD_CCtx_setPledgedSrcSize(context, UInt64(size))
    precondition(ZSTD_isError(code) == 0, "a frame is begun before its bytes")
    code = ZSTD_CCtx_refPrefix(context, prefix.baseAddress, prefix.count)
    precondition(ZSTD_isError(code) == 0, "a prefix is set before the frame's bytes")
  }

  /// Compresses bytes, and passes the compressed output to `write`.
  ///
  /// If `part` is `last`, the frame ends with these bytes.
  ///
  /// - Throws: an error if memory is short, or the error that `write` throws.
  mutating func append(
    _ bytes: RawSpan, part: StreamPart = .continued, write: (RawSpan) throws(SystemError) -> Void
  ) throws(SystemError) {
    try bytes.withUnsafeBytes { bytes throws(SystemError) in
      var input = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
      while true {
        var written = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        let rest = ZSTD_compressStream2(
          context, &written, &input, part == .last ? ZSTD_e_end : ZSTD_e_continue)
        // libzstd only fails if memory is short.
        if ZSTD_isError(rest) != 0 { throw SystemError(during: "compress", path: path, code: ENOMEM) }
        try write(UnsafeRawBufferPointer(rebasing: output[..<written.pos]).bytes)
        if part == .last ? rest == 0 : input.pos == input.size { return }
      }
    }
  }
}

/// The settings of a Zstandard compressor.
package struct ZstandardSettings: Sendable {
  /// libzstd's level, up to 22.
  ///
  /// Negative levels are faster and do not compress bytes for which they find no match.
  package let level: Int
  /// The maximum window size in bytes.
  ///
  /// It is the largest window that levels up to 19 use.
  package static let maxWindowSize = 8 << 20

  /// The base-2 logarithm of the window size in bytes.
  ///
  /// For levels up to 19 it is at most 23, which means 8 MiB.
  package let windowLog: Int
  /// The base-2 logarithm of the number of positions that the compressor remembers as possible starts of a
  /// match; nil means the level's own value.
  package let hashLog: Int?
  /// The minimum length of a match in bytes; nil means the level's own value.
  package let minMatch: Int?
  /// Whether libzstd first searches the whole window and the prefix for long matches.
  package let findsLongMatches: Bool

  package init(
    level: Int, windowLog: Int, hashLog: Int? = nil, minMatch: Int? = nil, findsLongMatches: Bool = false
  ) {
    self.level = level
    self.windowLog = windowLog
    self.hashLog = hashLog
    self.minMatch = minMatch
    self.findsLongMatches = findsLongMatches
  }

  fileprivate var parameters: [(ZSTD_cParameter, Int32)] {
    let values = [
      (ZSTD_c_compressionLevel, level), (ZSTD_c_windowLog, windowLog), (ZSTD_c_hashLog, hashLog),
      (ZSTD_c_minMatch, minMatch), (ZSTD_c_enableLongDistanceMatching, findsLongMatches ? 1 : nil),
    ]
    return values.compactMap { parameter, value in value.map { (parameter, Int32($0)) } }
  }
}

/// Compresses `size` bytes into one frame, with old contents as its raw prefix.
///
/// `zstd -d --patch-from` can decompress the frame. `next` appends the next bytes to an empty buffer. `write`
/// receives the compressed output.
///
/// - Throws: an error if memory is short, or the error that `next` or `write` throws.
package func patchFrame(
  ofSize size: Int64, settings: ZstandardSettings, prefix: borrowing ByteBuffer, pathInMessages: String,
  next: (inout ByteBuffer) throws(SystemError) -> Void, write: (RawSpan) throws(SystemError) -> Void
) throws(SystemError) {
  try prefix.withBytes { prefix throws(SystemError) in
    try prefix.withUnsafeBytes { prefix throws(SystemError) in
      var encoder = ZstandardEncoder(settings, pathInMessages: pathInMessages)
      encoder.begin(frameOf: size, prefix: prefix)
      var buffer = ByteBuffer()
      var rest = size
      repeat {
        buffer.clear()
        if rest > 0 { try next(&buffer) }
        rest -= Int64(buffer.count)
        let part: StreamPart = rest == 0 ? .last : .continued
        try buffer.withBytes { bytes throws(SystemError) in
          try encoder.append(bytes, part: part, write: write)
        }
      } while rest > 0
    }
  }
}

func zstandardFrame(of bytes: RawSpan, settings: ZstandardSettings) -> ByteBuffer {
  var encoder = ZstandardEncoder(settings, pathInMessages: "")
  var output = ByteBuffer()
  do { try encoder.append(bytes, part: .last) { output.append($0) } } catch {
    // `write` never throws in this call, so the only possible cause is that libzstd is out of memory.
    ThisProcess.endOutOfMemory()
  }
  return output
}

/// A coding of HTTP bodies (RFC 9110, section 8.4.1); the raw value is its name in headers.
package enum ContentCoding: String, Sendable, CaseIterable {
  case zstd
  case gzip

  /// Returns the number of bytes that `serve` sends for some bytes to clients that accept gzip.
  ///
  /// This is the compressed size, or the original size if that is smaller.
  package static func sentSize(_ bytes: RawSpan) -> Int64 {
    Int64(min(bytes.byteCount, gzip.compressed(bytes).count))
  }

  /// Returns the number of bytes that `serve` sends for an array of bytes to clients that accept gzip.
  package static func sentSize(of bytes: [UInt8]) -> Int64 { sentSize(bytes.span.bytes) }

  /// Returns the bytes in this coding, exactly as `serve` sends them.
  ///
  /// The size of downloads is counted in this coding.
  package func compressed(_ bytes: RawSpan) -> ByteBuffer {
    switch self {
    case .gzip: Deflater.gzip(bytes, level: 9)
    case .zstd: zstandardFrame(of: bytes, settings: ZstandardSettings(level: 12, windowLog: 23))
    }
  }
}
