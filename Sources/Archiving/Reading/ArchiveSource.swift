import CArchive
#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import System

/// The libarchive handle of an archive, and the file that it reads.
///
/// It is a class because libarchive's callbacks need an address that does not change.
final class ArchiveSource {
  let archive = ThisProcess.allocated(archive_read_new())
  private let file: InputFile
  private let format: ArchiveReader.Format
  private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
  /// The input bytes that have not been decompressed yet.
  private var unused = UnsafeRawBufferPointer(start: nil, count: 0)
  /// The output buffer and the decompressor of a tar archive; nil for a zip, which libarchive decompresses
  /// itself.
  private let output: UnsafeMutableRawBufferPointer?
  private let inflater: (any StreamInflater)?
  private var offset: Int64 = 0
  private var size: Int64 = 0
  /// The maximum size in bytes of the uncompressed tar archive.
  private let maxBytes: Int64
  /// The system's error after a failed read.
  ///
  /// libarchive only knows that the read failed.
  private var error: SystemError?
  /// Any other reason why a callback failed.
  private var reason: String?

  init(_ file: consuming InputFile, format: ArchiveReader.Format, maxUncompressedBytes: Int64) {
    self.file = consume file
    self.format = format
    self.maxBytes = maxUncompressedBytes
    inflater = format.tarCompression?.inflater()
    output = inflater.map { _ in .allocate(byteCount: 1 << 18, alignment: 16) }
  }

  deinit {
    archive_read_free(archive)
    input.deallocate()
    output?.deallocate()
  }

  /// Makes libarchive open the archive.
  func open() throws(ArchiveError) {
    try readSize()
    // Only the formats of packs are enabled, not all formats that libarchive supports.
    if format.tarCompression != nil {
      try check(archive_read_support_format_tar(archive))
      // Without this option, bytes after the end marker would not be checked.
      try check(archive_read_set_options(archive, "tar:read_concatenated_archives"))
    } else {
      try check(archive_read_support_format_zip_seekable(archive))
      try check(archive_read_set_skip_callback(archive, skipBytes))
      try check(archive_read_set_seek_callback(archive, seekByte))
    }
    try check(archive_read_set_callback_data(archive, Unmanaged.passUnretained(self).toOpaque()))
    try check(archive_read_set_read_callback(archive, readBytes))
    try check(archive_read_open1(archive))
  }

  private func readSize() throws(ArchiveError) {
    do throws(SystemError) {
      size = try file.status().size
    } catch {
      self.error = error
      throw failure()
    }
  }

  /// Returns the next bytes for libarchive; empty at the end, nil on failure.
  fileprivate func read() -> UnsafeRawBufferPointer? {
    // This is checked before each read, because a few bytes can decompress to gigabytes, and libarchive would
    // skip all of them in one call.
    if format.tarCompression != nil, archive_filter_count(archive) > 0,
      archive_filter_bytes(archive, 0) > maxBytes
    {
      reason = "the archive unpacks to more bytes than its files contain"
      return nil
    }
    return inflater == nil ? readInput() : inflate()
  }

  private func readInput() -> UnsafeRawBufferPointer? {
    do throws(SystemError) {
      try Interruption.check()
    } catch {
      self.error = error
      return nil
    }
    let got = retrying { pread(file.descriptor, input.baseAddress, input.count, off_t(offset)) }
    if got < 0 {
      error = SystemError(during: "read", path: file.path)
      return nil
    }
    offset += Int64(got)
    return UnsafeRawBufferPointer(start: input.baseAddress, count: got)
  }

  private func inflate() -> UnsafeRawBufferPointer? {
    guard let output, let inflater else { return nil }
    do throws(StreamDamage) {
      while !inflater.isAtEnd {
        let (used, made) = try inflater.inflate(unused, into: output)
        unused = UnsafeRawBufferPointer(rebasing: unused[used...])
        if made > 0 { return UnsafeRawBufferPointer(rebasing: output[..<made]) }
        if inflater.isAtEnd || !unused.isEmpty { continue }
        guard let bytes = readInput() else { return nil }
        if bytes.isEmpty { throw StreamDamage(reason: "the file is truncated") }
        unused = bytes
      }
      return UnsafeRawBufferPointer(start: output.baseAddress, count: 0)
    } catch {
      reason = error.reason
      return nil
    }
  }

  /// Skips at most `count` bytes, up to the end of the file, and returns the number of skipped bytes.
  func skip(_ count: Int64) -> Int64 {
    let passed = min(max(count, 0), max(size - offset, 0))
    offset += passed
    return passed
  }

  /// Moves to an offset like `lseek`.
  ///
  /// Returns the new offset, or a negative libarchive code if the offset does not exist.
  func seek(_ distance: Int64, from whence: Int32) -> Int64 {
    let start = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? offset : size
    let (target, overflows) = start.addingReportingOverflow(distance)
    if overflows || target < 0 { return Int64(ARCHIVE_FATAL) }
    offset = target
    return target
  }

  /// Returns the next bytes of a tar archive that libarchive does not read; empty at the end.
  ///
  /// The bytes are valid until the next call.
  func nextBlock() throws(ArchiveError) -> UnsafeRawBufferPointer {
    guard let block = read() else { throw failure() }
    return block
  }

  /// Checks that the whole file was read.
  ///
  /// Otherwise, bytes could follow the end of a tar archive.
  func checkEnd() throws(ArchiveError) {
    if format.tarCompression == nil { return }
    try readSize()
    if size != offset - Int64(unused.count) { throw failure("there are bytes after the end of the archive") }
  }

  func check(_ code: Int32) throws(ArchiveError) { if code < ARCHIVE_OK { throw failure() } }

  func failure(_ reason: String? = nil) -> ArchiveError {
    let words = archive_error_string(archive).map { String(cString: $0) }
    let hasNoMemory = archive_errno(archive) == ENOMEM
    let cause = error ?? (hasNoMemory ? SystemError(during: "read", path: file.path, code: ENOMEM) : nil)
    let why = cause?.reason ?? self.reason ?? reason ?? words ?? "unknown error"
    return ArchiveError(action: "read", path: file.path, reason: why, cause: cause)
  }
}

private func source(_ context: UnsafeMutableRawPointer?) -> ArchiveSource {
  Unmanaged<ArchiveSource>.fromOpaque(context!).takeUnretainedValue()
}

private func readBytes(
  _: OpaquePointer?, context: UnsafeMutableRawPointer?, buffer: UnsafeMutablePointer<UnsafeRawPointer?>?
) -> Int {
  guard let bytes = source(context).read() else { return -1 }
  buffer?.pointee = bytes.baseAddress
  return bytes.count
}

private func skipBytes(_: OpaquePointer?, context: UnsafeMutableRawPointer?, count: la_int64_t) -> la_int64_t
{
  source(context).skip(count)
}

private func seekByte(
  _: OpaquePointer?, context: UnsafeMutableRawPointer?, offset: la_int64_t, whence: Int32
) -> la_int64_t { source(context).seek(offset, from: whence) }
