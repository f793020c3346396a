import CArchive
#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
package import System

/// Reads an archive of a known format from start to end, using libarchive.
package struct ArchiveReader: ~Copyable {
  package enum Format: Sendable {
    case zip
    case tarGzip
    case tarZstandard

    /// Detects the format of a file from its first bytes; nil for any other format.
    package init?(of file: borrowing InputFile) throws(SystemError) {
      let front = try file.bytes(count: 4, at: 0)
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

    /// Whether the format is a compressed tar.
    var isTar: Bool {
      switch self {
      case .zip: false
      case .tarGzip, .tarZstandard: true
      }
    }

    /// Returns the decompressor for the stream around a tar; nil if libarchive reads the file's own bytes.
    func inflater() -> (any StreamInflater)? {
      switch self {
      case .zip: nil
      case .tarGzip: GzipInflater()
      case .tarZstandard: ZstandardInflater()
      }
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

/// The error of a failed call of libarchive, with the library's message.
package struct ArchiveError: Error, Hashable, CustomStringConvertible {
  /// The attempted action as a verb, such as "write".
  package let action: String
  /// The path of the archive, as messages show it.
  package let path: String
  package let reason: String
  /// The system's error if the file could not be read or written; nil if the archive itself is wrong.
  package let cause: SystemError?

  package init(action: String, path: String, reason: String, cause: SystemError? = nil) {
    self.action = action
    self.path = path
    self.reason = reason
    self.cause = cause
  }

  package var description: String { "cannot \(action) \"\(path)\": \(reason)" }
}

extension ArchiveReader.Format {
  /// Returns what is wrong with the compressed stream around a tar archive; nil if TarWriter could have made
  /// the stream.
  ///
  /// If the stream has another format, the result is nil, because the decompressor reports that.
  ///
  /// This check is needed in addition to libarchive, which accepts more than other programs do. For example,
  /// Python's Zstandard readers read only the first of several concatenated streams. In addition, a gzip
  /// header or a skippable frame could hide data, because no program shows their content.
  func mistake(in file: borrowing InputFile) throws(SystemError) -> String? {
    switch self {
    case .zip: nil
    case .tarGzip: try Self.gzipMistake(in: file)
    case .tarZstandard: try Self.zstandardMistake(in: file)
    }
  }

  /// Checks a gzip header (RFC 1952): it must have no time, name, comment or other fields.
  private static func gzipMistake(in file: borrowing InputFile) throws(SystemError) -> String? {
    let header = try file.bytes(count: 10, at: 0)
    guard header.count == 10, header.starts(with: [0x1f, 0x8b, 8]) else { return nil }
    return header[3..<8].allSatisfy { $0 == 0 }
      ? nil
      : "the gzip header has fields that packtool does not write"
  }

  /// Checks a Zstandard stream (RFC 8878): it must be one frame without a dictionary, with nothing before or
  /// after it.
  private static func zstandardMistake(in file: borrowing InputFile) throws(SystemError) -> String? {
    let header = try file.bytes(count: 5, at: 0)
    guard header.count == 5, header.starts(with: [0x28, 0xb5, 0x2f, 0xfd]) else {
      return "the file does not begin with a Zstandard frame"
    }
    let flags = header[4]
    if flags & 3 != 0 { return "the Zstandard frame needs a dictionary" }
    let isSingle = flags & 0x20 != 0
    // The size in bytes of the field Frame_Content_Size, selected by two bits of the descriptor.
    let sizeBytes: [Int64] = [isSingle ? 1 : 0, 2, 4, 8]
    var position = 5 + (isSingle ? 0 : 1) + sizeBytes[Int(flags >> 6)]
    let end = try file.status().size
    while position < end {
      let block = try file.bytes(count: 3, at: position)
      guard block.count == 3 else { return "the Zstandard frame is truncated" }
      let number = Int64(block[0]) | Int64(block[1]) << 8 | Int64(block[2]) << 16
      // An RLE block has one byte of data.
      position += 3 + (number >> 1 & 3 == 1 ? 1 : number >> 3)
      if number & 1 == 1 {
        position += flags & 4 == 0 ? 0 : 4
        if position == end { return nil }
        return position < end
          ? "there are bytes after the end of the Zstandard frame" : "the Zstandard frame is truncated"
      }
    }
    return "the Zstandard frame is truncated"
  }
}
