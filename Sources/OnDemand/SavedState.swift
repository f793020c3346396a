import Foundation

/// Models the file `state`: the settings and history of a store, apart from its packs and its release.
struct SavedState: Sendable {
  struct Use: Sendable {
    var time: Int64
    var wasPurged: Bool
  }

  /// The ETag of the last index, with its server and the digest of that index.
  struct IndexTag: Sendable, Hashable {
    let tag: String
    let server: String
    let digest: String
  }

  var isInstalled = false
  /// The digest of the index whose prefetch is running.
  var prefetching: String?
  var preservation: [String: Double] = [:]
  /// When each pack was last used, by the pack's key.
  var uses: [String: Use] = [:]
  /// The keys of stored packs that open requests held.
  var held: [String] = []
  var indexTag: IndexTag?

  init() {}

  private static let format = "packtool state 2"

  var stored: Data {
    var writer = ByteWriter(Self.format)
    writer.add(Int64(isInstalled ? 1 : 0))
    writer.add(optional: prefetching)
    writer.add(preservation.sorted { $0.key < $1.key }) {
      $0.add($1.key)
      $0.add($1.value)
    }
    writer.add(uses) {
      $0.add($1.key)
      $0.add($1.value.time)
      $0.add(Int64($1.value.wasPurged ? 1 : 0))
    }
    writer.add(held) { $0.add($1) }
    writer.add(optional: indexTag?.tag)
    writer.add(optional: indexTag?.server)
    writer.add(optional: indexTag?.digest)
    return writer.data
  }

  init(stored: Data) throws {
    var reader = try ByteReader(stored, format: Self.format)
    isInstalled = try reader.number() != 0
    prefetching = try reader.optionalText()
    _ = try reader.list { preservation[try $0.text()] = try $0.real() }
    _ = try reader.list { uses[try $0.text()] = try Use(time: $0.number(), wasPurged: $0.number() != 0) }
    held = try reader.list { try $0.text() }
    if let tag = try reader.optionalText(), let server = try reader.optionalText(),
      let digest = try reader.optionalText()
    {
      indexTag = IndexTag(tag: tag, server: server, digest: digest)
    }
  }
}

/// Models the file `history`: releases whose packs are still on the disk, so that patches can start from
/// them.
struct ReleaseHistory: Sendable {
  struct Entry: Sendable {
    let indexDigest: String
    /// The key of each pack, by the pack's identifier.
    let keys: [String: String]
  }

  private(set) var entries: [Entry] = []

  init() {}

  /// Adds a release, and forgets releases without a pack on the disk.
  mutating func add(_ catalog: Catalog, present: Set<String>) {
    entries.removeAll { $0.indexDigest == catalog.indexDigest }
    entries.append(Entry(catalog))
    entries.removeAll { !$0.keys.values.contains(where: present.contains) }
  }

  /// Returns the identifier of a pack of any of the releases, by its key.
  func id(ofKey key: String) -> String? {
    for entry in entries { if let found = entry.keys.first(where: { $0.value == key }) { return found.key } }
    return nil
  }

  private static let format = "packtool history 1"

  var stored: Data {
    var writer = ByteWriter(Self.format)
    writer.add(entries) { writer, entry in
      writer.add(entry.indexDigest)
      writer.add(entry.keys) {
        $0.add($1.key)
        $0.add($1.value)
      }
    }
    return writer.data
  }

  init(stored: Data) throws {
    var reader = try ByteReader(stored, format: Self.format)
    entries = try reader.list { reader in
      let digest = try reader.text()
      let pairs = try reader.list { (id: try $0.text(), key: try $0.text()) }
      return Entry(
        indexDigest: digest, keys: Dictionary(pairs.map { ($0.id, $0.key) }) { first, _ in first })
    }
  }
}

extension ReleaseHistory.Entry {
  init(_ catalog: Catalog) {
    self.init(
      indexDigest: catalog.indexDigest,
      keys: Dictionary(uniqueKeysWithValues: catalog.packs.map { ($0.id, $0.key) }))
  }
}

/// Models the file `trust`: the app and the releases that a store is bound to.
struct TrustRecord: Sendable, Codable, Equatable {
  /// The bundle identifier of the first index that was accepted.
  var bundleIdentifier: String?
  /// The highest number of a signed release that was seen.
  var highestRelease: Int64?
  /// The digests of the indexes on the disk whose signatures were checked.
  var signed: [String] = []
}
