import Foundation

/// The SHA-256 of a file on a server.
///
/// In JSON, the digest is "sha256:" followed by 64 hex digits.
struct PublishedDigest: Sendable, Hashable, Codable, RawRepresentable {
  let rawValue: String

  init?(rawValue: String) {
    self.rawValue = rawValue
    let isHex = rawValue.utf8.dropFirst(7).allSatisfy {
      (0x30...0x39).contains($0) || (0x61...0x66).contains($0)
    }
    if !rawValue.hasPrefix("sha256:") || rawValue.utf8.count != 71 || !isHex { return nil }
  }

  var hex: String { String(rawValue.dropFirst(7)) }
}

/// A file on a server, as the index or a list of patches describes it.
struct ServerFile: Sendable, Hashable, Decodable {
  /// The digest of the index of the earlier release from which the patch starts.
  ///
  /// Only the entries in a list of patches have this digest.
  var from: PublishedDigest?
  let path: String
  let size: Int64
  let digest: PublishedDigest

  /// Whether the path and the size are valid for a file below the server's URL.
  var isValid: Bool { (0...Catalog.maxFileSize).contains(size) && PackPath.isPublished(path) }
}

/// The parts of an `index.json` that a store needs.
struct Catalog: Sendable {
  struct Pack: Sendable {
    let id: String
    let tags: [String]
    let size: Int64
    let fileCount: Int64
    let digest: PublishedDigest
    let archive: ServerFile
    /// The name of the pack's folder.
    ///
    /// Packs with different contents have different keys.
    let key: String
    /// The patches from which the store can make this pack, each from a pack of an earlier release.
    var patches: [PackPatch] = []

    init(
      id: String, tags: [String], size: Int64, fileCount: Int64, digest: PublishedDigest,
      archive: ServerFile
    ) {
      (self.id, self.tags, self.size, self.fileCount) = (id, tags, size, fileCount)
      (self.digest, self.archive) = (digest, archive)
      key = String(SHA256Digest.hex(of: Data("\(id)\n\(digest.hex)\n\(size)".utf8)).prefix(32))
    }

    /// All files from which the store can make the pack: the patches and the archive.
    var files: [ServerFile] { patches.map(\.file) + [archive] }
  }

  /// A patch that makes a pack from the files of an earlier release.
  struct PackPatch: Sendable, Hashable {
    /// The key of the same pack in the earlier release.
    let base: String
    let file: ServerFile
  }

  let bundleIdentifier: String?
  let number: Int64?
  let expires: String?
  /// The SHA-256 of `index.json`.
  let indexDigest: String
  var packs: [Pack]
  let initialInstall: [String]
  let prefetch: [String]
  /// The lists of patches that the index contains, one for each earlier release.
  var patchLists: [ServerFile] = []

  var release: PackStore.Release {
    PackStore.Release(number: number, digest: indexDigest, bundleIdentifier: bundleIdentifier)
  }

  /// The maximum size in bytes of a pack or a file, chosen so that sums of sizes never overflow.
  static let maxFileSize: Int64 = 1 << 42
  /// The maximum size in bytes of an index or a list of patches: it is enough for about 15,000 packs.
  static let maxIndexSize = 8 << 20
  /// The maximum number of values in an index.
  ///
  /// The limit prevents a hostile index from using more memory than an honest index.
  private static let maxValues = 400_000
}

extension Catalog {
  /// The structure of `index.json`.
  private struct Index: Decodable {
    struct Pack: Decodable {
      let id: String, tags: [String], size: Int64, fileCount: Int64
      let digest: PublishedDigest, archive: ServerFile
    }
    struct Delivery: Decodable { let packs: [String] }

    let formatVersion: Int, bundleIdentifier: String?, release: Int64?, expires: String?
    let packs: [Pack], initialInstall: Delivery?, prefetch: Delivery?, patches: [ServerFile]?
  }

  /// Decodes JSON from outside, and rejects JSON that would take too much memory.
  static func decoded<Value: Decodable>(_ type: Value.Type, data: Data) throws(OnDemandError) -> Value {
    // This counts the values, because each value except the first comes after a comma, a bracket or a brace.
    let values = data.reduce(into: 0) { $0 += $1 == 0x2c || $1 == 0x5b || $1 == 0x7b ? 1 : 0 }
    if values > maxValues { throw wrong("it contains more than \(maxValues) JSON values") }
    do {
      return try JSONDecoder().decode(type, from: data)
    } catch {
      throw wrong("it cannot be read: \(error)")
    }
  }

  init(index: Data) throws(OnDemandError) {
    let read = try Self.decoded(Index.self, data: index)
    if read.formatVersion != 1 {
      throw wrong("its format version is \(read.formatVersion), which this library cannot read")
    }
    var ids: Set<String> = []
    for pack in read.packs {
      if !(0...Self.maxFileSize).contains(pack.size) || pack.fileCount < 0 || !pack.archive.isValid
        || pack.id.isEmpty || !ids.insert(pack.id).inserted
      {
        throw .damaged(pack: pack.id, reason: "its entry in the index is invalid")
      }
    }
    self.init(
      bundleIdentifier: read.bundleIdentifier, number: read.release, expires: read.expires,
      indexDigest: SHA256Digest.hex(of: index),
      packs: read.packs.map {
        Pack(
          id: $0.id, tags: $0.tags, size: $0.size, fileCount: $0.fileCount, digest: $0.digest,
          archive: $0.archive)
      },
      initialInstall: read.initialInstall?.packs ?? [], prefetch: read.prefetch?.packs ?? [],
      patchLists: (read.patches ?? []).filter(\.isValid))
  }
}
