/// Takes numbers and texts out of bytes that may be damaged.
package struct BinaryReader: Sendable {
  /// Bytes that do not hold what they should.
  package struct Damage: Error {
    package init() {}
  }

  private let bytes: [UInt8]
  private var position = 0

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The CRC-32 of all but the last four bytes, which should say the same.
  package func hasChecksumAtEnd() -> Bool {
    guard bytes.count >= 4 else { return false }
    var checksum = Checksum()
    checksum.update(bytes.span.extracting(droppingLast: 4).bytes)
    return bytes.suffix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) } == checksum.value
  }

  // Not one generic function: across modules that would look up its types at every call.

  /// An integer, its lowest byte first.
  package mutating func integer() throws(Damage) -> UInt8 { try load() }
  /// An integer, its lowest byte first.
  package mutating func integer() throws(Damage) -> UInt16 { try load() }
  /// An integer, its lowest byte first.
  package mutating func integer() throws(Damage) -> UInt32 { try load() }
  /// An integer, its lowest byte first.
  package mutating func integer() throws(Damage) -> UInt64 { try load() }
  /// An integer, its lowest byte first.
  package mutating func integer() throws(Damage) -> Int64 { try load() }

  private mutating func load<Value: FixedWidthInteger>() throws(Damage) -> Value {
    let start = try take(MemoryLayout<Value>.size)
    return bytes.withUnsafeBytes {
      Value(littleEndian: $0.loadUnaligned(fromByteOffset: start, as: Value.self))
    }
  }

  /// A number of things to come, of which each takes at least `size` bytes.
  package mutating func count(ofSize size: Int) throws(Damage) -> Int {
    let count = Int(try integer() as UInt32)
    if count > (bytes.count - position) / size { throw Damage() }
    return count
  }

  /// A text behind the number of its bytes.
  package mutating func text() throws(Damage) -> String {
    let count = try count(ofSize: 1)
    let start = try take(count)
    guard let text = String(validating: bytes[start..<start + count], as: UTF8.self) else { throw Damage() }
    return text
  }

  package mutating func digest() throws(Damage) -> Digest {
    let start = try take(32)
    return bytes.withUnsafeBytes { Digest(UnsafeRawBufferPointer(rebasing: $0[start..<start + 32])) }
  }

  private mutating func take(_ count: Int) throws(Damage) -> Int {
    if bytes.count - position < count { throw Damage() }
    position += count
    return position - count
  }
}

extension ByteBuffer {
  /// Appends an integer's bytes, the lowest first.
  package mutating func append(little value: UInt8) { append(value) }
  /// Appends an integer's bytes, the lowest first.
  package mutating func append(little value: UInt16) { store(value) }
  /// Appends an integer's bytes, the lowest first.
  package mutating func append(little value: UInt32) { store(value) }
  /// Appends an integer's bytes, the lowest first.
  package mutating func append(little value: UInt64) { store(value) }
  /// Appends an integer's bytes, the lowest first.
  package mutating func append(little value: Int64) { store(value) }

  private mutating func store(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.littleEndian) { append($0.bytes) }
  }

  /// Appends a text behind the number of its bytes.
  package mutating func append(counted text: String) {
    append(little: UInt32(text.utf8.count))
    append(text)
  }

  /// Appends a digest's 32 bytes.
  package mutating func append(_ digest: Digest) {
    digest.withBytes { append($0) }
  }
}
