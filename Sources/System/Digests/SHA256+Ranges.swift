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
  /// What of the range is left.
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
