package import System

/// Checks that a zip archive has exactly the structure that ZipWriter writes.
///
/// The entries must be contiguous from the first byte on, and each local header must match the central
/// directory. No other bytes are allowed before, between or after them.
///
/// This check is needed in addition to libarchive. libarchive reads names from local headers, but most
/// programs read names from the directory. libarchive also ignores bytes between entries, and loads as many
/// entries as the directory claims.
package struct StrictZipReader: ~Copyable {
  /// The name and size that an entry must have.
  package struct Expected: Sendable {
    /// The name in UTF-8.
    let name: ArraySlice<UInt8>
    /// The uncompressed size in bytes; nil if any size is accepted.
    let size: Int64?

    package init(name: ArraySlice<UInt8>, size: Int64?) {
      self.name = name
      self.size = size
    }
  }

  private var file: FileWindow
  private var fileSize: Int64 = 0
  private var made = ByteBuffer()

  private static let endSize = Int64(ZipFields.endSize)
  private static let zip64EndSize: Int64 = 76

  package init(_ file: consuming InputFile) { self.file = FileWindow(file) }

  /// Checks that the archive has this structure and contains the expected entries in order.
  ///
  /// Returns the location of each entry's bytes.
  @discardableResult
  package mutating func checkEntries(count: Int, expected: (Int) -> Expected) throws(ArchiveFormatError)
    -> [ArchivedEntry]
  {
    fileSize = try ArchiveFormatError.reading { () throws(SystemError) in try file.fileSize() }
    let directory = try findDirectory(count: count)
    var dataEnd: Int64 = 0
    var position = directory.lowerBound
    var modified: ZipTime?
    var entries: [ArchivedEntry] = []
    for number in 0..<count {
      let (entry, time) = try readEntry(at: position, number: number, expected: expected(number))
      if entry.offset != dataEnd {
        throw ArchiveFormatError("this entry does not begin where the previous entry ends", entry: number)
      }
      guard modified == nil || modified == time else {
        throw ArchiveFormatError("the entry's time is not the time of the other entries", entry: number)
      }
      modified = time
      position += try checkHeaders(of: entry, number: number, at: position, time: time)
      dataEnd = entry.offset + entry.localHeaderSize
      guard entry.compressedSize >= 0, entry.compressedSize <= directory.lowerBound - dataEnd else {
        throw ArchiveFormatError("the entry's data overlaps the zip directory", entry: number)
      }
      dataEnd += entry.compressedSize
      entries.append(entry.archived)
    }
    if dataEnd != directory.lowerBound {
      throw ArchiveFormatError("there are bytes between the entries and the zip directory")
    }
    if position != directory.upperBound {
      throw ArchiveFormatError("the zip directory has more entries than the contents list")
    }
    return entries
  }

  /// Returns the bytes of the first entry if the entry is stored without compression and has this name; nil
  /// if the entry has another name or exceeds the limit.
  package mutating func firstEntry(named name: String, limit: Int) throws(ArchiveFormatError) -> [UInt8]? {
    let fixed = try bytes(at: 0, count: 30)
    let (size, nameSize, extraSize) = (fixed.little32(at: 18), fixed.little16(at: 26), fixed.little16(at: 28))
    guard fixed[0..<4] == [0x50, 0x4b, 3, 4], fixed.little16(at: 8) == ZipEntry.Method.stored.rawValue,
      size <= limit, try bytes(at: 30, count: Int(nameSize)) == Array(name.utf8)
    else { return nil }
    return try bytes(at: 30 + Int64(nameSize) + Int64(extraSize), count: Int(size))
  }

  /// Returns the range of the central directory, read from the end records.
  ///
  /// The end records must be exactly the records that ZipWriter writes for this directory.
  private mutating func findDirectory(count: Int) throws(ArchiveFormatError) -> Range<Int64> {
    let damage = ArchiveFormatError("the zip's end records are damaged, or there are bytes after them")
    guard (Self.endSize...FileWindow.maxFileSize).contains(fileSize) else { throw damage }
    let end = try bytes(at: fileSize - Self.endSize, count: Int(Self.endSize))
    var (size, start) = (Int64(end.little32(at: 12)), Int64(end.little32(at: 16)))
    let isLong = ZipEnd(entryCount: Int(end.little16(at: 10)), start: start, size: size).isLong
    if isLong {
      guard fileSize >= Self.endSize + Self.zip64EndSize else { throw damage }
      let record = try bytes(at: fileSize - Self.endSize - Self.zip64EndSize, count: Int(Self.zip64EndSize))
      (size, start) = (record.little64(at: 40), record.little64(at: 48))
    }
    guard size >= 0, start >= 0, start <= fileSize - size else { throw damage }
    if end[0..<4] == [0x50, 0x4b, 5, 6], !isLong, Int(end.little16(at: 10)) != count {
      throw ArchiveFormatError(
        "the zip directory has \(end.little16(at: 10)) entries, but the list has \(count)")
    }
    made.clear()
    ZipEnd(entryCount: count, start: start, size: size).append(to: &made)
    guard start + size == fileSize - Int64(made.count) else { throw damage }
    if try bytes(at: start + size, count: made.count) != made.array() { throw damage }
    return start..<start + size
  }

  /// Reads an entry of the directory and checks that it has the expected name and size.
  private mutating func readEntry(
    at position: Int64, number: Int, expected: Expected
  ) throws(ArchiveFormatError) -> (ZipEntry, ZipTime) {
    let fixed = try bytes(at: position, count: ZipFields.centralHeaderSize)
    let name = try bytes(
      at: position + Int64(ZipFields.centralHeaderSize), count: Int(fixed.little16(at: 28)))
    guard name[...] == expected.name else {
      throw ArchiveFormatError("the zip directory has another name here", entry: number)
    }
    let extra = try bytes(
      at: position + Int64(ZipFields.centralHeaderSize + name.count), count: Int(fixed.little16(at: 30)))
    guard let method = ZipEntry.Method(rawValue: fixed.little16(at: 10)) else {
      throw ArchiveFormatError("the entry is neither stored nor deflated", entry: number)
    }
    let sizes = (size: Int64(fixed.little32(at: 24)), compressed: Int64(fixed.little32(at: 20)))
    let isLong = sizes.size == ZipFields.limit32 && sizes.compressed == ZipFields.limit32 && extra.count >= 20
    var entry = ZipEntry(
      name: String(decoding: name, as: UTF8.self), method: method,
      size: isLong ? extra.little64(at: 4) : sizes.size,
      compressedSize: isLong ? extra.little64(at: 12) : sizes.compressed,
      checksum: Checksum(value: fixed.little32(at: 16)))
    entry.hasLongSizes = isLong
    entry.offset = Int64(fixed.little32(at: 42))
    if entry.offset == ZipFields.limit32, extra.count >= 12 {
      entry.offset = extra.little64(at: extra.count - 8)
    }
    if let size = expected.size, entry.size != size {
      throw ArchiveFormatError("its size in the zip directory is \(entry.size) bytes", entry: number)
    }
    // libarchive does not check the checksum of an empty file, but all other readers check it.
    if entry.size == 0 && entry.checksum.value != 0 {
      throw ArchiveFormatError("the entry is empty, but its CRC-32 is not 0", entry: number)
    }
    return (entry, ZipTime(date: fixed.little16(at: 14), time: fixed.little16(at: 12)))
  }

  /// Compares both headers with the headers that ZipWriter writes.
  ///
  /// Returns the size in bytes of the header in the directory.
  private mutating func checkHeaders(
    of entry: ZipEntry, number: Int, at position: Int64, time: ZipTime
  ) throws(ArchiveFormatError) -> Int64 {
    made.clear()
    entry.appendCentralHeader(to: &made, modified: time)
    let size = made.count
    if try bytes(at: position, count: size) != made.array() {
      throw ArchiveFormatError(
        "its entry in the zip directory is not one that packtool writes", entry: number)
    }
    made.clear()
    entry.appendLocalHeader(to: &made, modified: time)
    if try header(at: entry.offset, count: made.count) != made.array() {
      throw ArchiveFormatError("its local header differs from its entry in the zip directory", entry: number)
    }
    return Int64(size)
  }
}

// Reading from the archive.
extension StrictZipReader {
  /// Returns bytes of the directory or of the records after it.
  private mutating func bytes(at offset: Int64, count: Int) throws(ArchiveFormatError) -> [UInt8] {
    let found = try ArchiveFormatError.reading { () throws(SystemError) in try file.read(count, at: offset) }
    guard let found else { throw ArchiveFormatError("the file ends before the end of the zip directory") }
    return found
  }

  private func header(at offset: Int64, count: Int) throws(ArchiveFormatError) -> [UInt8]? {
    try ArchiveFormatError.reading { () throws(SystemError) in try file.readAlone(count, at: offset) }
  }
}
