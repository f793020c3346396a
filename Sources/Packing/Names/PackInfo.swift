import Archiving
import Findings
import Formats
import PackKit
import System

/// Models the `Info.plist` of an asset pack as Xcode writes it.
package struct PackInfo: Sendable {
  let identifier: String
  /// Sorted.
  let tags: [String]
  let priority: Double?

  init(of pack: AssetPack) {
    identifier = pack.identity.identifier
    tags = pack.tags
    priority = pack.priority
  }

  var bytes: ByteBuffer {
    var members: [String: PlistItem] = ["CFBundleIdentifier": .string(identifier), "Tags": .strings(tags)]
    members["Priority"] = priority.map(PlistItem.real)
    return BinaryPlist.bytes(of: .dictionary(members))
  }
}

/// The entries that a pack for streaming from a web server has in addition to its files.
struct HostedFrame: Sendable {
  private let metadata: ByteBuffer
  private let info: ByteBuffer
  /// For each file, its parent folders that contain no earlier file, the outermost first.
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

  func begin(_ zip: inout ZipWriter) throws(SystemError) {
    try zip.appendFolder(named: ZipMetadata.folder)
    try zip.append(stored: ZipMetadata.path, metadata, marksUTF8: false)
  }

  func end(_ zip: inout ZipWriter) throws(SystemError) {
    try zip.append(stored: PublishedNames.packInfo, info)
  }

  private static func folders(around files: [AssetFile]) -> [[String]] {
    var seen: Set<ByteKey> = []
    return files.map { file in
      foldersAbove(file.packPath).filter { seen.insert(ByteKey($0)).inserted }
    }
  }
}

/// Models the file at the front of a hosted pack that lets a device unpack the pack during the download.
package struct ZipMetadata: Sendable {
  static let folder = PublishedNames.zipMetadataFolder
  static let path = "\(folder)/com.apple.ZipMetadata.plist"

  /// The number of entries after this one, including folders.
  let recordCount: Int
  /// The size in bytes of all files after this one.
  let size: Int64

  var bytes: ByteBuffer {
    BinaryPlist.bytes(
      of: .dictionary([
        "RecordCount": .integer(Int64(recordCount)),
        // The modes as Apple's tools store them: 040755 and 0100644 as signed 16-bit numbers.
        "StandardDirectoryPerms": .integer(16877), "StandardFilePerms": .integer(-32348),
        "TotalUncompressedBytes": .integer(size), "Version": .integer(2),
      ]))
  }
}
