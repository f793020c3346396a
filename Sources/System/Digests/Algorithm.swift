import CCrypto

/// A digest algorithm as libcrypto knows it.
///
/// Fetched once, since OpenSSL 3 takes a lock for each look-up of an algorithm by name.
struct Algorithm: @unchecked Sendable {
  let pointer: OpaquePointer

  init(_ name: String) {
    pointer = EVP_MD_fetch(nil, name, nil)!
  }
}
