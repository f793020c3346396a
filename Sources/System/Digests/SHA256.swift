import CCrypto
import CSHA256

/// A running SHA-256, computed by libcrypto.
///
/// Uses the low-level interface instead of EVP, which hides the state that `update(_:_:with:)` works on.
package struct SHA256: ~Copyable, Sendable {
  private var state = SHA256_CTX()
  private static let block = Int(SHA256_CBLOCK)
  /// Whether the processor can compute two digests at once.
  private static let canPair = sha256_pair_works()

  package init() { SHA256_Init(&state) }

  package mutating func update(_ bytes: RawSpan) {
    bytes.withUnsafeBytes { _ = SHA256_Update(&state, $0.baseAddress, $0.count) }
  }

  /// Adds the same bytes to two digests, which takes two thirds of the time of one after the other where the
  /// processor can do both at once.
  package static func update(first: inout SHA256, second: inout SHA256, with bytes: RawSpan) {
    guard canPair else {
      first.update(bytes)
      second.update(bytes)
      return
    }
    bytes.withUnsafeBytes { bytes in
      // The two digests may stop at different offsets within a block.
      let (offset, otherOffset) = (first.fillBlock(from: bytes), second.fillBlock(from: bytes))
      let blocks = (bytes.count - max(offset, otherOffset)) / block
      if blocks > 0 {
        let (start, otherStart) = (bytes.baseAddress! + offset, bytes.baseAddress! + otherOffset)
        first.addBlocks(count: blocks) { words in
          second.addBlocks(count: blocks) { otherWords in
            sha256_pair(words, start, otherWords, otherStart, blocks)
          }
        }
      }
      first.update(bytes, from: offset + blocks * block)
      second.update(bytes, from: otherOffset + blocks * block)
    }
  }

  /// The digest of all bytes since the start, or since the last call of `finish`.
  package mutating func finish() -> Digest {
    withUnsafeTemporaryAllocation(byteCount: 32, alignment: 8) { output in
      SHA256_Final(output.baseAddress, &state)
      SHA256_Init(&state)
      return Digest(UnsafeRawBufferPointer(output))
    }
  }

  /// The digest of one run of bytes.
  package static func digest(of bytes: RawSpan) -> Digest {
    var digest = SHA256()
    digest.update(bytes)
    return digest.finish()
  }

  /// The digest of an array.
  package static func digest(of bytes: [UInt8]) -> Digest { digest(of: bytes.span.bytes) }

  /// Adds the bytes that complete the current block; returns how many.
  private mutating func fillBlock(from bytes: UnsafeRawBufferPointer) -> Int {
    let begun = Int(state.num)
    let count = begun == 0 ? 0 : min(Self.block - begun, bytes.count)
    SHA256_Update(&state, bytes.baseAddress, count)
    return count
  }

  /// Lets `body` add whole blocks to the state's eight words, whose length in bits it keeps in two halves.
  private mutating func addBlocks(count: Int, body: (UnsafeMutablePointer<UInt32>) -> Void) {
    withUnsafeMutableBytes(of: &state.h) { body($0.baseAddress!.assumingMemoryBound(to: UInt32.self)) }
    let bits = (UInt64(state.Nh) << 32 | UInt64(state.Nl)) &+ UInt64(count * Self.block) &* 8
    state.Nl = UInt32(truncatingIfNeeded: bits)
    state.Nh = UInt32(truncatingIfNeeded: bits >> 32)
  }

  private mutating func update(_ bytes: UnsafeRawBufferPointer, from offset: Int) {
    update(UnsafeRawBufferPointer(rebasing: bytes[offset...]).bytes)
  }
}
