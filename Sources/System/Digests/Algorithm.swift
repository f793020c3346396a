import CCrypto

/// A digest algorithm as libcrypto knows it.
///
/// Fetched once: OpenSSL 3 looks an algorithm up under a lock each time it is named.
struct Algorithm: @unchecked Sendable {
  let pointer: OpaquePointer

  init(_ name: String) {
    pointer = EVP_MD_fetch(nil, name, nil)!
  }
}
