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
