import Foundation
import Support

@testable import OnDemand

/// A zip archive with the contents that a test needs, and an index for it.
struct RawZip {
  /// An entry of a zip.
  ///
  /// The entry's headers can disagree with its bytes.
  struct Entry {
    let path: String
    let data: Data
    var size: Int
    var isDeflated = false
    var mode: UInt32 = 0o100644
    var localName: String
    var localMethod: UInt16?
    var method: UInt16?
    var flags: UInt16 = 0x800
    /// The compressed size that the directory states, if it differs from the real size.
    var packedSize: Int?
    /// The difference between the offset that the directory states and the real offset.
    var offset = 0
    /// Whether the entry's sizes and its offset are in a 64-bit field.
    var isZip64 = false
    /// The bytes of an additional extra field in the entry's own header.
    var localExtra = Data()
    /// The comment for the entry in the directory.
    var comment = ""

    init(_ path: String, _ data: Data) {
      (self.path, self.data, localName, size) = (path, data, path, data.count)
    }

    init(_ path: String, _ text: String, _ change: (inout Entry) -> Void = { _ in }) {
      self.init(path, Data(text.utf8))
      change(&self)
    }

    init(_ path: String, _ text: String, size: Int? = nil, isDeflated: Bool = false) {
      self.init(path, Data(text.utf8))
      (self.size, self.isDeflated) = (size ?? data.count, isDeflated)
    }

    var packed: Data {
      get throws { isDeflated ? try data.deflated : data }
    }
  }

  let bytes: Data
  let index: Data
  let pack: Catalog.Pack

  /// Makes an archive.
  ///
  /// `change` can change the bytes of the archive. After that, their digest is written to the index.
  init(
    _ entries: [Entry], fileCount: Int? = nil, size: Int? = nil, digest: String? = nil, cut: Int? = nil,
    isZip64: Bool = false, change: (inout Data) -> Void = { _ in }
  ) {
    var (body, directory) = (Data(), Data())
    for entry in entries {
      let packed = (try? entry.packed) ?? Data()
      let method: UInt16 = entry.method ?? (entry.isDeflated ? 8 : 0)
      let (packedSize, place) = (entry.packedSize ?? packed.count, body.count + entry.offset)
      body.add(0x0403_4b50 as UInt32, 20 as UInt16, entry.flags, entry.localMethod ?? method, 0 as UInt32)
      body.add(0 as UInt32, UInt32(packed.count), UInt32(entry.size), UInt16(entry.localName.utf8.count))
      body.add(UInt16(entry.localExtra.count))
      body += Data(entry.localName.utf8) + entry.localExtra + packed
      directory.add(0x0201_4b50 as UInt32, 0x314 as UInt16, 20 as UInt16, entry.flags, method, 0 as UInt32)
      let numbers =
        entry.isZip64 ? [.max, .max, .max] : [UInt32(packedSize), UInt32(entry.size), UInt32(place)]
      directory.add(0 as UInt32, numbers[0], numbers[1], UInt16(entry.path.utf8.count))
      directory.add(
        UInt16(entry.isZip64 ? 28 : 0), UInt16(entry.comment.utf8.count), 0 as UInt16, 0 as UInt16)
      directory.add(entry.mode << 16, numbers[2])
      directory += Data(entry.path.utf8)
      if entry.isZip64 {
        directory.add(1 as UInt16, 24 as UInt16, UInt64(entry.size), UInt64(packedSize), UInt64(place))
      }
      directory += Data(entry.comment.utf8)
    }
    var all = body + directory
    if isZip64 {
      all.add(0x0606_4b50 as UInt32, 44 as UInt64, 0x32d as UInt16, 45 as UInt16, 0 as UInt64)
      all.add(UInt64(entries.count), UInt64(entries.count), UInt64(directory.count), UInt64(body.count))
      all.add(0x0706_4b50 as UInt32, 0 as UInt32, UInt64(body.count + directory.count), 1 as UInt32)
    }
    let count = isZip64 ? UInt16.max : UInt16(entries.count)
    all.add(0x0605_4b50 as UInt32, 0 as UInt32, count, count, UInt32(directory.count))
    all.add(isZip64 ? UInt32.max : UInt32(body.count), 0 as UInt16)
    change(&all)
    bytes = all.prefix(cut ?? all.count)
    let lines = entries.map { "\(SHA256Digest.hex(of: $0.data)) \($0.data.count) \($0.path)\n" }.joined()
    pack = Catalog.Pack(
      id: "p", tags: ["T"], size: Int64(size ?? entries.reduce(0) { $0 + $1.size }),
      fileCount: Int64(fileCount ?? entries.count),
      digest: PublishedDigest(rawValue: "sha256:\(digest ?? SHA256Digest.hex(of: Data(lines.utf8)))")!,
      archive: ServerFile(
        path: "packs/x.zip", size: Int64(bytes.count), digest: PublishedDigest(of: bytes)))
    index = Data(
      """
      {"formatVersion": 1, "packs": [{"id": "p", "tags": ["T"], "size": \(pack.size),
      "fileCount": \(pack.fileCount), "digest": "\(pack.digest.rawValue)",
      "archive": {"path": "packs/x.zip", "size": \(bytes.count), "digest": "\(pack.archive.digest.rawValue)"}}]}
      """.utf8)
  }
}

extension PublishedDigest {
  init(of data: Data) { self.init(rawValue: "sha256:" + SHA256Digest.hex(of: data))! }
}

extension Data {
  mutating func add(_ numbers: any FixedWidthInteger...) {
    for number in numbers { addOne(number) }
  }

  private mutating func addOne(_ number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }

  /// The data in the raw deflate format, compressed with Python's zlib.
  fileprivate var deflated: Data {
    get throws {
      let folder = try TemporaryFolder()
      try folder.write("in", self)
      let script = """
        import zlib; c = zlib.compressobj(9, zlib.DEFLATED, -15)
        open("out", "wb").write(c.compress(open("in", "rb").read()) + c.flush())
        """
      _ = try run("python3", ["-c", script], in: folder.path)
      return try folder.read("out")
    }
  }
}
