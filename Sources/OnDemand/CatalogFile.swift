import Foundation

/// Writes values in a binary format, which is about 30 times as fast as JSON.
struct ByteWriter {
  private(set) var data = Data()

  /// Makes a writer whose output begins with the name and version of the format.
  init(_ format: String) { add(format) }

  mutating func add(_ number: Int64) {
    withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
  }

  mutating func add(_ number: Double) { add(Int64(bitPattern: number.bitPattern)) }

  mutating func add(_ text: String) {
    add(Int64(text.utf8.count))
    data.append(contentsOf: text.utf8)
  }

  /// Adds a string, or a mark that the string is missing.
  mutating func add(optional text: String?) {
    add(Int64(text == nil ? 0 : 1))
    if let text { add(text) }
  }

  /// Adds a number, or a mark that the number is missing.
  mutating func add(optional number: Int64?) {
    add(Int64(number == nil ? 0 : 1))
    if let number { add(number) }
  }

  mutating func add<Element>(_ list: some Collection<Element>, each: (inout ByteWriter, Element) -> Void) {
    add(Int64(list.count))
    for element in list { each(&self, element) }
  }
}

/// Reads bytes that `ByteWriter` wrote, and throws an error if they have another format.
struct ByteReader {
  struct WrongFormat: Error {}

  private let bytes: [UInt8]
  private var place = 0

  init(_ data: Data, format: String) throws {
    bytes = Array(data)
    if try text() != format { throw WrongFormat() }
  }

  /// Whether all bytes were read.
  var isAtEnd: Bool { place == bytes.count }

  mutating func number() throws -> Int64 {
    if bytes.count - place < 8 { throw WrongFormat() }
    var number: UInt64 = 0
    for offset in 0..<8 { number |= UInt64(bytes[place + offset]) << UInt64(offset * 8) }
    place += 8
    return Int64(bitPattern: number)
  }

  mutating func real() throws -> Double { Double(bitPattern: UInt64(bitPattern: try number())) }

  mutating func text() throws -> String {
    let count = try number()
    if count < 0 || count > Int64(bytes.count - place) { throw WrongFormat() }
    defer { place += Int(count) }
    return String(decoding: bytes[place..<place + Int(count)], as: UTF8.self)
  }

  mutating func optionalText() throws -> String? { try number() == 0 ? nil : try text() }
  mutating func optionalNumber() throws -> Int64? { try number() == 0 ? nil : try number() }

  mutating func list<Element>(_ each: (inout ByteReader) throws -> Element) throws -> [Element] {
    let count = try number()
    // Each element has at least one number, and a number has 8 bytes.
    if count < 0 || count > Int64(bytes.count - place) / 8 { throw WrongFormat() }
    var elements: [Element] = []
    elements.reserveCapacity(Int(count))
    for _ in 0..<count { elements.append(try each(&self)) }
    return elements
  }
}

extension Catalog {
  private static let format = "packtool catalog 1"

  /// The contents of the file in which the store keeps the release.
  var stored: Data {
    var writer = ByteWriter(Self.format)
    writer.add(optional: bundleIdentifier)
    writer.add(optional: number)
    writer.add(optional: expires)
    writer.add(indexDigest)
    writer.add(packs) { writer, pack in
      writer.add(pack.id)
      writer.add(pack.tags) { $0.add($1) }
      writer.add(pack.size)
      writer.add(pack.fileCount)
      writer.add(pack.digest.rawValue)
      writer.add(pack.key)
      writer.add(pack.archive)
      writer.add(pack.patches) {
        $0.add($1.base)
        $0.add($1.file)
      }
    }
    writer.add(initialInstall) { $0.add($1) }
    writer.add(prefetch) { $0.add($1) }
    return writer.data
  }

  init(stored: Data) throws {
    var reader = try ByteReader(stored, format: Self.format)
    bundleIdentifier = try reader.optionalText()
    number = try reader.optionalNumber()
    expires = try reader.optionalText()
    indexDigest = try reader.text()
    packs = try reader.list { reader in
      try Pack(
        id: reader.text(), tags: reader.list { try $0.text() }, size: reader.number(),
        fileCount: reader.number(), digest: reader.digest(), key: reader.text(), archive: reader.file(),
        patches: reader.list { try PackPatch(base: $0.text(), file: $0.file()) })
    }
    initialInstall = try reader.list { try $0.text() }
    prefetch = try reader.list { try $0.text() }
    if !reader.isAtEnd { throw ByteReader.WrongFormat() }
  }
}

extension Catalog.Pack {
  /// Makes a pack whose key has already been computed.
  fileprivate init(
    id: String, tags: [String], size: Int64, fileCount: Int64, digest: PublishedDigest, key: String,
    archive: PublishedFile, patches: [Catalog.PackPatch]
  ) {
    (self.id, self.tags, self.size, self.fileCount) = (id, tags, size, fileCount)
    (self.digest, self.key, self.archive, self.patches) = (digest, key, archive, patches)
  }
}

extension ByteWriter {
  fileprivate mutating func add(_ file: PublishedFile) {
    add(file.path)
    add(file.size)
    add(file.digest.rawValue)
  }
}

extension ByteReader {
  fileprivate mutating func digest() throws -> PublishedDigest {
    guard let digest = PublishedDigest(rawValue: try text()) else { throw WrongFormat() }
    return digest
  }

  fileprivate mutating func file() throws -> PublishedFile {
    try PublishedFile(path: text(), size: number(), digest: digest())
  }
}
