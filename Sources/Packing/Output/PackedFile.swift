package import Archiving
import Model
package import System

/// A file's digest, and the properties of the file's entry in a zip archive.
package struct PackedFile: Sendable {
  package let digest: Digest
  /// The entry in a zip archive; nil if the container is another one or if another machine wrote the archive.
  package let entry: ArchivedEntry?
  /// The compressed size in bytes in a zip archive; nil if the container is another one or if the size is not
  /// known.
  package let packedSize: Int64?

  init(digest: Digest, entry: ArchivedEntry? = nil, packedSize: Int64? = nil) {
    self.digest = digest
    self.entry = entry
    self.packedSize = entry?.compressedSize ?? packedSize
  }
}
