import CCrypto

/// A running SHA-256, computed by libcrypto.
package struct SHA256: ~Copyable, @unchecked Sendable {
  private let context: OpaquePointer

  package init() {
    context = EVP_MD_CTX_new()!
    precondition(EVP_DigestInit_ex2(context, algorithm.pointer, nil) == 1)
  }

  deinit { EVP_MD_CTX_free(context) }

  package mutating func update(_ bytes: RawSpan) {
    bytes.withUnsafeBytes { _ = EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
  }

  /// The digest of all bytes since the start, or since this was last called.
  package mutating func finish() -> Digest {
    withUnsafeTemporaryAllocation(byteCount: 32, alignment: 8) { output in
      EVP_DigestFinal_ex(context, output.baseAddress, nil)
      EVP_DigestInit_ex2(context, nil, nil)
      return Digest(UnsafeRawBufferPointer(output))
    }
  }

  /// The digest of one run of bytes.
  package static func digest(of bytes: RawSpan) -> Digest {
    var digest = SHA256()
    digest.update(bytes)
    return digest.finish()
  }
}

private let algorithm = Algorithm("SHA256")
