import System

extension ArchiveReader.Format {
  /// The mistake in the compressed stream around a tar archive, which has to be as TarWriter makes it; a stream of
  /// another format is left for the decompressor to report.
  ///
  /// Checked in addition to libarchive, which accepts more than other programs: of several concatenated streams
  /// Python's Zstandard readers read the first only, and no program shows the content of a gzip header or of a
  /// skippable frame.
  func mistake(in file: borrowing InputFile) throws(SystemError) -> String? {
    switch self {
    case .zip: nil
    case .tarGzip: try Self.gzipMistake(in: file)
    case .tarZstandard: try Self.zstandardMistake(in: file)
    }
  }

  /// RFC 1952: no time, name, comment or further fields.
  private static func gzipMistake(in file: borrowing InputFile) throws(SystemError) -> String? {
    let header = try file.bytes(10, at: 0)
    guard header.count == 10, header.starts(with: [0x1f, 0x8b, 8]) else { return nil }
    return header[3..<8].allSatisfy { $0 == 0 } ? nil : "its gzip header has more than packtool writes"
  }

  /// RFC 8878: one frame without a dictionary, and nothing before or after it.
  private static func zstandardMistake(in file: borrowing InputFile) throws(SystemError) -> String? {
    let header = try file.bytes(5, at: 0)
    guard header.count == 5, header.starts(with: [0x28, 0xb5, 0x2f, 0xfd]) else {
      return "it does not begin with a Zstandard frame"
    }
    let flags = header[4]
    if flags & 3 != 0 { return "its Zstandard frame needs a dictionary" }
    let isSingle = flags & 0x20 != 0
    // The size in bytes of the field Frame_Content_Size, by two bits of the descriptor.
    let sizeBytes: [Int64] = [isSingle ? 1 : 0, 2, 4, 8]
    var position = 5 + (isSingle ? 0 : 1) + sizeBytes[Int(flags >> 6)]
    let end = try file.status().size
    while position < end {
      let block = try file.bytes(3, at: position)
      guard block.count == 3 else { return "its Zstandard frame is cut off" }
      let number = Int64(block[0]) | Int64(block[1]) << 8 | Int64(block[2]) << 16
      // An RLE block has one byte of data.
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
