import CCrypto

/// MD5 of a text, computed by libcrypto; only for naming packs as Xcode does, not for security.
package enum MD5 {
  /// The digest of a text's UTF-8 bytes in lower-case hex.
  package static func hex(of text: String) -> String {
    var text = text
    var digest = [UInt8](repeating: 0, count: 16)
    let done = text.withUTF8 {
      EVP_Digest($0.baseAddress, $0.count, &digest, nil, algorithm.pointer, nil)
    }
    precondition(done == 1)
    return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

/// Fetched once, since OpenSSL 3 takes a lock for each look-up of an algorithm by name.
private let algorithm = Algorithm("MD5")

/// A digest algorithm as libcrypto knows it.
///
/// Fetched once, since OpenSSL 3 takes a lock for each look-up of an algorithm by name.
struct Algorithm: @unchecked Sendable {
  let pointer: OpaquePointer

  init(_ name: String) {
    pointer = EVP_MD_fetch(nil, name, nil)!
  }
}
