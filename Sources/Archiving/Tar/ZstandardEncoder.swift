import CZstandard
import Glibc
import System

/// Compresses a stream into one Zstandard frame, by libzstd.
///
/// libarchive's filter for it takes no window.
struct ZstandardEncoder: ~Copyable {
  private let context: OpaquePointer
  private let output: UnsafeMutableRawBufferPointer
  /// The archive, as the user would recognise it.
  private let path: String

  init(_ settings: ZstandardSettings, path: String) {
    self.path = path
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

  /// Compresses bytes, the last ones with the end of the frame, and hands on what has come out.
  ///
  /// - Throws: if memory is short, or what `write` throws.
  mutating func append(
    _ bytes: RawSpan, isLast: Bool = false, _ write: (RawSpan) throws(SystemError) -> Void
  ) throws(SystemError) {
    try bytes.withUnsafeBytes { bytes throws(SystemError) in
      var input = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
      while true {
        var written = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        let rest = ZSTD_compressStream2(context, &written, &input, isLast ? ZSTD_e_end : ZSTD_e_continue)
        // libzstd fails for want of memory alone.
        if ZSTD_isError(rest) != 0 { throw SystemError("compress", path, code: ENOMEM) }
        try write(UnsafeRawBufferPointer(rebasing: output[..<written.pos]).bytes)
        if isLast ? rest == 0 : input.pos == input.size { return }
      }
    }
  }
}

/// How Zstandard compresses.
package struct ZstandardSettings: Sendable {
  /// libzstd's level, up to 22; at those below 0, which are faster, bytes without a match are not compressed.
  package let level: Int
  /// How far behind it a match may be, as the exponent of two; the largest for levels to 19 is 23, for 8 MiB.
  package let windowLog: Int
  /// The number of places where a match may begin, as the exponent of two; nil takes the level's own.
  package let hashLog: Int?
  /// The fewest bytes of a match; nil takes the level's own.
  package let minMatch: Int?

  package init(level: Int, windowLog: Int, hashLog: Int? = nil, minMatch: Int? = nil) {
    self.level = level
    self.windowLog = windowLog
    self.hashLog = hashLog
    self.minMatch = minMatch
  }

  fileprivate var parameters: [(ZSTD_cParameter, Int32)] {
    let values = [
      (ZSTD_c_compressionLevel, level), (ZSTD_c_windowLog, windowLog), (ZSTD_c_hashLog, hashLog),
      (ZSTD_c_minMatch, minMatch),
    ]
    return values.compactMap { parameter, value in value.map { (parameter, Int32($0)) } }
  }
}
