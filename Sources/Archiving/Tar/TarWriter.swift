import CArchive
package import System

/// Writes a compressed tar archive from start to end, using libarchive.
package struct TarWriter: ~Copyable, Sendable {
  private let sink: Sink
  private let modified: Int64

  /// Creates a writer.
  ///
  /// Every entry gets the time `modifiedSeconds`, in seconds since 1970.
  package init(_ file: consuming OutputFile, filter: TarFilter, modifiedSeconds: Int64) throws(ArchiveError) {
    sink = Sink(file)
    self.modified = modifiedSeconds
    try sink.open(filter)
  }

  /// Begins an entry.
  ///
  /// The caller must then append exactly `size` bytes.
  package mutating func beginEntry(name: String, size: Int64) throws(ArchiveError) {
    let entry = ThisProcess.allocated(archive_entry_new())
    defer { archive_entry_free(entry) }
    // The name is set as raw bytes: libarchive writes an empty name for UTF-8 outside the locale's character
    // set.
    archive_entry_set_pathname(entry, name)
    archive_entry_set_size(entry, size)
    archive_entry_set_filetype(entry, UInt32(S_IFREG))
    archive_entry_set_perm(entry, 0o644)
    archive_entry_set_mtime(entry, time_t(modified), 0)
    try sink.check(archive_write_header(sink.archive, entry))
  }

  /// Writes the next bytes of the current entry.
  package mutating func append(block: RawSpan) throws(ArchiveError) {
    let written = block.withUnsafeBytes { archive_write_data(sink.archive, $0.baseAddress, $0.count) }
    if written != block.byteCount { throw sink.failure() }
  }

  /// Writes the remaining bytes, which completes the archive.
  package consuming func finish() throws(ArchiveError) -> WrittenFile { try sink.finish() }
}

/// The libarchive handle of an archive, and its output file.
///
/// It is a class because libarchive's callback needs an address that does not change.
private final class Sink: @unchecked Sendable {
  let archive = ThisProcess.allocated(archive_write_new())
  private let path: String
  private var file: OutputFile?
  private var encoder: ZstandardEncoder?
  /// The system's error after a failed write.
  ///
  /// libarchive only knows that the write failed.
  private var error: SystemError?

  init(_ file: consuming OutputFile) {
    path = file.path
    self.file = consume file
  }

  deinit { archive_write_free(archive) }

  func open(_ filter: TarFilter) throws(ArchiveError) {
    // GNU tar stores names of any length as raw bytes. The pax format would convert them through the locale.
    try check(archive_write_set_format_gnutar(archive))
    encoder = filter.encoder(pathInMessages: path)
    try check(filter.add(to: archive))
    // Compressed bytes are passed on as they are produced, not in tape records of 10 KiB.
    try check(archive_write_set_bytes_per_block(archive, 0))
    try check(archive_write_set_bytes_in_last_block(archive, 1))
    let context = Unmanaged.passUnretained(self).toOpaque()
    try check(archive_write_open(archive, context, nil, writeBytes, nil))
  }

  func write(_ bytes: RawSpan) -> Bool {
    do throws(SystemError) {
      try encode(bytes)
      return true
    } catch {
      self.error = error
      return false
    }
  }

  private func encode(_ bytes: RawSpan, part: StreamPart = .continued) throws(SystemError) {
    if encoder == nil {
      try file?.write(bytes)
    } else {
      try encoder?.append(bytes, part: part) { bytes throws(SystemError) in try file?.write(bytes) }
    }
  }

  func finish() throws(ArchiveError) -> WrittenFile {
    try check(archive_write_close(archive))
    do throws(SystemError) {
      try encode(RawSpan(), part: .last)
      guard let file = file.take() else { preconditionFailure("an archive is finished once") }
      return try file.finish(readableBy: .everyone)
    } catch {
      self.error = error
      throw failure()
    }
  }

  func check(_ code: Int32) throws(ArchiveError) { if code < ARCHIVE_OK { throw failure() } }

  func failure() -> ArchiveError {
    let words = archive_error_string(archive).map { String(cString: $0) }
    let reason = error?.reason ?? words ?? "unknown error"
    return ArchiveError(action: "write", path: path, reason: reason, cause: error)
  }
}

private func writeBytes(
  _: OpaquePointer?, context: UnsafeMutableRawPointer?, buffer: UnsafeRawPointer?, count: Int
) -> Int {
  let sink = Unmanaged<Sink>.fromOpaque(context!).takeUnretainedValue()
  return sink.write(RawSpan(_unsafeStart: buffer!, byteCount: count)) ? count : -1
}
