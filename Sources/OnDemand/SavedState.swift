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
