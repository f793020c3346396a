import CCrypto
import CSHA256

/// A running SHA-256, computed by libcrypto.
///
/// Uses the low-level interface instead of EVP, which hides the state that `update(_:_:with:)` works on.
package struct SHA256: ~Copyable, Sendable {
  private var state = SHA256_CTX()
  static let block = Int(SHA256_CBLOCK)
  /// Whether the processor can compute two digests at once.
  static let canPair = sha256_pair_works()

  package init() { SHA256_Init(&state) }

  package mutating func update(_ bytes: RawSpan) {
    bytes.withUnsafeBytes { _ = SHA256_Update(&state, $0.baseAddress, $0.count) }
  }

  /// Adds the same bytes to two digests, which takes two thirds of the time of one after the other where the
  /// processor can do both at once.
  package static func update(_ first: inout SHA256, _ second: inout SHA256, with bytes: RawSpan) {
    guard canPair else {
      first.update(bytes)
      second.update(bytes)
      return
    }
    bytes.withUnsafeBytes { bytes in
      // The two digests may stop at different offsets within a block.
      let (place, otherPlace) = (first.fillBlock(from: bytes), second.fillBlock(from: bytes))
      let blocks = (bytes.count - max(place, otherPlace)) / block
      if blocks > 0 {
        add(
          blocks, of: bytes.baseAddress! + place, to: &first, of: bytes.baseAddress! + otherPlace, to: &second
        )
      }
      first.update(bytes, from: place + blocks * block)
      second.update(bytes, from: otherPlace + blocks * block)
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

  /// Adds whole blocks to two digests that are both at the start of one, where the processor `canPair`.
  static func add(
    _ blocks: Int, of bytes: UnsafeRawPointer, to first: inout SHA256,
    of otherBytes: UnsafeRawPointer, to second: inout SHA256
  ) {
    first.withWords { words in
      second.withWords { otherWords in sha256_pair(words, bytes, otherWords, otherBytes, blocks) }
    }
    first.count(blocks)
    second.count(blocks)
  }

  /// Adds the bytes that complete the current block; returns how many.
  private mutating func fillBlock(from bytes: UnsafeRawBufferPointer) -> Int {
    let begun = Int(state.num)
    let count = begun == 0 ? 0 : min(Self.block - begun, bytes.count)
    SHA256_Update(&state, bytes.baseAddress, count)
    return count
  }

  /// Calls `body` with the address of the state's eight words.
  private mutating func withWords(_ body: (UnsafeMutablePointer<UInt32>) -> Void) {
    withUnsafeMutableBytes(of: &state.h) { body($0.baseAddress!.assumingMemoryBound(to: UInt32.self)) }
  }

  /// Adds whole blocks to the state's length in bits, which it keeps in two halves.
  private mutating func count(_ blocks: Int) {
    let bits = (UInt64(state.Nh) << 32 | UInt64(state.Nl)) &+ UInt64(blocks * Self.block) &* 8
    state.Nl = UInt32(truncatingIfNeeded: bits)
    state.Nh = UInt32(truncatingIfNeeded: bits >> 32)
  }

  private mutating func update(_ bytes: UnsafeRawBufferPointer, from place: Int) {
    update(UnsafeRawBufferPointer(rebasing: bytes[place...]).bytes)
  }
}

extension SHA256 {
  /// The digests of ranges of some bytes, two at a time where the processor can do both at once.
  package static func digests(of ranges: [Range<Int>], in bytes: RawSpan) -> [Digest] {
    guard canPair else { return ranges.map { digest(of: bytes.extracting($0)) } }
    return bytes.withUnsafeBytes { bytes in
      var digests: [Digest] = Array(repeating: .zero, count: ranges.count)
      var waiting = ranges.indices
      var lane = Lane(&waiting, of: ranges)
      var other = Lane(&waiting, of: ranges)
      while lane.place != nil, other.place != nil {
        let blocks = min(lane.rest.count, other.rest.count) / block
        if blocks > 0 {
          let (start, otherStart) = (lane.take(blocks), other.take(blocks))
          add(
            blocks, of: bytes.baseAddress! + start, to: &lane.digest,
            of: bytes.baseAddress! + otherStart, to: &other.digest)
        }
        if lane.rest.count < block { lane.finish(&digests, with: bytes, &waiting, of: ranges) }
        if other.rest.count < block { other.finish(&digests, with: bytes, &waiting, of: ranges) }
      }
      lane.finish(&digests, with: bytes, &waiting, of: ranges)
      other.finish(&digests, with: bytes, &waiting, of: ranges)
      return digests
    }
  }
}

/// One of two digests that are computed at once.
private struct Lane: ~Copyable {
  var digest = SHA256()
  /// The index of the range that it works on; nil at the end of all.
  private(set) var place: Int?
  /// The rest of the range.
  private(set) var rest = 0..<0

  init(_ waiting: inout Range<Int>, of ranges: [Range<Int>]) { begin(&waiting, of: ranges) }

  private mutating func begin(_ waiting: inout Range<Int>, of ranges: [Range<Int>]) {
    place = waiting.popFirst()
    if let place { rest = ranges[place] }
  }

  /// Passes over blocks; the offset of the first.
  mutating func take(_ blocks: Int) -> Int {
    let start = rest.lowerBound
    rest = start + blocks * SHA256.block..<rest.upperBound
    return start
  }

  /// Ends the range, if it has one, and begins the next that waits.
  mutating func finish(
    _ digests: inout [Digest], with bytes: UnsafeRawBufferPointer, _ waiting: inout Range<Int>,
    of ranges: [Range<Int>]
  ) {
    guard let place else { return }
    digest.update(UnsafeRawBufferPointer(rebasing: bytes[rest]).bytes)
    digests[place] = digest.finish()
    begin(&waiting, of: ranges)
  }
}
