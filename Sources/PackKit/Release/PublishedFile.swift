package import System

/// A file of a build that its index names.
package struct PublishedFile: Sendable {
  /// The path, relative to the folder of the index.
  package let path: String
  package let file: WrittenFile

  package init(path: String, file: WrittenFile) {
    self.path = path
    self.file = file
  }
}

/// A pack of a build, as it was written.
package struct PublishedPack: Sendable {
  /// The digest of the contents.
  package let digest: Digest
  package let archive: PublishedFile

  package init(digest: Digest, archive: PublishedFile) {
    self.digest = digest
    self.archive = archive
  }
}
