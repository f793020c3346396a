#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Compares strings by their UTF-8 bytes.
package enum ByteOrder {
  /// Returns a negative number if the first string comes first, and 0 if both strings have the same bytes.
  package static func compare(_ first: String, _ second: String) -> Int {
    compare(first, utf8: second.utf8Span.span.bytes)
  }

  /// Compares substrings.
  package static func compare(_ first: Substring, _ second: Substring) -> Int {
    compare(first.utf8Span.span.bytes, second.utf8Span.span.bytes)
  }

  /// Compares strings that are given as UTF-8 bytes.
  package static func compare(_ first: Span<UInt8>, _ second: Span<UInt8>) -> Int {
    compare(first.bytes, second.bytes)
  }

  /// Compares a string with the UTF-8 bytes of another string.
  package static func compare(_ first: String, utf8 second: RawSpan) -> Int {
    compare(first.utf8Span.span.bytes, second)
  }

  /// Returns a negative number if the first bytes come first, and 0 if both sequences are the same.
  private static func compare(_ first: RawSpan, _ second: RawSpan) -> Int {
    let (length, otherLength) = (first.byteCount, second.byteCount)
    let order = first.withUnsafeBytes { ours in
      second.withUnsafeBytes { theirs in
        length == 0 || otherLength == 0
          ? 0 : memcmp(ours.baseAddress!, theirs.baseAddress!, min(length, otherLength))
      }
    }
    return order == 0 ? length - otherLength : Int(order)
  }
}

/// A string that sets and dictionaries compare by its UTF-8 bytes.
///
/// With `String` as the key type, two Unicode normalizations of a name would be the same key.
package struct ByteKey: Sendable, Hashable {
  private let bytes: [UInt8]

  package init(_ text: String) { bytes = Array(text.utf8) }

  package init(_ text: Substring) { bytes = Array(text.utf8) }

  /// Creates the key of a string from the string's UTF-8 bytes.
  package init(utf8 bytes: [UInt8]) { self.bytes = bytes }

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  // All bytes are hashed with one call, because the array's own `hash` would hash them one by one.
  package func hash(into hasher: inout Hasher) { bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }
}
