/// Reads small pieces of a file, most of which stand close behind one another.
package struct FileWindow: ~Copyable {
  private let file: InputFile
  /// Bytes that were read ahead, from `start` on.
  private var bytes: [UInt8] = []
  private var start: Int64 = 0

  /// Bytes that are read at once.
  private static let size = 1 << 16

  package init(_ file: consuming InputFile) {
    self.file = file
  }

  /// Bytes of the file.
  package func fileSize() throws(SystemError) -> Int64 { try file.status().size }

  /// Bytes of an archive's file at the most: places in it can be added up.
  package static let largestFile: Int64 = 1 << 60

  /// Bytes at a place, from 0 on; nil where the file ends before them.
  package mutating func read(_ count: Int, at offset: Int64) throws(SystemError) -> [UInt8]? {
    if offset < start || Int64(count) > Int64(bytes.count) - (offset - start) {
      bytes = try file.bytes(max(count, Self.size), at: offset)
      start = offset
    }
    let index = Int(offset - start)
    guard bytes.count - index >= count else { return nil }
    return Array(bytes[index..<index + count])
  }

  /// The same for a place that nothing else stands close to.
  package func readAlone(_ count: Int, at offset: Int64) throws(SystemError) -> [UInt8]? {
    let bytes = try file.bytes(count, at: offset)
    return bytes.count == count ? bytes : nil
  }
}

// Numbers with their lowest byte first.
extension [UInt8] {
  package func little16(at index: Int) -> UInt16 { UInt16(self[index]) | UInt16(self[index + 1]) << 8 }

  package func little32(at index: Int) -> UInt32 {
    UInt32(little16(at: index)) | UInt32(little16(at: index + 2)) << 16
  }

  package func little64(at index: Int) -> Int64 {
    Int64(bitPattern: UInt64(little32(at: index)) | UInt64(little32(at: index + 4)) << 32)
  }
}
