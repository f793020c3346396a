package import Archiving
import Model
package import System

/// A file's digest, with what its entry in a zip archive is.
package struct PackedFile: Sendable {
  package let digest: Digest
  /// The entry in a zip archive; nil in other containers, and where another machine wrote the archive.
  package let entry: ArchivedEntry?
  /// The size in bytes inside a zip archive; nil in other containers, and where nobody said it.
  package let packedSize: Int64?

  init(digest: Digest, entry: ArchivedEntry? = nil, packedSize: Int64? = nil) {
    self.digest = digest
    self.entry = entry
    self.packedSize = entry?.compressedSize ?? packedSize
  }
}
