#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A reusable byte buffer that keeps its memory when it is cleared.
@usableFromInline
package struct ByteBuffer: Sendable {
  /// The allocated memory.
  ///
  /// Only the first `count` bytes are in use, so the memory does not have to be zeroed when the buffer is
  /// reused.
  private var storage: [UInt8] = []
  package private(set) var count = 0

  package init() {}

  package init(capacity: Int) { grow(to: capacity) }

  package var isEmpty: Bool { count == 0 }

  package mutating func clear() { count = 0 }

  @usableFromInline
  package mutating func append(_ bytes: RawSpan) {
    _ = append(atMost: bytes.byteCount) { space in
      bytes.withUnsafeBytes { space.copyMemory(from: $0) }
      return bytes.byteCount
    }
  }

  package mutating func append(_ bytes: ArraySlice<UInt8>) { append(bytes.span.bytes) }

  package mutating func append(_ text: String) { append(text.utf8Span.span.bytes) }

  package mutating func append(_ byte: UInt8) {
    if count == storage.count { grow(to: count + 1) }
    storage[count] = byte
    count += 1
  }

  /// Calls `body` with all bytes of the buffer.
  package func withBytes<Result: ~Copyable, Failure: Error>(
    _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(storage.span.extracting(first: count).bytes)
  }

  /// Calls `body` with the bytes in a range.
  package func withBytes<Result: ~Copyable, Failure: Error>(
    _ range: Range<Int>, body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    precondition(range.upperBound <= count)
    return try body(storage.span.extracting(range).bytes)
  }

  /// Calls `body` with the bytes from an index on.
  package func withSpan<Result, Failure: Error>(
    from start: Int, body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    precondition(start <= count)
    return try body(storage.span.extracting(start..<count))
  }

  /// Removes all bytes after the first `size` bytes.
  package mutating func truncate(to size: Int) {
    precondition(size <= count)
    count = size
  }

  package subscript(index: Int) -> UInt8 {
    precondition(index < count)
    return storage[index]
  }

  /// Replaces one byte with the result of `change`.
  package mutating func replaceByte(at index: Int, change: (UInt8) -> UInt8) {
    precondition(index < count)
    storage[index] = change(storage[index])
  }

  package func array() -> [UInt8] { Array(storage[..<count]) }

  /// Lets `fill` append up to `size` bytes.
  ///
  /// `fill` returns the number of bytes that it wrote, or nil if it failed.
  ///
  /// - Returns: whether `fill` failed.
  package mutating func append(atMost size: Int, fill: (UnsafeMutableRawBufferPointer) -> Int?) -> Bool {
    if storage.count < count + size { grow(to: count + size) }
    guard size > 0 else { return false }
    let start = count
    let filled = storage.withUnsafeMutableBytes {
      fill(UnsafeMutableRawBufferPointer(rebasing: $0[start..<start + size]))
    }
    count += filled ?? 0
    return filled == nil
  }

  private mutating func grow(to size: Int) {
    let capacity = max(size, min(storage.count * 2, storage.count + 1 << 24), 256)
    storage = [UInt8](unsafeUninitializedCapacity: capacity) { space, filled in
      let used = storage.withUnsafeBytes { old in
        UnsafeMutableRawBufferPointer(space).copyMemory(from: UnsafeRawBufferPointer(rebasing: old[..<count]))
        return count
      }
      if let start = space.baseAddress { memset(start + used, 0, capacity - used) }
      filled = capacity
    }
  }
}

extension Span<UInt8> {
  /// Returns the index of the first byte with a value; nil if no byte has it.
  package func firstIndex(of byte: UInt8) -> Int? {
    withUnsafeBytes { memory in
      guard let start = memory.baseAddress, let hit = memchr(start, Int32(byte), memory.count) else {
        return nil
      }
      return UnsafeRawPointer(hit) - start
    }
  }

  /// Whether the buffer contains a sequence of bytes.
  package func contains(_ pattern: [UInt8]) -> Bool {
    guard let first = pattern.first else { return true }
    return withUnsafeBytes { memory in
      guard var rest = memory.baseAddress else { return false }
      let last = rest + memory.count - pattern.count
      // Swift does not import memmem on Linux.
      while rest <= last, let hit = memchr(rest, Int32(first), last - rest + 1) {
        if memcmp(hit, pattern, pattern.count) == 0 { return true }
        rest = UnsafeRawPointer(hit) + 1
      }
      return false
    }
  }

  /// Returns the number of occurrences of a byte value.
  package func count(of byte: UInt8) -> Int {
    // There are no bounds checks, and sums have one byte. The compiler can therefore process many bytes per
    // instruction.
    withUnsafeBufferPointer { bytes in
      var count = 0
      for start in stride(from: 0, to: bytes.count, by: 255) {
        var some: UInt8 = 0
        for index in start..<min(start + 255, bytes.count) { some &+= bytes[index] == byte ? 1 : 0 }
        count += Int(some)
      }
      return count
    }
  }
}

extension UInt8 {
  /// Whether the byte is an ASCII digit.
  @inlinable
  package var isDigit: Bool { self &- 0x30 < 10 }

  /// Whether the byte is an ASCII letter or digit.
  @inlinable
  package var isLetterOrDigit: Bool { isDigit || (self | 0x20) &- 0x61 < 26 }
}

/// Adds sizes that untrusted files, indexes and archives state, without overflow.
extension Sequence {
  /// Returns the sum of the elements' sizes, or `Int64.max` if the sum overflows.
  ///
  /// The function is inlinable. Otherwise, a generic function would look up its types for each of, say,
  /// 200,000 files.
  @inlinable
  package func saturatingSum(_ size: (Element) -> Int64) -> Int64 {
    reduce(0) { $0.saturatingSum(with: size($1)) }
  }
}

extension Sequence<Int64> {
  /// The sum of non-negative numbers; nil if the sum overflows.
  package var exactSum: Int64? {
    var sum: Int64 = 0
    for number in self {
      let (next, overflows) = sum.addingReportingOverflow(number)
      if overflows { return nil }
      sum = next
    }
    return sum
  }
}

extension Int64? {
  /// Returns the sum of two sizes; nil if one of the sizes is unknown.
  package func saturatingSum(with other: Int64?) -> Int64? {
    flatMap { size in other.map { size.saturatingSum(with: $0) } }
  }
}

extension Int64 {
  /// Returns the sum of two sizes, or `Int64.max` if it overflows.
  ///
  /// The sum can overflow because files and indexes can state any size.
  @inlinable
  package func saturatingSum(with other: Int64) -> Int64 {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? .max : sum
  }
}
