import Foundation

/// The SHA-256 of what a server has, in JSON as "sha256:" and 64 hex digits.
struct PublishedDigest: Sendable, Hashable, Codable, RawRepresentable {
  let rawValue: String

  init?(rawValue: String) {
    self.rawValue = rawValue
    let isHex = hex.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    if !rawValue.hasPrefix("sha256:") || hex.utf8.count != 64 || !isHex { return nil }
  }

  var hex: String { String(rawValue.dropFirst(7)) }
}

/// A file that a server has, as the index or a list names it.
struct PublishedFile: Sendable, Hashable, Codable {
  /// Of a list of patches, the digest of the index that they start from.
  var from: PublishedDigest?
  let path: String
  let size: Int64
  let digest: PublishedDigest

  /// Whether it can be a file below the server's URL.
  var isRight: Bool { (0...Catalog.largest).contains(size) && PackPath.isPublished(path) }
}

/// What a store needs of an `index.json`, and keeps of it.
struct Catalog: Sendable, Codable {
  struct Pack: Sendable, Codable {
    let id: String
    let tags: [String]
    let size: Int64
    let fileCount: Int64
    let digest: PublishedDigest
    let archive: PublishedFile
    /// From the release that was in place before, where its pack was stored.
    var patch: PublishedFile?

    /// The name of its folder: other contents have another.
    var key: String { String(SHA256Digest.hex(of: Data("\(id)\n\(digest.hex)\n\(size)".utf8)).prefix(32)) }
    var files: [PublishedFile] { [patch, archive].compactMap(\.self) }
    var transfer: Int64 { files[0].size }
  }

  struct Delivery: Sendable, Codable { let packs: [String] }

  let formatVersion: Int, bundleIdentifier: String?, release: Int64?, expires: String?
  var packs: [Pack]
  let initialInstall: Delivery?, prefetch: Delivery?, patches: [PublishedFile]?
  /// The SHA-256 of `index.json`.
  private(set) var indexDigest: String?
  /// The highest release of a signed index by then.
  var seen: Int64?

  /// The most bytes of a pack or a file, of which there may be so many that sums never overflow.
  static let largest: Int64 = 1 << 42
  /// The most bytes of an index, and of a list of patches: about 15,000 packs.
  static let longest = 8 << 20
  /// The most values in one, so that hostile JSON takes no more memory than an honest one.
  private static let mostValues = 400_000
}

extension Catalog {
  /// Decodes JSON from outside, of which there is no more than memory can take.
  static func decoded<Value: Decodable>(_ type: Value.Type, data: Data) throws(OnDemandError) -> Value {
    // Each value but the first stands behind one of these.
    let values = data.reduce(into: 0) { $0 += $1 == 0x2c || $1 == 0x5b || $1 == 0x7b ? 1 : 0 }
    if values > mostValues { throw wrong("it has more than \(mostValues) values") }
    do {
      return try JSONDecoder().decode(type, from: data)
    } catch {
      throw wrong("it cannot be read: \(error)")
    }
  }

  init(index: Data) throws(OnDemandError) {
    self = try Self.decoded(Self.self, data: index)
    if formatVersion != 1 { throw wrong("its format version is \(formatVersion)") }
    (indexDigest, seen) = (SHA256Digest.hex(of: index), nil)
    var ids: Set<String> = []
    for (number, pack) in packs.enumerated() {
      if !(0...Self.largest).contains(pack.size) || pack.fileCount < 0 || !pack.archive.isRight
        || pack.id.isEmpty || !ids.insert(pack.id).inserted
      {
        throw .damaged(pack: pack.id, reason: "its entry in the index is wrong")
      }
      packs[number].patch = nil
    }
  }
}
