/// Reads small pieces of a file, most of them close after one another, through a read-ahead buffer.
package struct FileWindow: ~Copyable {
  private let file: InputFile
  /// Bytes that were read ahead, from the offset `start` on.
  private var bytes: [UInt8] = []
  private var start: Int64 = 0

  private static let size = 1 << 16

  package init(_ file: consuming InputFile) { self.file = file }

  /// Bytes of the file.
  package func fileSize() throws(SystemError) -> Int64 { try file.status().size }

  /// The largest archive in bytes: sums of offsets within it cannot overflow.
  package static let maxFileSize: Int64 = 1 << 60

  /// Bytes at an offset from 0 on; nil if the file ends before them.
  package mutating func read(_ count: Int, at offset: Int64) throws(SystemError) -> [UInt8]? {
    if offset < start || Int64(count) > Int64(bytes.count) - (offset - start) {
      bytes = try file.bytes(max(count, Self.size), at: offset)
      start = offset
    }
    let index = Int(offset - start)
    guard bytes.count - index >= count else { return nil }
    return Array(bytes[index..<index + count])
  }

  /// The same without read-ahead, for an offset far from all others.
  package func readAlone(_ count: Int, at offset: Int64) throws(SystemError) -> [UInt8]? {
    let bytes = try file.bytes(count, at: offset)
    return bytes.count == count ? bytes : nil
  }
}
