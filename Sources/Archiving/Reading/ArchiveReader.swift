import CArchive
#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
package import System

/// Reads an archive of a known format from start to end, using libarchive.
package struct ArchiveReader: ~Copyable {
  package enum Format: Sendable, Hashable {
    case zip
    case tar(TarCompression)

    /// Detects the format of a file from its first bytes; nil for any other format.
    package init?(of file: borrowing InputFile) throws(SystemError) {
      let front = try file.bytes(count: TarCompression.maxMarkEnd, at: 0)
      if front.starts(with: [0x50, 0x4b]) {
        self = .zip
      } else if let compression = TarCompression(ofFileBeginningWith: front) {
        self = .tar(compression)
      } else {
        return nil
      }
    }

    /// The compression of a tar; nil for other formats.
    var tarCompression: TarCompression? {
      if case .tar(let compression) = self { compression } else { nil }
    }
  }

  /// The header of one entry.
  package struct Entry: Sendable {
    /// The path inside the archive.
    ///
    /// The path from a tar archive is unchanged. libarchive converts the path from a zip archive to Unicode
    /// form NFC.
    package let name: [UInt8]
    /// Whether the entry is a plain file, not a folder, link or device.
    package let isFile: Bool
  }

  private let source: ArchiveSource

  /// The maximum length of an entry's name in bytes, which is the limit of the zip format.
  package static let maxNameSize = 65_535

  /// Opens an archive.
  ///
  /// At most `maxUncompressedBytes` uncompressed bytes are read from it, including headers.
  package init(_ file: consuming InputFile, format: Format, maxUncompressedBytes: Int64) throws(ArchiveError)
  {
    source = ArchiveSource(file, format: format, maxUncompressedBytes: maxUncompressedBytes)
    try source.open()
  }

  /// Returns the next entry; nil at the end.
  package mutating func nextEntry() throws(ArchiveError) -> Entry? {
    // libarchive converts UTF-8 only to the character set of the thread's locale. The default locale is C.
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
    if length > Self.maxNameSize {
      throw source.failure("the name of an entry has \(length) bytes; expected at most \(Self.maxNameSize)")
    }
    return Entry(name: Array(UnsafeRawBufferPointer(start: name, count: length)), isFile: isFile)
  }

  /// Calls `body` with the entry's bytes, block by block, until the entry ends or `body` returns false.
  package mutating func readBlocks(_ body: (RawSpan) -> Bool) throws(ArchiveError) {
    var done: Int64 = 0
    while true {
      var block: UnsafeRawPointer?
      var count = 0
      var offset: la_int64_t = 0
      let code = archive_read_data_block(source.archive, &block, &count, &offset)
      if code == ARCHIVE_EOF { return }
      guard code == ARCHIVE_OK else { throw source.failure() }
      if offset != done { throw source.failure("an entry is a sparse file") }
      done += Int64(count)
      guard let block, count > 0 else { continue }
      if !body(RawSpan(_unsafeStart: block, byteCount: count)) { return }
    }
  }
}

/// A UTF-8 locale; nil if the system has none.
nonisolated(unsafe) private let utf8Locale = (["C.UTF-8", "C.utf8", "en_US.UTF-8"] as [String]).lazy
  .compactMap { newlocale(LC_CTYPE_MASK, $0, nil) }.first

/// The reason why an archive does not have the format that packtool writes.
package struct ArchiveFormatError: Error {
  /// The index of the entry in a zip; nil if the archive as a whole is wrong.
  package var entry: Int?
  package let reason: String
  /// The system's error if the file could not be read; nil if the archive itself is wrong.
  package let cause: SystemError?

  package init(_ reason: String, entry: Int? = nil, cause: SystemError? = nil) {
    self.entry = entry
    self.reason = reason
    self.cause = cause
  }

  /// Creates the error for a file that the system failed to read.
  package init(_ cause: SystemError) { self.init(cause.reason, cause: cause) }

  init(_ error: ArchiveError) {
    self.init("the archive cannot be read completely: \(error.reason)", cause: error.cause)
  }

  /// Returns the result of reading the file, and converts an error of the system to an `ArchiveFormatError`.
  static func reading<Value>(_ read: () throws(SystemError) -> Value) throws(ArchiveFormatError) -> Value {
    do throws(SystemError) { return try read() } catch { throw ArchiveFormatError(error) }
  }

  /// Returns the result of reading with libarchive, and converts its error to an `ArchiveFormatError`.
  static func unpacking<Value>(_ read: () throws(ArchiveError) -> Value) throws(ArchiveFormatError) -> Value {
    do throws(ArchiveError) { return try read() } catch { throw ArchiveFormatError(error) }
  }
}
