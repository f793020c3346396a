import CCrypto
import CDeflate

/// The CRC-32 that zip and gzip carry, computed by libdeflate.
package struct Checksum: Sendable, Hashable {
  package private(set) var value: UInt32 = 0

  package init() {}

  /// A checksum that was computed before.
  package init(value: UInt32) { self.value = value }

  package mutating func update(_ bytes: RawSpan) {
    // libdeflate takes a null buffer as "start again".
    guard bytes.byteCount > 0 else { return }
    value = bytes.withUnsafeBytes { libdeflate_crc32(value, $0.baseAddress, $0.count) }
  }
}

/// MD5 of a text, computed by libcrypto; only for naming packs as Xcode does, not for security.
package enum MD5 {
  /// The digest of a text's UTF-8 bytes in lower-case hex.
  package static func hex(of text: String) -> String {
    var text = text
    var digest = [UInt8](repeating: 0, count: 16)
    let done = text.withUTF8 {
      EVP_Digest($0.baseAddress, $0.count, &digest, nil, algorithm, nil)
    }
    precondition(done == 1)
    return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

/// Fetched once, since OpenSSL 3 takes a lock for each look-up of an algorithm by name.
nonisolated(unsafe) private let algorithm = EVP_MD_fetch(nil, "MD5", nil)!
