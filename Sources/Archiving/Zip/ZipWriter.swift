package import System

/// Writes a zip archive from start to end.
///
/// libarchive's writer always compresses the data itself. It does not accept data that other threads have
/// already compressed, and it cannot copy a compressed entry from an older archive.
package struct ZipWriter: ~Copyable, Sendable {
  private var file: OutputFile
  private let modified: ZipTime
  private var header = ByteBuffer(capacity: 512)
  private var centralDirectory = ByteBuffer(capacity: 1 << 16)
  private var entryCount = 0
  /// The entry whose blocks are being written.
  private var open: ZipEntry?

  /// Creates a writer that writes the time `modified` for every entry.
  package init(_ file: consuming OutputFile, modified: ZipTime) {
    self.file = file
    self.modified = modified
  }

  /// Writes a whole entry.
  ///
  /// The bytes of the entry must already be compressed with the method of the entry.
  @discardableResult
  package mutating func append(_ entry: ZipEntry, payload: RawSpan) throws(SystemError) -> ArchivedEntry {
    let entry = try begin(entry, payload: payload)
    try file.write(payload)
    return end(entry)
  }

  /// Writes a whole entry without compression, and adds the entry's bytes to `digest`.
  package mutating func append(
    _ entry: ZipEntry, payload: RawSpan, addingTo digest: inout SHA256
  ) throws(SystemError) -> ArchivedEntry {
    let entry = try begin(entry, payload: payload)
    try file.write(payload, addingTo: &digest)
    return end(entry)
  }

  /// Writes uncompressed bytes as an entry without compression.
  package mutating func append(
    stored name: String, bytes: ByteBuffer, nameEncoding: ZipEntry.NameEncoding = .utf8
  ) throws(SystemError) {
    try bytes.withBytes { bytes throws(SystemError) in
      var checksum = Checksum()
      checksum.update(bytes)
      let size = Int64(bytes.byteCount)
      var entry = ZipEntry(name: name, method: .stored, size: size, compressedSize: size, checksum: checksum)
      entry.nameEncoding = nameEncoding
      try append(entry, payload: bytes)
    }
  }

  /// Writes an entry for a folder.
  package mutating func appendFolder(named name: String) throws(SystemError) {
    try append(ZipEntry(folder: name), payload: RawSpan())
  }

  /// Begins an entry whose bytes follow in blocks.
  package mutating func beginEntry(name: String, method: ZipEntry.Method, size: Int64) throws(SystemError) {
    precondition(open == nil)
    var entry = ZipEntry(name: name, method: method, size: size)
    entry.offset = file.size
    file.pauseDigest()
    try writeLocalHeader(of: entry)
    open = entry
  }

  /// Writes the next bytes of the open entry.
  package mutating func append(block: RawSpan) throws(SystemError) {
    try file.write(block)
    open?.compressedSize += Int64(block.byteCount)
  }

  /// Ends the open entry, and writes its checksum and size into its local header.
  @discardableResult
  package mutating func endEntry(checksum: Checksum) throws(SystemError) -> ArchivedEntry {
    guard var entry = open.take() else { preconditionFailure("an entry ends after it began") }
    entry.checksum = checksum
    header.clear()
    entry.appendLocalHeader(to: &header, modified: modified)
    try header.withBytes { bytes throws(SystemError) in try file.patch(bytes, at: entry.offset) }
    try file.resumeDigest()
    return end(entry)
  }

  /// Writes the central directory, which completes the archive.
  package consuming func finish() throws(SystemError) -> WrittenFile {
    precondition(open == nil)
    let end = ZipEnd(entryCount: entryCount, start: file.size, size: Int64(centralDirectory.count))
    try file.write(centralDirectory)
    header.clear()
    end.append(to: &header)
    try file.write(header)
    return try file.finish(readableBy: .everyone)
  }

  private mutating func begin(_ entry: ZipEntry, payload: RawSpan) throws(SystemError) -> ZipEntry {
    precondition(open == nil && Int64(payload.byteCount) == entry.compressedSize)
    var entry = entry
    entry.offset = file.size
    try writeLocalHeader(of: entry)
    return entry
  }

  private mutating func end(_ entry: ZipEntry) -> ArchivedEntry {
    entry.appendCentralHeader(to: &centralDirectory, modified: modified)
    entryCount += 1
    return entry.archived
  }

  private mutating func writeLocalHeader(of entry: ZipEntry) throws(SystemError) {
    header.clear()
    entry.appendLocalHeader(to: &header, modified: modified)
    try file.write(header)
  }
}
