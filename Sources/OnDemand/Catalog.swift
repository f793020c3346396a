import Foundation

/// A file that a server has, as the index or a list names it.
struct PublishedFile: Sendable, Hashable, Codable {
  let path: String
  let size: Int64
  let digest: String
}

/// What a store needs of an `index.json`, checked.
struct Catalog: Sendable, Codable {
  struct Pack: Sendable, Codable {
    let id: String
    let tags: [String]
    let size: Int64
    let fileCount: Int64
    let digest: String
    let archive: PublishedFile
    /// From the release that was in place before, where its pack was stored.
    var patch: PublishedFile?

    /// The name of its folder: other contents have another.
    var key: String { String(SHA256Digest.hex(of: Data("\(id)\n\(digest)".utf8)).prefix(32)) }
    var files: [PublishedFile] { [patch, archive].compactMap(\.self) }
    var transfer: Int64 { files[0].size }
  }

  /// The SHA-256 of `index.json`.
  let digest: String
  let number: Int64
  var packs: [Pack]
  let initialInstall: [Int]
  let prefetch: [Int]

  /// The most bytes of a pack or a file, of which there may be so many that sums never overflow.
  static let largest: Int64 = 1 << 42
  /// The most bytes of an index, and of a list of patches: about 15,000 packs.
  static let longest = 8 << 20
  /// The most values in one, so that hostile JSON takes no more memory than an honest one.
  private static let mostValues = 400_000
}

/// `index.json`.
extension Catalog {
  /// The keys of an index that are read.
  struct Index: Decodable {
    struct Pack: Decodable {
      let id: String, tags: [String], size: Int64, fileCount: Int64, digest: String, archive: PublishedFile
    }
    struct Delivery: Decodable { let packs: [String] }
    struct Patches: Decodable { let from: String, path: String, size: Int64, digest: String }

    let formatVersion: Int, release: Int64?, expires: String?
    let packs: [Pack], initialInstall: Delivery?, prefetch: Delivery?, patches: [Patches]?
  }

  struct PatchList: Decodable {
    struct Pack: Decodable { let id: String, digest: String, patch: PublishedFile }
    let formatVersion: Int, packs: [Pack]
  }

  /// Decodes JSON from outside, of which there is no more than memory can take.
  static func decoded<Value: Decodable>(_ type: Value.Type, _ data: Data) throws(OnDemandError) -> Value {
    // Each value but the first stands behind one of these.
    let values = data.reduce(into: 0) { $0 += $1 == 0x2c || $1 == 0x5b || $1 == 0x7b ? 1 : 0 }
    if values > mostValues { throw .damaged(pack: nil, reason: "it has more than \(mostValues) values") }
    do {
      return try JSONDecoder().decode(type, from: data)
    } catch {
      throw .damaged(pack: nil, reason: "it cannot be read: \(error)")
    }
  }

  init(_ index: Index, digest: String) throws(OnDemandError) {
    if index.formatVersion != 1 {
      throw .damaged(pack: nil, reason: "its format version is \(index.formatVersion)")
    }
    self.digest = digest
    number = index.release ?? 0
    var packs: [Pack] = []
    var places: [String: Int] = [:]
    for pack in index.packs {
      guard (0...Self.largest).contains(pack.size), pack.fileCount >= 0,
        ([pack.id] + pack.tags).allSatisfy(isPlain),
        !pack.id.isEmpty, let digest = hexDigest(pack.digest), let archive = pack.archive.checked,
        places.updateValue(packs.count, forKey: pack.id) == nil
      else { throw .damaged(pack: pack.id, reason: "its entry in the index is wrong") }
      packs.append(
        Pack(
          id: pack.id, tags: pack.tags, size: pack.size, fileCount: pack.fileCount, digest: digest,
          archive: archive))
    }
    self.packs = packs
    let orders = [index.initialInstall, index.prefetch].map { delivery in
      var seen: Set<Int> = []
      return (delivery?.packs ?? []).compactMap { places[$0] }.filter { seen.insert($0).inserted }
    }
    (initialInstall, prefetch) = (orders[0], orders[1])
  }
}

extension Catalog {
  /// Takes the patches of a list for packs whose old contents are there.
  mutating func addPatches(_ list: PatchList, ofPacks stored: Set<String>) {
    if list.formatVersion != 1 { return }
    let patches = Dictionary(list.packs.map { ($0.id, $0) }) { first, _ in first }
    for index in packs.indices where stored.contains(packs[index].id) {
      guard let patch = patches[packs[index].id], hexDigest(patch.digest) == packs[index].digest else {
        continue
      }
      packs[index].patch = patch.patch.checked
    }
  }
}

extension PublishedFile {
  /// The same with a digest of 64 hex digits; nil where it names no file below the server's URL.
  var checked: PublishedFile? {
    guard (0...Catalog.largest).contains(size), isSafe(path: path), let digest = hexDigest(digest) else {
      return nil
    }
    return PublishedFile(path: path, size: size, digest: digest)
  }
}

/// The 64 hex digits of a digest as JSON has it; nil where it is none.
func hexDigest(_ text: String) -> String? {
  let hex = text.utf8.dropFirst(7)
  let isHex = hex.count == 64 && hex.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  return text.hasPrefix("sha256:") && isHex ? String(decoding: hex, as: UTF8.self) : nil
}

/// Whether a text has no control characters, which would break the lines that it is written to.
private func isPlain(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }

/// Whether a path leads to a file below the folder that it starts from, on every system.
func isSafe(path: String) -> Bool {
  let names = path.utf8.split(separator: 0x2F, omittingEmptySubsequences: false)
  return isPlain(path) && path.utf8.count <= 4096 && !path.utf8.contains(0x5C) && !path.utf8.contains(0x3A)
    && names.allSatisfy { !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) }
}
