import Foundation

/// A file that a server has, as the index or a list names it.
struct PublishedFile: Sendable, Hashable {
  let path: String
  let size: Int64
  /// 64 hex digits.
  let digest: String
}

/// What a store needs of an `index.json`: checked, and kept in a form that opens fast.
struct Catalog: Sendable {
  struct Pack: Sendable {
    let id: String
    let tags: [String]
    let size: Int64
    let fileCount: Int64
    /// Of the contents.
    let digest: String
    let archive: PublishedFile
    /// From the release that was in place before, where its pack was stored.
    var patch: PublishedFile?
  }

  /// The SHA-256 of `index.json`.
  let digest: String
  let number: Int64
  var packs: [Pack]
  /// By their place in `packs`.
  let initialInstall: [Int]
  let prefetch: [Int]

  /// The most bytes of an index, and of a list of patches: about 15,000 packs.
  static let longest = 8 << 20
  /// The most values in one, so that hostile JSON takes no more memory than an honest one.
  private static let mostValues = 400_000
}

/// `index.json`.
extension Catalog {
  /// The keys of an index that are read.
  struct Index: Decodable {
    struct File: Decodable {
      let path: String
      let size: Int64
      let digest: String
    }
    struct Pack: Decodable {
      let id: String
      let tags: [String]
      let size: Int64
      let fileCount: Int64
      let digest: String
      let archive: File
    }
    struct Delivery: Decodable { let packs: [String] }
    struct Patches: Decodable {
      let from: String
      let path: String
      let size: Int64
      let digest: String
    }

    let formatVersion: Int
    let release: Int64?
    let expires: String?
    let packs: [Pack]
    let initialInstall: Delivery?
    let prefetch: Delivery?
    let patches: [Patches]?
  }

  /// A list of patches from one release.
  struct PatchList: Decodable {
    struct Pack: Decodable {
      let id: String
      let digest: String
      let patch: Index.File
    }
    let formatVersion: Int
    let from: String
    let packs: [Pack]
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
    var total: Int64 = 0
    for pack in index.packs {
      total = total.addingReportingOverflow(pack.size).partialValue
      guard pack.size >= 0, total >= 0, pack.fileCount >= 0, ([pack.id] + pack.tags).allSatisfy(isPlain),
        !pack.id.isEmpty, let digest = hexDigest(pack.digest), let archive = PublishedFile(pack.archive),
        places.updateValue(packs.count, forKey: pack.id) == nil
      else { throw .damaged(pack: pack.id, reason: "its entry in the index is wrong") }
      packs.append(
        Pack(
          id: pack.id, tags: pack.tags, size: pack.size, fileCount: pack.fileCount, digest: digest,
          archive: archive))
    }
    self.packs = packs
    initialInstall = index.initialInstall?.packs.compactMap { places[$0] } ?? []
    prefetch = index.prefetch?.packs.compactMap { places[$0] } ?? []
  }
}

extension PublishedFile {
  /// Nil where it names no file below the server's URL.
  init?(_ file: Catalog.Index.File) {
    guard file.size >= 0, isSafe(path: file.path), let digest = hexDigest(file.digest) else { return nil }
    self.init(path: file.path, size: file.size, digest: digest)
  }
}

/// The text in which a store keeps it: a line for each pack, its fields between tabs.
extension Catalog {
  var text: String {
    var lines = ["release\t\(digest)\t\(number)"]
    for pack in packs {
      var fields = [
        "pack", pack.id, pack.tags.joined(separator: "\u{1F}"), "\(pack.size)", "\(pack.fileCount)", pack.digest,
      ]
      for file in [pack.archive, pack.patch] {
        if let file { fields += [file.path, "\(file.size)", file.digest] }
      }
      lines.append(fields.joined(separator: "\t"))
    }
    for (name, order) in [("initial", initialInstall), ("prefetch", prefetch)] {
      lines.append(([name] + order.map(String.init)).joined(separator: "\t"))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Nil where the text is not whole.
  init?(text data: Data) {
    var lines = Array(data).split(separator: 10)[...]
    guard let first = lines.popFirst().map(Self.fields), first.count == 3, first[0] == "release",
      let number = Int64(first[2]), let prefetch = lines.popLast().map(Self.fields),
      let initial = lines.popLast().map(Self.fields), prefetch[0] == "prefetch", initial[0] == "initial"
    else { return nil }
    let packs = lines.compactMap { Pack(fields: Self.fields($0)) }
    let orders = [initial, prefetch].map { $0.dropFirst().compactMap { Int($0) } }
    if packs.count != lines.count || !orders.joined().allSatisfy(packs.indices.contains) { return nil }
    (digest, self.number, self.packs) = (first[1], number, packs)
    (initialInstall, self.prefetch) = (orders[0], orders[1])
  }

  private static func fields(_ line: ArraySlice<UInt8>) -> [String] {
    line.split(separator: 9, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
  }
}

extension Catalog.Pack {
  fileprivate init?(fields: [String]) {
    guard fields.count == 9 || fields.count == 12, fields[0] == "pack", let size = Int64(fields[3]),
      let fileCount = Int64(fields[4]), let archive = PublishedFile(fields: fields[6..<9])
    else { return nil }
    let tags = fields[2].split(separator: "\u{1F}").map(String.init)
    (id, self.tags, self.size, self.fileCount, digest) = (fields[1], tags, size, fileCount, fields[5])
    self.archive = archive
    patch = fields.count == 12 ? PublishedFile(fields: fields[9..<12]) : nil
  }
}

extension PublishedFile {
  fileprivate init?(fields: ArraySlice<String>) {
    guard let size = Int64(fields[fields.startIndex + 1]) else { return nil }
    self.init(path: fields[fields.startIndex], size: size, digest: fields[fields.startIndex + 2])
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
