#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import CZstandard
package import System

/// Compresses a stream into one Zstandard frame, by libzstd.
///
/// libarchive's filter for it takes no window.
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

  /// Makes old contents the prefix of the frame of `size` bytes, as `zstd --patch-from` does.
  ///
  /// The prefix must outlast the frame.
  fileprivate func begin(frameOf size: Int64, prefix: UnsafeRawBufferPointer) {
    var code = ZSTD_CCtx_setPledgedSrcSize(context, UInt64(size))
    precondition(ZSTD_isError(code) == 0, "a frame is begun before its bytes")
    code = ZSTD_CCtx_refPrefix(context, prefix.baseAddress, prefix.count)
    precondition(ZSTD_isError(code) == 0, "a prefix is set before the frame's bytes")
  }

  /// Compresses bytes, the last ones with the end of the frame, and hands on what has come out; throws if
  /// memory is short, or what `write` throws.
  mutating func append(
    _ bytes: RawSpan, part: StreamPart = .continued, write: (RawSpan) throws(SystemError) -> Void
  ) throws(SystemError) {
    try bytes.withUnsafeBytes { bytes throws(SystemError) in
      var input = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
      while true {
        var written = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        let rest = ZSTD_compressStream2(
          context, &written, &input, part == .last ? ZSTD_e_end : ZSTD_e_continue)
        // libzstd fails for want of memory alone.
        if ZSTD_isError(rest) != 0 { throw SystemError(during: "compress", path: path, code: ENOMEM) }
        try write(UnsafeRawBufferPointer(rebasing: output[..<written.pos]).bytes)
        if part == .last ? rest == 0 : input.pos == input.size { return }
      }
    }
  }
}

/// How Zstandard compresses.
package struct ZstandardSettings: Sendable {
  /// libzstd's level, up to 22; at those below 0, which are faster, bytes without a match are not compressed.
  package let level: Int
  /// The largest window in bytes: that of levels up to 19.
  package static let maxWindowSize = 8 << 20

  /// How far behind it a match may be, as the exponent of two; the largest for levels to 19 is 23, for 8 MiB.
  package let windowLog: Int
  /// The number of places where a match may begin, as the exponent of two; nil takes the level's own.
  package let hashLog: Int?
  /// The fewest bytes of a match; nil takes the level's own.
  package let minMatch: Int?
  /// Whether long matches are looked for first, anywhere in the window and the prefix.
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

/// Compresses `size` bytes into one frame, of which old contents are the raw prefix: `zstd -d --patch-from` reads it.
///
/// `next` appends the next bytes to the empty buffer; `write` takes what has come out.
///
/// - Throws: if memory is short, or what `next` and `write` throw.
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
  // Only `write` could fail: memory is short alone, which ends the process.
  try? encoder.append(bytes, part: .last) { output.append($0) }
  return output
}

/// A coding of HTTP bodies (RFC 9110, section 8.4.1); the raw value is its name in headers.
package enum ContentCoding: String, Sendable, CaseIterable {
  case zstd
  case gzip

  /// Bytes of a text as `serve` sends it to whoever takes gzip, which is as it is where that is shorter.
  package static func sentSize(_ bytes: RawSpan) -> Int64 {
    Int64(min(bytes.byteCount, gzip.compressed(bytes).count))
  }

  /// The same of an array.
  package static func sentSize(of bytes: [UInt8]) -> Int64 { sentSize(bytes.span.bytes) }

  /// The bytes in this coding, as `serve` sends them and as downloads are counted.
  package func compressed(_ bytes: RawSpan) -> ByteBuffer {
    switch self {
    case .gzip: Deflater.gzip(bytes, level: 9)
    case .zstd: zstandardFrame(of: bytes, settings: ZstandardSettings(level: 12, windowLog: 23))
    }
  }
}
