import System

/// The form of the compressed stream around a tar archive, as TarWriter has it made.
///
/// Our own beside libarchive, which reads what others do not: of several streams behind one another Python's readers
/// of Zstandard take the first only, and what stands in a gzip header or in a frame to be skipped is seen by nobody.
enum CompressedForm {
  /// What breaks the form, in words; what is no such stream at all is told by whoever unpacks it.
  static func mistake(
    in file: borrowing InputFile, _ format: ArchiveReader.Format
  ) throws(SystemError) -> String? {
    switch format {
    case .zip: nil
    case .tarGzip: try gzipMistake(in: file)
    case .tarZstandard: try zstandardMistake(in: file)
    }
  }

  /// RFC 1952: no time, name, comment or further fields.
  private static func gzipMistake(in file: borrowing InputFile) throws(SystemError) -> String? {
    let header = try file.bytes(10, at: 0)
    guard header.count == 10, header.starts(with: [0x1f, 0x8b, 8]) else { return nil }
    return header[3..<8].allSatisfy { $0 == 0 } ? nil : "its gzip header has more than packtool writes"
  }

  /// RFC 8878: one frame without a dictionary, and nothing in front of or behind it.
  private static func zstandardMistake(in file: borrowing InputFile) throws(SystemError) -> String? {
    let header = try file.bytes(5, at: 0)
    guard header.count == 5, header.starts(with: [0x28, 0xb5, 0x2f, 0xfd]) else {
      return "it does not begin with a Zstandard frame"
    }
    let flags = header[4]
    if flags & 3 != 0 { return "its Zstandard frame needs a dictionary" }
    let isSingle = flags & 0x20 != 0
    // By two bits of the flags: bytes of the field that says how much is in the frame.
    let sizeBytes: [Int64] = [isSingle ? 1 : 0, 2, 4, 8]
    var position = 5 + (isSingle ? 0 : 1) + sizeBytes[Int(flags >> 6)]
    let end = try file.status().size
    while position < end {
      let block = try file.bytes(3, at: position)
      guard block.count == 3 else { return "its Zstandard frame is cut off" }
      let number = Int64(block[0]) | Int64(block[1]) << 8 | Int64(block[2]) << 16
      // One byte stands for all of a block that repeats it.
      position += 3 + (number >> 1 & 3 == 1 ? 1 : number >> 3)
      if number & 1 == 1 {
        position += flags & 4 == 0 ? 0 : 4
        if position == end { return nil }
        return position < end ? "bytes stand behind its Zstandard frame" : "its Zstandard frame is cut off"
      }
    }
    return "its Zstandard frame is cut off"
  }
}
