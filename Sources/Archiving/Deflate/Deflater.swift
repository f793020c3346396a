import CDeflate
package import System

/// A compressor that uses libdeflate, which is fast but needs the whole input in one buffer.
///
/// Only one thread can use it at a time.
package struct Deflater: ~Copyable, @unchecked Sendable {
  private let compressor: OpaquePointer

  /// Creates a compressor with one of libdeflate's levels, from 0 to 12.
  package init(level: Int) {
    precondition((0...12).contains(level))
    compressor = ThisProcess.allocated(libdeflate_alloc_compressor(Int32(level)))
  }

  deinit { libdeflate_free_compressor(compressor) }

  /// Appends the bytes as one complete deflate stream and returns its size.
  ///
  /// If the stream would exceed `maxCompressedSize`, nothing is appended and nil is returned.
  package mutating func compress(_ bytes: RawSpan, maxCompressedSize: Int, into output: inout ByteBuffer)
    -> Int?
  {
    let before = output.count
    let tooLong = output.append(atMost: max(maxCompressedSize, 1)) { space in
      let size = bytes.withUnsafeBytes {
        libdeflate_deflate_compress(compressor, $0.baseAddress, $0.count, space.baseAddress, space.count)
      }
      return size == 0 ? nil : size
    }
    return tooLong ? nil : output.count - before
  }

  /// Returns the bytes as one gzip stream whose header has no file name and no time.
  package static func gzip(_ bytes: RawSpan, level: Int) -> ByteBuffer {
    let deflater = Deflater(level: level)
    var output = ByteBuffer()
    let isShort = output.append(atMost: libdeflate_gzip_compress_bound(deflater.compressor, bytes.byteCount))
    { space in
      bytes.withUnsafeBytes {
        libdeflate_gzip_compress(
          deflater.compressor, $0.baseAddress, $0.count, space.baseAddress, space.count)
      }
    }
    precondition(!isShort, "a stream exceeds its bound")
    return output
  }

  /// Returns the maximum size in bytes of a deflate stream for `count` bytes.
  package mutating func bound(for count: Int) -> Int { libdeflate_deflate_compress_bound(compressor, count) }
}
