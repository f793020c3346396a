import CArchive
import Glibc

/// Reads an archive of one known form front to back, through libarchive.
package struct ArchiveReader: ~Copyable {
  /// The form of an archive.
  package enum Format: Sendable {
    case zip
    case tarGzip
    case tarZstandard
  }

  /// What an archive says of one entry in front of its bytes.
  package struct Entry: Sendable {
    /// The path inside the archive, byte for byte.
    package let name: [UInt8]
    /// Whether it is a plain file: no folder, link or device.
    package let isFile: Bool
  }

  private let source: Source

  /// Opens an archive of which at most so many bytes are read once it is unpacked, headers included.
  package init(
    _ file: consuming InputFile, format: Format, mostBytes: Int64 = .max
  ) throws(ArchiveError) {
    source = Source(file, mostBytes: mostBytes)
    try source.open(format)
  }

  /// Moves to the next entry; nil where there is none.
  package mutating func nextEntry() throws(ArchiveError) -> Entry? {
    // libarchive takes UTF-8 only to the characters of the thread's locale, which is C without this.
    let before = uselocale(utf8Locale.value)
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
    return Entry(name: Array(UnsafeRawBufferPointer(start: name, count: strlen(name))), isFile: isFile)
  }

  /// Hands the entry's bytes on, block by block, until its end or until `body` wants no more.
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

/// The archive's handle with the file that it reads: libarchive's callbacks need an address that stays.
private final class Source: @unchecked Sendable {
  let archive = archive_read_new()!
  private let file: InputFile
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
  private var offset: Int64 = 0
  private var size: Int64 = 0
  private let mostBytes: Int64
  private var isTooLong = false
  /// What the file said when a read failed; libarchive only knows that it did.
  private var error: SystemError?

  init(_ file: consuming InputFile, mostBytes: Int64) {
    self.file = consume file
    self.mostBytes = mostBytes
  }

  deinit {
    archive_read_free(archive)
    buffer.deallocate()
  }

  func open(_ format: ArchiveReader.Format) throws(ArchiveError) {
    do throws(SystemError) {
      size = try file.status().size
    } catch {
      self.error = error
      throw failure()
    }
    // Only what a pack of this kind may be: what libarchive knows besides is no concern of ours.
    switch format {
    case .zip: try check(archive_read_support_format_zip_seekable(archive))
    case .tarGzip: try check(archive_read_support_filter_gzip(archive))
    case .tarZstandard: try check(archive_read_support_filter_zstd(archive))
    }
    if format != .zip {
      try check(archive_read_support_format_tar(archive))
      // Else what stands behind the mark of the end would not be looked at.
      try check(archive_read_set_options(archive, "tar:read_concatenated_archives"))
    }
    try check(archive_read_set_callback_data(archive, Unmanaged.passUnretained(self).toOpaque()))
    try check(archive_read_set_read_callback(archive, readBytes))
    try check(archive_read_set_skip_callback(archive, skipBytes))
    try check(archive_read_set_seek_callback(archive, seekByte))
    try check(archive_read_open1(archive))
  }

  func read(_ pointer: UnsafeMutablePointer<UnsafeRawPointer?>?) -> Int {
    // Asked between two reads: a few bytes more may unpack to gigabytes that libarchive passes over in one call.
    if archive_filter_count(archive) > 0, archive_filter_bytes(archive, 0) > mostBytes {
      isTooLong = true
      return -1
    }
    let got = retrying { pread(file.descriptor, buffer.baseAddress, buffer.count, off_t(offset)) }
    if got < 0 {
      error = SystemError("read", file.path)
      return -1
    }
    offset += Int64(got)
    pointer?.pointee = UnsafeRawPointer(buffer.baseAddress)
    return got
  }

  func skip(_ count: Int64) -> Int64 {
    let passed = min(max(count, 0), max(size - offset, 0))
    offset += passed
    return passed
  }

  func seek(_ distance: Int64, from whence: Int32) -> Int64 {
    let start = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? offset : size
    let (target, overflows) = start.addingReportingOverflow(distance)
    if overflows || target < 0 { return Int64(ARCHIVE_FATAL) }
    offset = target
    return target
  }

  /// Whether all of the file was read: behind its last part stands nothing.
  func checkEnd() throws(ArchiveError) {
    if archive_format(archive) == ARCHIVE_FORMAT_ZIP { return }
    let used = archive_filter_bytes(archive, -1)
    if used != size { throw failure("bytes stand behind the archive's end") }
  }

  func check(_ code: Int32) throws(ArchiveError) {
    if code < ARCHIVE_OK { throw failure() }
  }

  func failure(_ reason: String? = nil) -> ArchiveError {
    let words = archive_error_string(archive).map { String(cString: $0) }
    let reason = isTooLong ? "it unpacks to more than its files have" : reason ?? words ?? "unknown error"
    return ArchiveError(action: "read", path: file.path, reason: error?.reason ?? reason, cause: error)
  }
}

private func source(_ context: UnsafeMutableRawPointer?) -> Source {
  Unmanaged<Source>.fromOpaque(context!).takeUnretainedValue()
}

private func readBytes(
  _: OpaquePointer?, context: UnsafeMutableRawPointer?, buffer: UnsafeMutablePointer<UnsafeRawPointer?>?
) -> Int { source(context).read(buffer) }

private func skipBytes(_: OpaquePointer?, context: UnsafeMutableRawPointer?, count: la_int64_t) -> la_int64_t {
  source(context).skip(count)
}

private func seekByte(
  _: OpaquePointer?, context: UnsafeMutableRawPointer?, offset: la_int64_t, whence: Int32
) -> la_int64_t { source(context).seek(offset, from: whence) }

/// A locale whose characters are all of Unicode; none where the system has no such.
private struct UTF8Locale: @unchecked Sendable {
  private static let names: [String] = ["C.UTF-8", "C.utf8", "en_US.UTF-8"]

  let value = names.lazy.compactMap { name in newlocale(LC_CTYPE_MASK, name, nil) }.first
}
private let utf8Locale = UTF8Locale()
