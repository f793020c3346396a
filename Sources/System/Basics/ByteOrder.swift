#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The order of texts by the bytes of their UTF-8.
package enum ByteOrder {
  /// Below zero if the first text comes first, zero if both are the same bytes.
  package static func compare(_ first: String, _ second: String) -> Int {
    compare(first, second.utf8Span.span.bytes)
  }

  /// The same for parts of texts.
  package static func compare(_ first: Substring, _ second: Substring) -> Int {
    compare(first.utf8Span.span.bytes, second.utf8Span.span.bytes)
  }

  /// The same for bytes of texts.
  package static func compare(_ first: Span<UInt8>, _ second: Span<UInt8>) -> Int {
    compare(first.bytes, second.bytes)
  }

  /// Below zero if the text comes before the bytes, zero if it is the same bytes.
  package static func compare(_ first: String, _ second: RawSpan) -> Int {
    compare(first.utf8Span.span.bytes, second)
  }

  /// Below zero if the first bytes come first, zero if both are the same.
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

/// A text as a key of sets and dictionaries, by the bytes of its UTF-8: as `String`s, two Unicode forms of one name would
/// be one key.
package struct ByteKey: Sendable, Hashable {
  private let bytes: [UInt8]

  package init(_ text: String) { bytes = Array(text.utf8) }

  package init(_ text: Substring) { bytes = Array(text.utf8) }

  /// The key of a text that is given by its UTF-8.
  package init(utf8 bytes: [UInt8]) { self.bytes = bytes }

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  // An array would hash its bytes one by one.
  package func hash(into hasher: inout Hasher) { bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }
}
