import CArchive
import CZlib
import CZstandard
import System

/// The compression of a tar archive; the raw value is the end of the archive's file name.
package enum TarCompression: String, Sendable, CaseIterable {
  case gzip = "gz"
  case zstandard = "zst"

  /// Bytes at a fixed place of a file that identify its format.
  struct Mark {
    let offset: Int
    let bytes: [UInt8]
  }

  var mark: Mark {
    switch self {
    case .gzip: Mark(offset: 0, bytes: [0x1f, 0x8b])
    case .zstandard: Mark(offset: 0, bytes: [0x28, 0xb5, 0x2f, 0xfd])
    }
  }

  /// The number of bytes at the beginning of a file that contain every mark.
  static let maxMarkEnd = allCases.map { $0.mark.offset + $0.mark.bytes.count }.max() ?? 0

  /// Detects the compression from a file's first bytes; nil for any other format.
  init?(ofFileBeginningWith front: [UInt8]) {
    let found = Self.allCases.first { front.dropFirst($0.mark.offset).starts(with: $0.mark.bytes) }
    guard let found else { return nil }
    self = found
  }

  /// Returns the decompressor for the stream around the tar.
  func inflater() -> any StreamInflater {
    switch self {
    case .gzip: GzipInflater()
    case .zstandard: ZstandardInflater()
    }
  }

  /// The name and the version of the library that compresses, for messages and for the key of the build cache.
  var library: LibraryVersion {
    switch self {
    case .gzip: LibraryVersion(name: "zlib", version: zlibVersion().map { String(cString: $0) } ?? "")
    case .zstandard:
      LibraryVersion(name: "zstd", version: ZSTD_versionString().map { String(cString: $0) } ?? "")
    }
  }
}

/// The settings with which a tar archive is compressed.
package enum TarFilter: Sendable {
  case gzip(level: Int)
  case zstandard(ZstandardSettings)

  /// Returns the encoder that compresses libarchive's output; nil if libarchive itself compresses.
  func encoder(pathInMessages path: String) -> ZstandardEncoder? {
    switch self {
    case .gzip: nil
    case .zstandard(let settings): ZstandardEncoder(settings, pathInMessages: path)
    }
  }

  /// Makes libarchive compress the archive, unless an encoder does, and returns libarchive's result.
  func add(to archive: OpaquePointer) -> Int32 {
    switch self {
    case .gzip(let level):
      let code = archive_write_add_filter_gzip(archive)
      if code < ARCHIVE_OK { return code }
      // Without this option, the gzip header would contain the current time.
      return archive_write_set_options(archive, "gzip:!timestamp,gzip:compression-level=\(level)")
    case .zstandard: return ARCHIVE_OK
    }
  }
}

extension TarCompression {
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
    case .gzip: try Self.gzipMistake(in: file)
    case .zstandard: try Self.zstandardMistake(in: file)
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
    guard header.count == 5, header.starts(with: zstandard.mark.bytes) else {
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
