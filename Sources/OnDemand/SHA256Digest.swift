import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#else
  import CCrypto

  /// A replacement for CryptoKit's `SHA256` that uses libcrypto.
  private struct SHA256 {
    private var state = SHA256_CTX()

    init() { SHA256_Init(&state) }

    mutating func update(bufferPointer bytes: UnsafeRawBufferPointer) {
      SHA256_Update(&state, bytes.baseAddress, bytes.count)
    }

    func finalize() -> [UInt8] {
      var (copy, bytes) = (state, [UInt8](repeating: 0, count: 32))
      SHA256_Final(&bytes, &copy)
      return bytes
    }
  }
#endif

/// A SHA-256 that is computed in pieces.
struct SHA256Digest {
  private var state = SHA256()

  mutating func update(_ data: some ContiguousBytes) {
    data.withUnsafeBytes { state.update(bufferPointer: $0) }
  }

  func hex() -> String { state.finalize().map { hexDigits[Int($0)] }.joined() }

  static func hex(of data: some ContiguousBytes) -> String {
    var digest = SHA256Digest()
    digest.update(data)
    return digest.hex()
  }
}

/// The two hex digits of each byte.
///
/// The digits are in a table for speed, because opening a store formats thousands of digests.
private let hexDigits = (0..<256).map { String(0x100 + $0, radix: 16).dropFirst() }
