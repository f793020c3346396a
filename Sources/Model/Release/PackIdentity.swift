import System

/// The identifier and name of an asset pack, byte for byte the same as in Xcode.
package struct PackIdentity: Sendable, Hashable {
  /// The identifier, `<bundleIdentifier>.asset-pack-<md5>`.
  package let identifier: String
  /// The name, `<bundleIdentifier>.<tags>-<md5>`, truncated so that file systems accept a folder
  /// `<name>.assetpack`.
  package let name: String

  /// The part of an identifier between the app's identifier and the digest of the tags.
  package static let mark = ".asset-pack-"
  /// The maximum size in bytes of a pack's folder name, including `.assetpack`.
  private static let maxFolderNameSize = 240

  /// Creates the identity of the pack with these sorted tags.
  package init(tags: [String], bundleIdentifier: String) {
    let digest = MD5.hex(of: tags.joined(separator: ":"))
    identifier = "\(bundleIdentifier)\(Self.mark)\(digest)"
    var remaining = Self.maxFolderNameSize - "-\(digest)\(PublishedNames.packSuffix)".utf8.count
    let front = "\(bundleIdentifier).\(tags.joined(separator: "+"))".prefix { character in
      remaining -= character.utf8.count
      return remaining >= 0
    }
    name = "\(front)-\(digest)"
  }
}

/// Combines tags into one tag.
///
/// The result contains up to three tags completely. For more tags, it contains the first tag, the number of
/// tags and a digest.
package func combinedTag(_ tags: [String], by separator: String = "+") -> String {
  tags.count < 4
    ? tags.joined(separator: separator)
    : "\(tags[0])+\(tags.count - 1) \(MD5.hex(of: tags.joined(separator: ":")).prefix(6))"
}
