import CCrypto

/// A running SHA-256, computed by libcrypto.
///
/// Called below EVP, whose state lies in memory of its own and which takes longer to be called for 64 bytes than
/// `update(_:_:with:)` saves.
package struct SHA256: ~Copyable, Sendable {
  private var state = SHA256_CTX()

  package init() {
    SHA256_Init(&state)
  }

  package mutating func update(_ bytes: RawSpan) {
    bytes.withUnsafeBytes { _ = SHA256_Update(&state, $0.baseAddress, $0.count) }
  }

  /// Takes the same bytes into two digests, in less time than one after the other.
  ///
  /// Each step of a SHA-256 waits for the one before it. Where two take turns block by block, a processor works at both:
  /// 2.0 to 2.4 GB/s in place of 1.7 with SHA instructions; without them it is up to an eighth slower.
  package static func update(_ first: inout SHA256, _ second: inout SHA256, with bytes: RawSpan) {
    let block = Int(SHA256_CBLOCK)
    bytes.withUnsafeBytes { bytes in
      // What was taken in before ends at another place of a block in each.
      var (place, otherPlace) = (first.fillBlock(from: bytes), second.fillBlock(from: bytes))
      while max(place, otherPlace) + block <= bytes.count {
        SHA256_Update(&first.state, bytes.baseAddress! + place, block)
        SHA256_Update(&second.state, bytes.baseAddress! + otherPlace, block)
        place += block
        otherPlace += block
      }
      first.update(bytes, from: place)
      second.update(bytes, from: otherPlace)
    }
  }

  /// The digest of all bytes since the start, or since this was last called.
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

  /// Takes in as many bytes as the block that was begun lacks, and tells how many.
  private mutating func fillBlock(from bytes: UnsafeRawBufferPointer) -> Int {
    let begun = Int(state.num)
    let count = begun == 0 ? 0 : min(Int(SHA256_CBLOCK) - begun, bytes.count)
    SHA256_Update(&state, bytes.baseAddress, count)
    return count
  }

  private mutating func update(_ bytes: UnsafeRawBufferPointer, from place: Int) {
    update(UnsafeRawBufferPointer(rebasing: bytes[place...]).bytes)
  }
}
