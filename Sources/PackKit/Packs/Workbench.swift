import Archiving

/// One worker's own tools.
struct Workbench: ~Copyable {
  /// For bytes of one file.
  var source = ByteBuffer()
  /// For what a file becomes, and for what is thrown away.
  private var deflated = ByteBuffer()
  var opener = AssetOpener()
  var digest = SHA256()
  var clock = LapClock()
  private let compression: Compression
  private var deflater: Deflater
  /// For samples, and for what is not worth more.
  private var quickDeflater: Deflater
  /// Wraps what is compressed already.
  private var storer = Deflater(level: 0)

  /// Bytes of a sample that is deflated to see what it keeps.
  private static let sampleSize = 4096
  /// Bytes of a block that are judged as one: packed files of assets hold what is compressed beside what is not.
  private static let segmentSize = 1 << 17

  init(_ settings: PackSettings) {
    compression = settings.compression
    deflater = Deflater(level: compression.deflateLevel)
    quickDeflater = Deflater(level: 1)
  }

  /// Deflates a file that stands at the end of the payload, where that pays, and tells all that an entry says of it.
  ///
  /// In its place: most bytes of a game are compressed already, and need not be copied then.
  mutating func pack(
    _ payload: inout ByteBuffer, from start: Int
  ) -> (method: ZipEntry.Method, checksum: Checksum, digest: Digest, size: Int64) {
    var checksum = Checksum()
    let isDeflated = payload.withBytes(start..<payload.count) { bytes in
      digest.update(bytes)
      checksum.update(bytes)
      clock.lap(.hash, bytes: Int64(bytes.byteCount))
      return deflate(bytes)
    }
    clock.lap(.compress, bytes: Int64(payload.count - start))
    if isDeflated {
      payload.truncate(to: start)
      deflated.withBytes { payload.append($0) }
    }
    return (isDeflated ? .deflated : .stored, checksum, digest.finish(), Int64(payload.count - start))
  }

  /// Appends the deflated bytes, however long they get, as part of a stream of several blocks.
  mutating func deflateBlock(_ bytes: RawSpan, isLast: Bool, into output: inout ByteBuffer) {
    var start = 0
    var isNextWorth = isSegmentWorthDeflating(bytes, at: start)
    while start < bytes.byteCount {
      let isWorth = isNextWorth
      var end = start
      repeat {
        end = min(end + Self.segmentSize, bytes.byteCount)
        if end < bytes.byteCount { isNextWorth = isSegmentWorthDeflating(bytes, at: end) }
      } while end < bytes.byteCount && isNextWorth == isWorth
      let run = bytes.extracting(start..<end)
      let before = output.count
      if isWorth {
        _ = deflater.compress(run, limit: deflater.bound(for: run.byteCount), into: &output)
      } else {
        _ = storer.compress(run, limit: storer.bound(for: run.byteCount), into: &output)
      }
      if !isLast || end < bytes.byteCount { output.reopenDeflateStream(from: before) }
      start = end
    }
  }

  /// Whether any of eight places in a segment is uneven enough to shrink: what is mixed is better deflated whole.
  private func isSegmentWorthDeflating(_ bytes: RawSpan, at start: Int) -> Bool {
    let segment = bytes.extracting(start..<min(start + Self.segmentSize, bytes.byteCount))
    let sample = 1024
    let piece = segment.byteCount / 8
    if piece < sample { return !segment.looksLikeNoise }
    return !(0..<8).allSatisfy { index in
      let part = segment.extracting(index * piece..<(index + 1) * piece)
      // Up to a tenth of a bit a byte.
      return part.evenness(samples: 1, of: sample).isByChance(orUpTo: 0.14)
    }
  }

  /// The effort that some bytes are worth, by samples from as many places: none for what is compressed already.
  mutating func effort(for bytes: RawSpan, places: Int) -> Compression.Effort {
    if compression == .store { return .zero }
    if bytes.byteCount < Self.sampleSize { return bytes.looksLikeNoise ? .zero : compression.effortForFew }
    let evenness = bytes.evenness(samples: places, of: Self.sampleSize / 8)
    return compression.effort(size: bytes.byteCount, evenness)
      ?? compression.effort(shareKept: shareKept(bySamplesOf: bytes, places: places))
  }

  /// What samples of some bytes keep of every hundred at the lowest level.
  private mutating func shareKept(bySamplesOf bytes: RawSpan, places: Int) -> Int {
    // In the middle of each part: the head of a file is often another kind of data than the rest.
    let part = bytes.byteCount / places
    let sample = Self.sampleSize
    var (size, seen) = (0, 0)
    for count in 0..<places {
      // Half of them tell what does not shrink at all, being compressed already, and what shrinks to a third.
      if count == places / 2 && (size == seen || size * 3 < seen) { break }
      // Every other part first.
      let index = count < places / 2 ? 2 * count : 2 * count - places + 1
      let start = index * part + (part - sample) / 2
      deflated.clear()
      let bytes = bytes.extracting(start..<start + sample)
      let isEven = bytes.evenness(samples: 1, of: sample).isByChance(orUpTo: Compression.noiseExcess)
      size += isEven ? sample : quickDeflater.compress(bytes, limit: sample - 1, into: &deflated) ?? sample
      seen += sample
    }
    return size * 100 / seen
  }

  /// Leaves the deflated bytes in `deflated`; false where that would save too little.
  private mutating func deflate(_ bytes: RawSpan) -> Bool {
    let limit = bytes.byteCount * Compression.mostKept / 100
    let places = bytes.byteCount > PackPiece.blockSize ? 16 : 4
    guard limit > 0 else { return false }
    let effort = effort(for: bytes, places: places)
    deflated.clear()
    return switch effort {
    case .zero: false
    case .least: quickDeflater.compress(bytes, limit: limit, into: &deflated) != nil
    case .full: deflater.compress(bytes, limit: limit, into: &deflated) != nil
    }
  }
}
