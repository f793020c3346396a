import Foundation

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
