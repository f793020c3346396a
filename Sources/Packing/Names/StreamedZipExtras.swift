import Archiving
import Formats
import Model
import Pipeline
import System

/// The entries that a pack for streaming from a web server has in addition to its files.
struct StreamedZipExtras: Sendable {
  private let metadata: ByteBuffer
  private let info: ByteBuffer
  /// For each file, those of its parent folders that contain no earlier file, from the outermost to the
  /// innermost.
  let folders: [[String]]

  init(of pack: AssetPack, files: [AssetFile]) {
    info = pack.info
    folders = Self.folders(around: files)
    metadata = Self.metadata(
      recordCount: files.count + folders.reduce(0) { $0 + $1.count } + 1,
      size: pack.size.saturatingSum(with: Int64(info.count)))
  }

  func begin(_ zip: inout ZipWriter) throws(SystemError) {
    let folder = PublishedNames.zipMetadataFolder
    try zip.appendFolder(named: folder)
    try zip.append(
      stored: "\(folder)/com.apple.ZipMetadata.plist", bytes: metadata, nameEncoding: .ascii)
  }

  func end(_ zip: inout ZipWriter) throws(SystemError) {
    try zip.append(stored: PublishedNames.packInfo, bytes: info)
  }

  private static func folders(around files: [AssetFile]) -> [[String]] {
    var seen: Set<ByteKey> = []
    return files.map { file in
      foldersAbove(file.packPath).filter { seen.insert(ByteKey($0)).inserted }
    }
  }

  /// Returns the first file of the zip.
  ///
  /// With it, a device can unpack the pack during the download. The file contains the number of entries that
  /// follow, including folders, and the total size in bytes of the files that follow.
  static func metadata(recordCount: Int, size: Int64) -> ByteBuffer {
    BinaryPlist.bytes(
      of: .dictionary([
        "RecordCount": .integer(Int64(recordCount)),
        // These are the modes as Apple's tools store them: 040755 and 0100644, as signed 16-bit numbers.
        "StandardDirectoryPerms": .integer(16877), "StandardFilePerms": .integer(-32348),
        "TotalUncompressedBytes": .integer(size), "Version": .integer(2),
      ]))
  }
}
