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
  package static let largestFile: Int64 = 1 << 60

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

// Little-endian numbers.
extension [UInt8] {
  package func little16(at index: Int) -> UInt16 { UInt16(self[index]) | UInt16(self[index + 1]) << 8 }

  package func little32(at index: Int) -> UInt32 {
    UInt32(little16(at: index)) | UInt32(little16(at: index + 2)) << 16
  }

  package func little64(at index: Int) -> Int64 {
    Int64(bitPattern: UInt64(little32(at: index)) | UInt64(little32(at: index + 4)) << 32)
  }
}
