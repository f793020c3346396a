import Foundation

extension Catalog {
  private static let format = "packtool catalog 1"

  /// The contents of the file in which the store keeps the release.
  var stored: Data {
    var writer = ByteWriter(Self.format)
    writer.add(optional: bundleIdentifier)
    writer.add(optional: number)
    writer.add(optional: expires)
    writer.add(indexDigest)
    writer.add(packs) { writer, pack in
      writer.add(pack.id)
      writer.add(pack.tags) { $0.add($1) }
      writer.add(pack.size)
      writer.add(pack.fileCount)
      writer.add(pack.digest.rawValue)
      writer.add(pack.key)
      writer.add(pack.archive)
      writer.add(pack.patches) {
        $0.add($1.base)
        $0.add($1.file)
      }
    }
    writer.add(initialInstall) { $0.add($1) }
    writer.add(prefetch) { $0.add($1) }
    return writer.data
  }

  init(stored: Data) throws {
    var reader = try ByteReader(stored, format: Self.format)
    bundleIdentifier = try reader.optionalText()
    number = try reader.optionalNumber()
    expires = try reader.optionalText()
    indexDigest = try reader.text()
    packs = try reader.list { reader in
      try Pack(
        id: reader.text(), tags: reader.list { try $0.text() }, size: reader.number(),
        fileCount: reader.number(), digest: reader.digest(), key: reader.text(), archive: reader.file(),
        patches: reader.list { try PackPatch(base: $0.text(), file: $0.file()) })
    }
    initialInstall = try reader.list { try $0.text() }
    prefetch = try reader.list { try $0.text() }
    if !reader.isAtEnd { throw ByteReader.WrongFormat() }
  }
}

extension Catalog.Pack {
  /// Makes a pack whose key has already been computed.
  fileprivate init(
    id: String, tags: [String], size: Int64, fileCount: Int64, digest: PublishedDigest, key: String,
    archive: ServerFile, patches: [Catalog.PackPatch]
  ) {
    (self.id, self.tags, self.size, self.fileCount) = (id, tags, size, fileCount)
    (self.digest, self.key, self.archive, self.patches) = (digest, key, archive, patches)
  }
}

extension ByteWriter {
  fileprivate mutating func add(_ file: ServerFile) {
    add(file.path)
    add(file.size)
    add(file.digest.rawValue)
  }
}

extension ByteReader {
  fileprivate mutating func digest() throws -> PublishedDigest {
    guard let digest = PublishedDigest(rawValue: try text()) else { throw WrongFormat() }
    return digest
  }

  fileprivate mutating func file() throws -> ServerFile {
    try ServerFile(path: text(), size: number(), digest: digest())
  }
}
