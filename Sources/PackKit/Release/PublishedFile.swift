package import System

/// A file of a build that its index names.
package struct PublishedFile: Sendable, Hashable {
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
  /// Whether the archive is published in another folder, and none was written here.
  package let isElsewhere: Bool
  /// The size in bytes of each file inside the archive, in byte order of the paths; nil where nobody asked for them,
  /// and in containers that have none.
  package let packedSizes: [Int64]?

  package init(
    digest: Digest, archive: PublishedFile, isElsewhere: Bool = false, packedSizes: [Int64]? = nil
  ) {
    self.isElsewhere = isElsewhere
    self.packedSizes = packedSizes
    self.digest = digest
    self.archive = archive
  }
}

/// The class of devices that a release was thinned for, as an index names it.
package struct ReleaseDevice: Sendable, Hashable {
  /// The name of the class.
  package let name: String
  /// Its product types.
  package let products: [String]

  package init(name: String, products: [String]) {
    self.name = name
    self.products = products
  }

  package init(_ device: DeviceClass) { self.init(name: device.name, products: device.products) }
}
