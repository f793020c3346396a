import Foundation

/// The list of a stored pack's files.
struct PackList: Sendable {
  struct File: Sendable {
    let digest: String
    let size: Int64
    let path: String
  }

  let files: [File]

  /// Reads the list of a stored pack; nil if the list does not match the pack's digest.
  init?(_ folder: StoreFolder, pack: Catalog.Pack) {
    guard let data = try? Data(contentsOf: folder.list(of: pack.key)),
      SHA256Digest.hex(of: data) == pack.digest.hex
    else { return nil }
    self.init(data)
  }

  init(_ data: Data) {
    // The code splits bytes, not Characters. A space and a combining accent after it are one Character, and a
    // name can begin with such an accent.
    files = data.split(separator: UInt8(ascii: "\n")).compactMap { line in
      let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 2).map {
        String(decoding: $0, as: UTF8.self)
      }
      guard fields.count == 3, let size = Int64(fields[1]) else { return nil }
      return File(digest: fields[0], size: size, path: fields[2])
    }
  }
}
