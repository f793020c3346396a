import System

/// Reads a compressed tar archive and accepts it only if TarWriter could have written it.
///
/// There must be one compressed stream with nothing after it, and the expected entries in order. Each header
/// must be byte for byte as TarWriter writes it. Padding must be zeros, and two zero blocks must be at the
/// end.
///
/// The reader does not use libarchive, because programs disagree about headers that no build writes. An
/// example is a pax header that gives another name or size to all entries after it.
package struct StrictTarReader: ~Copyable {
  private let source: ArchiveSource
  /// The decompressed bytes that have not been consumed.
  ///
  /// They are valid until the next block is decompressed.
  private var unpacked = UnsafeRawBufferPointer(start: nil, count: 0)
  /// The time of the first entry.
  ///
  /// All other entries must have the same time.
  private var time: TarHeader.Time?
  private var left: Int64 = 0
  /// The number of padding bytes after the entry.
  private var paddingSize = 0

  /// Opens an archive by its path.
  package init(_ path: String, format: ArchiveReader.Format) throws(ArchiveFormatError) {
    (source, unpacked) = try Self.firstBlock(of: path, format: format)
  }

  /// Opens an archive and returns its first decompressed bytes.
  ///
  /// A damaged stream is thus reported as a mistake of the archive, and not as a mistake of the first entry.
  private static func firstBlock(
    of path: String, format: ArchiveReader.Format
  ) throws(ArchiveFormatError) -> (ArchiveSource, UnsafeRawBufferPointer) {
    let (mistake, source) = try ArchiveFormatError.reading { () throws(SystemError) in
      (
        try format.tarCompression?.mistake(in: InputFile(path)),
        ArchiveSource(try InputFile(path), format: format, maxUncompressedBytes: .max)
      )
    }
    if let mistake { throw ArchiveFormatError(mistake) }
    return (source, try ArchiveFormatError.unpacking { () throws(ArchiveError) in try source.nextBlock() })
  }

  /// Begins the next entry, which must be a file with this name and size.
  package mutating func beginEntry(name: ArraySlice<UInt8>, size: Int64) throws(ArchiveFormatError) {
    if name.count > TarHeader.maxNameSize { try readLongName(name) }
    let found = try read(TarHeader.blockSize)
    let time = time ?? Array(found[TarHeader.timeField])
    let header = TarHeader(name: name, size: size, time: time)
    guard found == header.bytes, time.allSatisfy(isOctalDigit) else {
      throw ArchiveFormatError(Self.reason(found: found, expected: header))
    }
    self.time = time
    left = size
    paddingSize = TarHeader.paddingSize(after: size)
  }

  /// Calls `body` with the entry's bytes, block by block, until the entry ends or `body` returns false.
  package mutating func readBlocks(_ body: (RawSpan) -> Bool) throws(ArchiveFormatError) {
    while left > 0 {
      if unpacked.isEmpty, try !fill() {
        throw ArchiveFormatError("the archive ends in the middle of this file")
      }
      let block = UnsafeRawBufferPointer(rebasing: unpacked.prefix(Int(clamping: left)))
      left -= Int64(block.count)
      unpacked = UnsafeRawBufferPointer(rebasing: unpacked[block.count...])
      if !body(block.bytes) { return }
    }
    try skipZeros(paddingSize)
  }

  /// Checks that the archive ends after the last entry, and that the file ends after the archive.
  package mutating func finish() throws(ArchiveFormatError) {
    let end = try read(2 * TarHeader.blockSize)
    if !end.allSatisfy({ $0 == 0 }) {
      throw ArchiveFormatError("the archive has more entries than the contents list")
    }
    let hasMore = try unpacked.isEmpty ? fill() : true
    if hasMore { throw ArchiveFormatError("there are bytes after the end of the tar archive") }
    try ArchiveFormatError.unpacking { () throws(ArchiveError) in try source.checkEnd() }
  }
}

// Reading from the decompressed stream.
extension StrictTarReader {
  private mutating func readLongName(_ name: ArraySlice<UInt8>) throws(ArchiveFormatError) {
    let header = TarHeader(longName: name.count)
    let found = try read(TarHeader.blockSize)
    if found != header.bytes { throw ArchiveFormatError(Self.reason(found: found, expected: header)) }
    let text = try read(name.count + 1)
    if text.dropLast() != name || text.last != 0 { throw ArchiveFormatError(Self.otherName) }
    try skipZeros(TarHeader.paddingSize(after: Int64(text.count)))
  }

  private mutating func skipZeros(_ count: Int) throws(ArchiveFormatError) {
    if try !read(count).allSatisfy({ $0 == 0 }) {
      throw ArchiveFormatError("the padding after a file contains bytes other than zero")
    }
  }

  private mutating func read(_ count: Int) throws(ArchiveFormatError) -> [UInt8] {
    var taken: [UInt8] = []
    while taken.count < count {
      if unpacked.isEmpty, try !fill() { throw ArchiveFormatError("the archive is truncated") }
      let part = unpacked.prefix(count - taken.count)
      taken += part
      unpacked = UnsafeRawBufferPointer(rebasing: unpacked[part.endIndex...])
    }
    return taken
  }

  private mutating func fill() throws(ArchiveFormatError) -> Bool {
    unpacked = try ArchiveFormatError.unpacking { () throws(ArchiveError) in try source.nextBlock() }
    return !unpacked.isEmpty
  }

  private static let otherName = "the archive has an entry with another name here"

  private static func reason(found: [UInt8], expected header: TarHeader) -> String {
    func differs(_ field: Range<Int>) -> Bool { found[field] != header.bytes[field] }
    if found.allSatisfy({ $0 == 0 }) { return "the archive ends before this entry" }
    if differs(TarHeader.typeField) { return "the archive has an entry of another type here" }
    if differs(TarHeader.nameField) { return otherName }
    if differs(TarHeader.sizeField) {
      return "the size in the tar header is not the size in the contents list"
    }
    if differs(TarHeader.timeField) { return "the time in the tar header is not a time that packtool writes" }
    return "the tar header is not a header that packtool writes"
  }
}

private func isOctalDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(byte) }
