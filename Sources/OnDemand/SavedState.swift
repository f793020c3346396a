import Foundation

/// A model of the file `state`: the settings and the history of a store.
///
/// Packs and releases are in other files.
struct SavedState: Sendable {
  struct Use: Sendable {
    var time: Int64
    var wasPurged: Bool
  }

  /// The ETag of the last index, with the server that sent it and the digest of the index.
  struct IndexTag: Sendable, Hashable {
    let tag: String
    let server: String
    let digest: String
  }

  var isInstalled = false
  /// The digest of the index whose prefetch has begun but not ended; nil if there is none.
  var prefetching: String?
  var preservation: [String: Double] = [:]
  /// The time when each pack was last used, by the pack's key.
  var uses: [String: Use] = [:]
  /// The keys of the stored packs that open requests used when the state was saved.
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

/// A model of the file `history`: earlier releases whose packs are still on the disk.
///
/// Patches can start from these packs.
struct ReleaseHistory: Sendable {
  struct Entry: Sendable {
    let indexDigest: String
    /// The key of each pack, by the pack's identifier.
    let keys: [String: String]
  }

  private(set) var entries: [Entry] = []

  init() {}

  /// Adds a release, and removes releases without a pack on the disk.
  mutating func add(_ catalog: Catalog, present: Set<String>) {
    entries.removeAll { $0.indexDigest == catalog.indexDigest }
    entries.append(Entry(catalog))
    entries.removeAll { !$0.keys.values.contains(where: present.contains) }
  }

  /// Returns the identifier of the pack that has a key in any of the releases; nil if no release has such a
  /// pack.
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

/// A model of the file `trust`: the app and the releases that a store accepts.
struct TrustRecord: Sendable, Codable, Equatable {
  /// The bundle identifier in the first index that the store accepted.
  var bundleIdentifier: String?
  /// The highest number of all signed releases that the store has seen.
  var highestRelease: Int64?
  /// The digests of those indexes on the disk whose signatures the store has checked.
  var signed: [String] = []
}
