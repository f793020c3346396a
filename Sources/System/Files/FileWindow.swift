/// Reads small pieces of a file through a read-ahead buffer.
///
/// Most of the pieces are close to each other.
package struct FileWindow: ~Copyable {
  private let file: InputFile
  /// The bytes that were read ahead.
  ///
  /// They begin at the offset `start` of the file.
  private var bytes: [UInt8] = []
  private var start: Int64 = 0

  private static let size = 1 << 16

  package init(_ file: consuming InputFile) { self.file = file }

  /// The size of the file in bytes.
  package func fileSize() throws(SystemError) -> Int64 { try file.status().size }

  /// The maximum size of an archive in bytes.
  ///
  /// With it, sums of offsets within the archive cannot overflow.
  package static let maxFileSize: Int64 = 1 << 60

  /// Reads `count` bytes at an offset.
  ///
  /// The offset must not be negative. Returns nil if the file contains fewer bytes.
  package mutating func read(_ count: Int, at offset: Int64) throws(SystemError) -> [UInt8]? {
    if offset < start || Int64(count) > Int64(bytes.count) - (offset - start) {
      bytes = try file.bytes(count: max(count, Self.size), at: offset)
      start = offset
    }
    let index = Int(offset - start)
    guard bytes.count - index >= count else { return nil }
    return Array(bytes[index..<index + count])
  }

  /// Reads `count` bytes without read-ahead, for an offset that is far from all other offsets.
  ///
  /// The result is nil if the file contains fewer bytes.
  package func readAlone(_ count: Int, at offset: Int64) throws(SystemError) -> [UInt8]? {
    let bytes = try file.bytes(count: count, at: offset)
    return bytes.count == count ? bytes : nil
  }
}
