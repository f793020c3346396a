import CDeflate

/// The CRC-32 that zip and gzip carry, computed by libdeflate.
package struct Checksum: Sendable, Hashable {
  package private(set) var value: UInt32 = 0

  package init() {}

  /// A checksum that was computed before.
  package init(value: UInt32) {
    self.value = value
  }

  package mutating func update(_ bytes: RawSpan) {
    // libdeflate takes a null buffer as "start again".
    guard bytes.byteCount > 0 else { return }
    value = bytes.withUnsafeBytes { libdeflate_crc32(value, $0.baseAddress, $0.count) }
  }
}
