import CArchive
#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
package import System

/// Reads an archive of a known format front to back, through libarchive.
package struct ArchiveReader: ~Copyable {
  /// The format of an archive.
  package enum Format: Sendable {
    case zip
    case tarGzip
    case tarZstandard

    /// The format of a file by its first bytes; nil for any other format.
    package init?(of file: borrowing InputFile) throws(SystemError) {
      let front = try file.bytes(4, at: 0)
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

    /// Whether a tar is in it, after what its inflater does.
    var isTar: Bool {
      switch self {
      case .zip: false
      case .tarGzip, .tarZstandard: true
      }
    }

    /// What unpacks the stream around a tar; nil where libarchive reads the file's own bytes.
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
    /// The path inside the archive: byte for byte from a tar; from a zip composed (NFC) by libarchive.
    package let name: [UInt8]
    /// Whether it is a plain file: no folder, link or device.
    package let isFile: Bool
  }

  private let source: ArchiveSource

  /// The longest name of an entry in bytes, which is the limit of zip.
  package static let maxNameSize = 65_535

  /// Opens an archive, of which at most `maxUncompressedBytes` unpacked bytes are read, headers included.
  package init(_ file: consuming InputFile, format: Format, maxUncompressedBytes: Int64) throws(ArchiveError)
  {
    source = ArchiveSource(file, format: format, maxUncompressedBytes: maxUncompressedBytes)
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
    if length > Self.maxNameSize {
      throw source.failure("an entry has a name of \(length) bytes; expected at most \(Self.maxNameSize)")
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

/// Why an archive is not as packtool writes one.
package struct ArchiveFormatError: Error {
  /// The index of the entry in a zip; nil for the archive as a whole.
  package var entry: Int?
  package let reason: String
  /// The system's error, if reading the file failed; nil if the archive is at fault.
  package let cause: SystemError?

  package init(_ reason: String, entry: Int? = nil, cause: SystemError? = nil) {
    self.entry = entry
    self.reason = reason
    self.cause = cause
  }

  /// The failure of the system while the file was read.
  package init(_ cause: SystemError) { self.init(cause.reason, cause: cause) }

  init(_ error: ArchiveError) {
    self.init("it cannot be read to its end: \(error.reason)", cause: error.cause)
  }

  /// What a read of the file returns, with its failure as a mistake of the form.
  static func reading<Value>(_ read: () throws(SystemError) -> Value) throws(ArchiveFormatError) -> Value {
    do throws(SystemError) { return try read() } catch { throw ArchiveFormatError(error) }
  }

  /// The same of a read by libarchive.
  static func unpacking<Value>(_ read: () throws(ArchiveError) -> Value) throws(ArchiveFormatError) -> Value {
    do throws(ArchiveError) { return try read() } catch { throw ArchiveFormatError(error) }
  }
}

/// A failed call of libarchive, with the library's message.
package struct ArchiveError: Error, Hashable, CustomStringConvertible {
  /// The attempted action, as a verb: "write".
  package let action: String
  /// The archive, as the user would recognise it.
  package let path: String
  package let reason: String
  /// The system's error, if reading or writing the file failed; nil if the archive is at fault.
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
