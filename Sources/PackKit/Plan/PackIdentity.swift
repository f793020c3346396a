import Findings
import System

/// What an asset pack is called: Xcode's rule, to the byte.
package struct PackIdentity: Sendable, Hashable {
  /// `<bundleIdentifier>.asset-pack-<md5>`.
  package let identifier: String
  /// `<bundleIdentifier>.<tags>-<md5>`, cut so that a folder `<name>.assetpack` fits file systems.
  package let name: String

  /// What stands in an identifier between the app's and the digest of the tags.
  package static let mark = ".asset-pack-"
  /// Bytes of a pack's folder name, `.assetpack` included.
  private static let longestFolderName = 240

  /// The identity of the pack of these tags, which are sorted.
  package init(tags: [String], bundleIdentifier: String) {
    let digest = MD5.hex(of: tags.joined(separator: ":"))
    identifier = "\(bundleIdentifier)\(Self.mark)\(digest)"
    var room = Self.longestFolderName - "-\(digest)\(PublishedNames.packSuffix)".utf8.count
    let front = "\(bundleIdentifier).\(tags.joined(separator: "+"))".prefix { character in
      room -= character.utf8.count
      return room >= 0
    }
    name = "\(front)-\(digest)"
  }
}
