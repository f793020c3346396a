package import System

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
    case .zstd: zstandardFrame(of: bytes, ZstandardSettings(level: 12, windowLog: 23))
    }
  }
}
