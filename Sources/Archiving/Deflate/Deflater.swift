import CArchive
import CDeflate
import CZlib
import CZstandard
package import System

/// A libdeflate compressor: fast, whole buffers only, one thread at a time.
package struct Deflater: ~Copyable, @unchecked Sendable {
  private let compressor: OpaquePointer

  /// A compressor with one of libdeflate's levels, 0 to 12.
  package init(level: Int) {
    precondition((0...12).contains(level))
    compressor = ThisProcess.allocated(libdeflate_alloc_compressor(Int32(level)))
  }

  deinit { libdeflate_free_compressor(compressor) }

  /// Appends the bytes as one whole deflate stream and returns its size; nothing, and nil, if that exceeds `limit`.
  package mutating func compress(_ bytes: RawSpan, limit: Int, into output: inout ByteBuffer) -> Int? {
    let before = output.count
    let tooLong = output.append(atMost: max(limit, 1)) { space in
      let size = bytes.withUnsafeBytes {
        libdeflate_deflate_compress(compressor, $0.baseAddress, $0.count, space.baseAddress, space.count)
      }
      return size == 0 ? nil : size
    }
    return tooLong ? nil : output.count - before
  }

  /// The bytes as one gzip stream without a name or a time.
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

  /// The largest size in bytes of the deflate stream of `count` bytes.
  package mutating func bound(for count: Int) -> Int { libdeflate_deflate_compress_bound(compressor, count) }
}

/// A damaged stream, with the words of its library.
struct StreamDamage: Error { let reason: String }

/// Unpacks one compressed stream, part by part.
protocol StreamInflater: AnyObject {
  var isAtEnd: Bool { get }
  /// Unpacks some of the input; returns how many bytes were consumed and how many were written.
  func inflate(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(StreamDamage) -> (used: Int, made: Int)
}

/// Unpacks a gzip stream with zlib, which checks the checksum and length at its end.
///
/// Used instead of libarchive's gzip filter, which ignores both.
final class GzipInflater: StreamInflater {
  // A z_stream contains pointers to itself, so its address must not change.
  private let state = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private(set) var isAtEnd = false

  init() {
    state.initialize(to: z_stream())
    // 15 bits of window, plus 16 to expect a gzip header.
    let code = inflateInit2_(state, 31, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    if code == Z_MEM_ERROR { ThisProcess.endForWantOfMemory() }
    precondition(code == Z_OK, "zlib is of another version")
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
    if code == Z_MEM_ERROR { ThisProcess.endForWantOfMemory() }
    guard code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR else {
      throw StreamDamage(reason: state.pointee.msg.map { String(cString: $0) } ?? "it is no gzip stream")
    }
    return (input.count - Int(state.pointee.avail_in), output.count - Int(state.pointee.avail_out))
  }
}

/// The range of a sample in the middle of one of equal parts, each at least as long as a sample.
package func sampleRange<Count: FixedWidthInteger>(
  _ index: Count, of parts: Count, size: Count, in count: Count
) -> Range<Count> {
  let part = count / parts
  let start = part * index + (part - size) / 2
  return start..<start + size
}

extension RawSpan {
  /// How far chi-squared of a sample from the middle exceeds its mean for random bytes, per byte.
  ///
  /// It is 0 for random bytes, 1 if two of the bytes are equal twice as often as two random ones, 255 if all have
  /// one value, and below 0 for bytes more uniform than random ones, such as a ramp. For 256 values chi-squared has
  /// the mean 255 and the standard deviation √510.
  package func chiSquaredExcess(ofMiddle size: Int) -> Float {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 256) { counts in
      counts.initialize(repeating: 0)
      // The sum of the squares of all counts, of which each grows by one at a time.
      var squares: UInt64 = 0
      extracting(sampleRange(0, of: 1, size: size, in: byteCount)).withUnsafeBytes {
        for byte in $0 {
          let count = counts[Int(byte)]
          squares &+= UInt64(2 &* count &+ 1)
          counts[Int(byte)] = count &+ 1
        }
      }
      let chiSquared = Float(squares) * 256 / Float(size) - Float(size)
      return (chiSquared - 255) / Float(size)
    }
  }
}

/// The versions of the libraries that the bytes of a pack depend on.
package var libraryVersions: [(name: String, version: String)] {
  let archive = String(cString: archive_version_string())
  return [
    ("libarchive", String(archive.drop { !$0.isNumber })),
    ("zlib", zlibVersion().map { String(cString: $0) } ?? ""),
    ("zstd", ZSTD_versionString().map { String(cString: $0) } ?? ""),
    ("libdeflate", LIBDEFLATE_VERSION_STRING),
  ]
}
