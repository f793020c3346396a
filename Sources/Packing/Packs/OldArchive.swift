import Archiving
import PackKit
import System

/// The archive of the last build, from which unchanged entries are copied.
final class OldArchive: Sendable {
  private let file: InputFile
  private let size: Int64
  private let modified: ZipTime

  /// Opens an archive whose entries have this time, in seconds since 1970.
  init(_ path: String, modified: Int64) throws(SystemError) {
    file = try InputFile(path)
    size = try file.status().size
    self.modified = ZipTime(secondsSince1970: modified)
  }

  /// Whether the archive has a file's entry at the recorded place; the record of it may be forged.
  func holds(_ entry: ArchivedEntry?, of asset: AssetFile) -> Bool {
    guard let entry, entry.compressedSize <= size - entry.dataOffset else { return false }
    let header = ZipEntry(name: asset.packPath, size: asset.size, as: entry).localHeader(modified: modified)
    let start = entry.dataOffset - Int64(header.count)
    guard start >= 0, let bytes = try? file.bytes(header.count, at: start) else { return false }
    return bytes == header.array()
  }

  func read(
    _ range: Range<Int64>, of entry: ArchivedEntry, into buffer: inout ByteBuffer
  ) throws(SystemError) {
    let before = buffer.count
    try file.read(range.count, at: entry.dataOffset + range.lowerBound, into: &buffer)
    if buffer.count - before != range.count {
      throw SystemError("copy from", file.path, code: SystemError.truncated)
    }
  }
}
