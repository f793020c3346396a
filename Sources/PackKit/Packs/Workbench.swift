import Archiving

/// One worker's own tools.
struct Workbench: ~Copyable {
  /// For the content of one file.
  var source = ByteBuffer()
  /// For what is thrown away.
  private var scratch = ByteBuffer()
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
    while start < bytes.byteCount {
      let isWorth = isSegmentWorthDeflating(bytes, at: start)
      var end = min(start + Self.segmentSize, bytes.byteCount)
      while end < bytes.byteCount, isSegmentWorthDeflating(bytes, at: end) == isWorth {
        end = min(end + Self.segmentSize, bytes.byteCount)
      }
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

  private mutating func isSegmentWorthDeflating(_ bytes: RawSpan, at start: Int) -> Bool {
    let segment = bytes.extracting(start..<min(start + Self.segmentSize, bytes.byteCount))
    let sample = min(1 << 13, segment.byteCount)
    let middle = (segment.byteCount - sample) / 2
    // Frequencies that would save more than a tenth of a bit a byte clear most of what is not compressed, at a
    // hundredth of the time of deflating it; the rest is tried.
    let isUneven = segment.extracting(middle..<middle + sample).chiSquared > 1400
    return isUneven || isWorthDeflating(segment)
  }

  /// Whether samples of some bytes get smaller: what is compressed already does not.
  mutating func isWorthDeflating(_ bytes: RawSpan) -> Bool {
    if compression == .store { return false }
    let sample = 4096
    if bytes.byteCount < 8 * sample { return !bytes.looksLikeNoise }
    // In the middle of each quarter: the head of a file is often another kind of data than the rest.
    let quarter = bytes.byteCount / 4
    var size = 0
    for (count, index) in [0, 2, 1, 3].enumerated() {
      // What does not shrink at all in two distant places is compressed already.
      if count == 2 && size == 2 * sample { return false }
      scratch.clear()
      let start = index * quarter + (quarter - sample) / 2
      let part = bytes.extracting(start..<start + sample)
      size += trialDeflater.compress(part, limit: sample - 1, into: &scratch) ?? sample
    }
    return size < 4 * sample * Self.mostKept / 100
  }

  /// What must at most be left of every hundred bytes: less is not worth the time that devices take to inflate it.
  private static let mostKept = 96

  /// Appends the deflated bytes; nil, and nothing is appended, where that would save too little.
  private mutating func deflate(_ bytes: RawSpan, into output: inout ByteBuffer) -> Int? {
    let limit = bytes.byteCount * Self.mostKept / 100
    guard limit > 0, isWorthDeflating(bytes) else { return nil }
    return deflater.compress(bytes, limit: limit, into: &output)
  }
}
