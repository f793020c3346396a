/// Reads numbers and strings from bytes that may be damaged.
///
/// A file is read in windows, and is never loaded as a whole.
@usableFromInline
package struct BinaryReader: Sendable {
  /// The bytes are not in the expected format.
  @usableFromInline
  package struct Damage: Error {
    package init() {}
  }

  @usableFromInline var bytes: [UInt8]
  private var position = 0
  /// The CRC-32 of the bytes before the current window.
  private var checksum = Checksum()
  private let file: SharedFile?
  private var rest: Range<Int64> = 0..<0

  private static let windowSize = 1 << 18

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    file = nil
  }

  /// Creates a reader that starts at the beginning of a file.
  package init(_ input: consuming InputFile) throws(SystemError) {
    rest = 0..<(try input.status().size)
    bytes = []
    file = SharedFile(input)
  }

  /// Checks that exactly four bytes are left and that they are the CRC-32 of all bytes before them.
  package mutating func end() throws(Damage) {
    guard left == 4 else { throw Damage() }
    drop()
    let expected = checksum.value
    if try integer() as UInt32 != expected { throw Damage() }
  }

  private var left: Int64 { Int64(bytes.count - position) + Int64(rest.count) }

  /// Reads a little-endian integer.
  ///
  /// The function is inlinable. Otherwise, a generic function would look up its types at every call from
  /// another module.
  @inlinable
  package mutating func integer<Value: FixedWidthInteger>() throws(Damage) -> Value {
    let start = try advance(by: MemoryLayout<Value>.size)
    return bytes.withUnsafeBytes {
      Value(littleEndian: $0.loadUnaligned(fromByteOffset: start, as: Value.self))
    }
  }

  /// Reads `count` bytes, which `decode` converts to a value.
  ///
  /// Numbers that are read together need one check of the bounds instead of one for each number.
  @inlinable
  package mutating func value<Value>(
    ofSize count: Int, decode: (RawSpan) throws(Damage) -> Value
  ) throws(Damage) -> Value {
    let start = try advance(by: count)
    return try decode(bytes.span.extracting(start..<start + count).bytes)
  }

  /// Reads the number of items that follow.
  ///
  /// Each item has at least `size` bytes.
  package mutating func count(ofSize size: Int) throws(Damage) -> Int {
    let count = Int(try integer() as UInt32)
    if Int64(count) > left / Int64(size) { throw Damage() }
    return count
  }

  /// Reads a length in bytes and a string of that length.
  package mutating func text() throws(Damage) -> String {
    let count = try count(ofSize: 1)
    let start = try advance(by: count)
    guard let text = String(validating: bytes[start..<start + count], as: UTF8.self) else { throw Damage() }
    return text
  }

  /// Reads a length and a string of that length, and appends the string's bytes to a buffer.
  package mutating func text(into buffer: inout ByteBuffer) throws(Damage) {
    let count = try count(ofSize: 1)
    let start = try advance(by: count)
    buffer.append(bytes.span.extracting(start..<start + count).bytes)
  }

  package mutating func digest() throws(Damage) -> Digest {
    let start = try advance(by: 32)
    return bytes.withUnsafeBytes { Digest(UnsafeRawBufferPointer(rebasing: $0[start..<start + 32])) }
  }

  @usableFromInline
  mutating func advance(by count: Int) throws(Damage) -> Int {
    if bytes.count - position < count { try fill(count) }
    position += count
    return position - count
  }

  /// Reads ahead until the window has at least `count` unread bytes.
  private mutating func fill(_ count: Int) throws(Damage) {
    guard let file, Int64(count) <= left else { throw Damage() }
    drop()
    var window = ByteBuffer()
    window.append(bytes.span.bytes)
    let more = min(Int64(max(count - bytes.count, Self.windowSize)), Int64(rest.count))
    // If the file was truncated in the meantime, the call reads fewer bytes.
    guard (try? file.input.read(Int(more), at: rest.lowerBound, into: &window)) != nil,
      window.count == bytes.count + Int(more)
    else { throw Damage() }
    rest = (rest.lowerBound + more)..<rest.upperBound
    bytes = window.array()
  }

  private mutating func drop() {
    var checksum = checksum
    checksum.update(bytes.span.extracting(first: position).bytes)
    self.checksum = checksum
    bytes.removeFirst(position)
    position = 0
  }
}

extension RawSpan {
  /// Returns the little-endian integer at an offset in bytes.
  @inlinable
  package func little<Value: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> Value {
    Value(littleEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: Value.self))
  }
}

extension ByteBuffer {
  /// Appends a little-endian integer.
  @inlinable
  package mutating func append(little value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.littleEndian) { append($0.bytes) }
  }

  /// Appends the length of a string in bytes, and then the string.
  package mutating func append(counted text: String) {
    append(little: UInt32(text.utf8.count))
    append(text)
  }

  /// Appends a digest's 32 bytes.
  package mutating func append(_ digest: Digest) { digest.withBytes { append($0) } }
}

// Reads little-endian numbers.
extension [UInt8] {
  package func little16(at index: Int) -> UInt16 { UInt16(self[index]) | UInt16(self[index + 1]) << 8 }

  package func little32(at index: Int) -> UInt32 {
    UInt32(little16(at: index)) | UInt32(little16(at: index + 2)) << 16
  }

  package func little64(at index: Int) -> Int64 {
    Int64(bitPattern: UInt64(little32(at: index)) | UInt64(little32(at: index + 4)) << 32)
  }
}
