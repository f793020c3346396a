import Archiving
import Findings
import Formats
import PackKit
import System

/// What stands in a pack that devices stream from a web server, besides its files.
struct HostedFrame: Sendable {
  private let metadata: ByteBuffer
  private let info: ByteBuffer
  /// For each file the folders around it that no file before it lies in, the outermost first.
  let folders: [[String]]

  init(of pack: AssetPack, _ files: [AssetFile]) {
    info = PackInfo(of: pack).bytes
    folders = Self.folders(around: files)
    metadata =
      ZipMetadata(
        recordCount: files.count + folders.reduce(0) { $0 + $1.count } + 1,
        size: pack.size.saturatingSum(with: Int64(info.count))
      ).bytes
  }

  /// Writes what stands in front of all files.
  func begin(_ zip: inout ZipWriter) throws(SystemError) {
    try zip.appendFolder(named: ZipMetadata.folder)
    try zip.append(whole: metadata, named: ZipMetadata.path, marksUTF8: false)
  }

  /// Writes what stands behind all files.
  func end(_ zip: inout ZipWriter) throws(SystemError) {
    try zip.append(whole: info, named: PublishedNames.packInfo)
  }

  private static func folders(around files: [AssetFile]) -> [[String]] {
    var seen: Set<ByteKey> = []
    return files.map { file in
      foldersAbove(file.packPath).filter { seen.insert(ByteKey($0)).inserted }
    }
  }
}

/// Models the file at the front of a hosted pack by which a device unpacks it while it is still downloading.
package struct ZipMetadata: Sendable {
  static let folder = PublishedNames.zipMetadataFolder
  static let path = "\(folder)/com.apple.ZipMetadata.plist"

  /// The entries behind this one, folders included.
  let recordCount: Int
  /// Bytes of all files behind this one.
  let size: Int64

  var bytes: ByteBuffer {
    BinaryPlist.bytes(
      of: .dictionary([
        "RecordCount": .integer(Int64(recordCount)),
        // The modes as Apple's tools store them: 16 bits with a sign, 040755 and 0100644.
        "StandardDirectoryPerms": .integer(16877), "StandardFilePerms": .integer(-32348),
        "TotalUncompressedBytes": .integer(size), "Version": .integer(2),
      ]))
  }
}

extension ZipWriter {
  /// Writes a stored entry whose bytes are at hand.
  fileprivate mutating func append(
    whole bytes: ByteBuffer, named name: String, marksUTF8: Bool = true
  ) throws(SystemError) {
    var checksum = Checksum()
    bytes.withBytes { checksum.update($0) }
    let entry = ZipEntry(
      name: name, method: .stored, size: Int64(bytes.count), compressedSize: Int64(bytes.count),
      checksum: checksum)
    _ = try bytes.withBytes { bytes throws(SystemError) in
      try append(marksUTF8 ? entry : entry.withoutUTF8Mark(), payload: bytes)
    }
  }
}
