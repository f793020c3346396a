import CArchive
import CLibrary
package import System

/// Reads an archive of a known format front to back, through libarchive.
package struct ArchiveReader: ~Copyable {
  /// The format of an archive.
  package enum Format: Sendable {
    case zip
    case tarGzip
    case tarZstandard

    /// The format of a file by its first four bytes; nil for any other format.
    package init?(front: [UInt8]) {
      if front.starts(with: [0x50, 0x4b]) {
        self = .zip
      } else if front.starts(with: [0x1f, 0x8b]) {
        self = .tarGzip
      } else if front.starts(with: [0x28, 0xb5, 0x2f, 0xfd]) {
        self = .tarZstandard
      } else {
        return nil
      }
    }
  }

  /// The header of one entry.
  package struct Entry: Sendable {
    /// The path inside the archive: byte for byte from a tar; from a zip composed (NFC) by libarchive.
    package let name: [UInt8]
    /// Whether it is a plain file: no folder, link or device.
    package let isFile: Bool
  }

  private let source: ArchiveSource

  /// The longest name of an entry in bytes, which is the limit of zip.
  package static let longestName = 65_535

  /// Opens an archive, of which at most `mostBytes` unpacked bytes are read, headers included.
  package init(_ file: consuming InputFile, format: Format, mostBytes: Int64) throws(ArchiveError) {
    source = ArchiveSource(file, format, mostBytes: mostBytes)
    try source.open()
  }

  /// The next entry; nil at the end.
  package mutating func nextEntry() throws(ArchiveError) -> Entry? {
    // libarchive converts UTF-8 only to the character set of the thread's locale, which is C by default.
    let before = uselocale(utf8Locale)
    defer { uselocale(before) }
    var entry: OpaquePointer?
    let code = archive_read_next_header(source.archive, &entry)
    if code == ARCHIVE_EOF {
      try source.checkEnd()
      return nil
    }
    guard code == ARCHIVE_OK, let entry else { throw source.failure() }
    guard let name = archive_entry_pathname(entry) else { throw source.failure("an entry has no name") }
    let isFile = archive_entry_filetype(entry) == S_IFREG && archive_entry_hardlink(entry) == nil
    let length = strlen(name)
    if length > Self.longestName {
      throw source.failure("an entry has a name of \(length) bytes; expected at most \(Self.longestName)")
    }
    return Entry(name: Array(UnsafeRawBufferPointer(start: name, count: length)), isFile: isFile)
  }

  /// Calls `body` with the entry's bytes, block by block, until the end or until it returns false.
  package mutating func readBlocks(_ body: (RawSpan) -> Bool) throws(ArchiveError) {
    var done: Int64 = 0
    while true {
      var block: UnsafeRawPointer?
      var count = 0
      var offset: la_int64_t = 0
      let code = archive_read_data_block(source.archive, &block, &count, &offset)
      if code == ARCHIVE_EOF { return }
      guard code == ARCHIVE_OK else { throw source.failure() }
      if offset != done { throw source.failure("an entry has holes") }
      done += Int64(count)
      guard let block, count > 0 else { continue }
      if !body(RawSpan(_unsafeStart: block, byteCount: count)) { return }
    }
  }
}

/// A UTF-8 locale; none if the system has none.
nonisolated(unsafe) private let utf8Locale = (["C.UTF-8", "C.utf8", "en_US.UTF-8"] as [String]).lazy
  .compactMap { newlocale(LC_CTYPE_MASK, $0, nil) }.first
