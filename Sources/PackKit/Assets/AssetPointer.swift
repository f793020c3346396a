package import System

/// The file that a Git LFS pointer or a git-annex key stands for.
///
/// A class, so that the files of a tree without pointers need no room for digests.
package final class AssetPointer: Sendable {
  /// The digest of the file's content.
  package let digest: Digest
  /// The size of the file in bytes, at most `AssetFile.largest`.
  package let size: Int64
  /// Whether the pointer is a symbolic link, which leads to no file below the root.
  package let isLink: Bool

  package init(digest: Digest, size: Int64, isLink: Bool = false) {
    self.digest = digest
    self.size = size
    self.isLink = isLink
  }
}
