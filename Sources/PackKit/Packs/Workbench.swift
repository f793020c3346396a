import Archiving

/// One worker's own tools.
struct Workbench: ~Copyable {
  /// For the content of one file.
  var source = ByteBuffer()
  /// For what is thrown away.
  private var scratch = ByteBuffer()
  var opener = AssetOpener()
  var digest = SHA256()
  var clock = LapClock()
  private let compression: Compression
  private var deflater: Deflater
  private var trialDeflater: Deflater
  /// Wraps what is compressed already.
  private var storer = Deflater(level: 0)

  /// Bytes of a block that are judged as one: packed files of assets hold what is compressed beside what is not.
  private static let segmentSize = 1 << 17

  init(_ settings: PackSettings) {
    compression = settings.compression
    deflater = Deflater(level: compression.deflateLevel)
    trialDeflater = Deflater(level: 1)
  }

  /// Appends the source, deflated where that pays, and tells all that an entry says of it.
  mutating func pack(
    into output: inout ByteBuffer
  ) -> (method: ZipEntry.Method, checksum: Checksum, digest: Digest, size: Int64) {
    let source = source
    return source.withBytes { bytes in
      digest.update(bytes)
      var checksum = Checksum()
      checksum.update(bytes)
      clock.lap(.hash, bytes: Int64(bytes.byteCount))
      let deflated = deflate(bytes, into: &output)
      if deflated == nil { output.append(bytes) }
      clock.lap(.compress, bytes: Int64(bytes.byteCount))
      return (
        deflated == nil ? .stored : .deflated, checksum, digest.finish(), Int64(deflated ?? bytes.byteCount)
      )
    }
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
    return (0..<8).contains { index in
      let middle = index * piece + (piece - sample) / 2
      // Up to a tenth of a bit a byte over chance, and no more even than chance.
      return !(165...400).contains(segment.extracting(middle..<middle + sample).chiSquared)
    }
  }

  /// Whether samples of some bytes get smaller: what is compressed already does not.
  mutating func isWorthDeflating(_ bytes: RawSpan, places: Int) -> Bool {
    shareKept(bySamplesOf: bytes, places: places) < compression.mostKept
  }

  /// What samples of some bytes keep of every hundred at the lowest level; 0 for few bytes that are not noise.
  private mutating func shareKept(bySamplesOf bytes: RawSpan, places: Int) -> Int {
    if compression == .store { return 100 }
    let sample = 4096
    if bytes.byteCount < 2 * places * sample { return bytes.looksLikeNoise ? 100 : 0 }
    // In the middle of each part: the head of a file is often another kind of data than the rest.
    let part = bytes.byteCount / places
    var (size, seen) = (0, 0)
    for count in 0..<places {
      // Half of them tell what does not shrink at all, being compressed already, and what shrinks to a third.
      if count == places / 2 && (size == seen || size * 3 < seen) { break }
      // Every other part first.
      let index = count < places / 2 ? 2 * count : 2 * count - places + 1
      let start = index * part + (part - sample) / 2
      scratch.clear()
      let bytes = bytes.extracting(start..<start + sample)
      size += trialDeflater.compress(bytes, limit: sample - 1, into: &scratch) ?? sample
      seen += sample
    }
    return size * 100 / seen
  }

  /// Appends the deflated bytes; nil, and nothing is appended, where that would save too little.
  private mutating func deflate(_ bytes: RawSpan, into output: inout ByteBuffer) -> Int? {
    let limit = bytes.byteCount * Compression.mostKept / 100
    let places = bytes.byteCount > ZipPiece.blockSize ? 16 : 4
    guard limit > 0 else { return nil }
    let share = shareKept(bySamplesOf: bytes, places: places)
    if share >= compression.mostKept { return nil }
    if share >= compression.mostKeptByEffort {
      return trialDeflater.compress(bytes, limit: limit, into: &output)
    }
    return deflater.compress(bytes, limit: limit, into: &output)
  }
}
