/// Reads a deflate stream's bits, the lowest of each byte first; those behind its end are zero.
struct BitReader {
  private let bytes: UnsafeRawBufferPointer
  /// The offset of the first byte that is not in `bits`.
  private var next = 0
  private var bits: UInt64 = 0
  /// How many of `bits` have not been passed.
  private var count = 0

  /// How many bits `fill` makes ready at least.
  private static let ready = 56

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// How many bits have been passed.
  var offset: Int { next * 8 - count }

  var isBehindEnd: Bool { offset > bytes.count * 8 }

  /// Makes 56 bits ready by one load; false, having done nothing, near the stream's end.
  @inline(__always)
  mutating func fillByWord() -> Bool {
    guard next &+ 8 <= bytes.count else { return false }
    let word = bytes.loadUnaligned(fromByteOffset: next, as: UInt64.self)
    bits |= UInt64(littleEndian: word) &<< UInt64(truncatingIfNeeded: count)
    next &+= (63 &- count) &>> 3
    count |= Self.ready
    return true
  }

  /// Makes 56 bits ready.
  mutating func fill() {
    if fillByWord() { return }
    while count < Self.ready {
      if next < bytes.count { bits |= UInt64(bytes[next]) << UInt64(count) }
      next += 1
      count += 8
    }
  }

  /// The next bits, of those that are ready.
  @inline(__always)
  func peek(_ size: Int) -> Int { Int(truncatingIfNeeded: bits & (1 &<< UInt64(size) &- 1)) }

  /// Passes bits that are ready.
  @inline(__always)
  mutating func skip(_ size: Int) {
    bits &>>= UInt64(truncatingIfNeeded: size)
    count &-= size
  }

  /// Passes a number of up to 16 bits.
  mutating func read(_ size: Int) -> Int {
    fill()
    defer { skip(size) }
    return peek(size)
  }

  /// Passes the rest of a byte, and then whole bytes.
  mutating func skipToByte(andBytes size: Int) {
    let start = (offset + 7) / 8
    next = start + size
    bits = 0
    count = 0
  }
}
