package import Archiving
import Model
package import System

/// A file's digest, with the properties of its entry in a zip archive.
package struct PackedFile: Sendable {
  package let digest: Digest
  /// The entry in a zip archive; nil in other containers, and if another machine wrote the archive.
  package let entry: ArchivedEntry?
  /// The compressed size in bytes in a zip archive; nil in other containers, and if it is not known.
  package let packedSize: Int64?

  init(digest: Digest, entry: ArchivedEntry? = nil, packedSize: Int64? = nil) {
    self.digest = digest
    self.entry = entry
    self.packedSize = entry?.compressedSize ?? packedSize
  }
}
