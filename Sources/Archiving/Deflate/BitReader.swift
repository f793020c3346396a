/// Reads a deflate stream's bits, the lowest of each byte first; those behind its end are zero.
struct BitReader {
  private let bytes: UnsafeRawBufferPointer
  /// The offset of the first byte that is not whole among the bits that are ready.
  private var next = 0
  /// The bits that are ready; above them may stand some of the byte at `next`, which the next load sets again.
  private var bits: UInt64 = 0
  private var count = 0

  /// How many bits `fill` makes ready at least.
  private static let ready = 56

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  var offset: Int { next * 8 - count }

  var isBehindEnd: Bool { offset > bytes.count * 8 }

  /// Makes 56 bits ready by one load; false, having done nothing, near the stream's end.
  @inline(__always)
  mutating func fillByWord() -> Bool {
    guard next &+ 8 <= bytes.count else { return false }
    let word = bytes.loadUnaligned(fromByteOffset: next, as: UInt64.self)
    bits |= UInt64(littleEndian: word) &<< UInt64(truncatingIfNeeded: count)
    // As many whole bytes as there was room for, after which 56 to 63 bits are ready.
    next &+= (63 &- count) &>> 3
    count |= Self.ready
    return true
  }

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

  /// Passes the rest of a byte.
  mutating func align() {
    next = (offset + 7) / 8
    bits = 0
    count = 0
  }

  /// Passes whole bytes, from the first bit of one.
  mutating func skip(bytes size: Int) {
    align()
    next += size
  }
}
