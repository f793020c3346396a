import Archiving
import PackKit
import System

/// One thread's buffers and compressors.
struct EntryCompressor: ~Copyable {
  /// The bytes of one file.
  var source = ByteBuffer()
  /// Scratch space for compressed output.
  private var deflated = ByteBuffer()
  var opener = AssetOpener()
  var digest = SHA256()
  var clock: LapClock
  private let compression: Compression
  private var deflater: Deflater
  /// The lowest level: for samples, and for data that is not worth more.
  private var quickDeflater: Deflater
  /// For large files that gain by it.
  private var lazyDeflater = Deflater(level: Compression.lazyLevel)
  /// Wraps compressed data in stored blocks.
  private var storer = Deflater(level: 0)

  /// The size in bytes of a sample that is deflated on trial.
  private static let sampleSize = 4096
  /// The size in bytes of a part of a block that gets one effort.
  private static let segmentSize = 1 << 17

  init(_ settings: PackSettings, clock: LapClock = LapClock()) {
    self.clock = clock
    compression = settings.compression
    deflater = Deflater(level: compression.deflateLevel)
    quickDeflater = Deflater(level: 1)
  }

  /// Deflates the file at the end of the payload if that pays off, and returns the values of its entry.
  ///
  /// It works in place because most bytes of a game are compressed already, and then need not be copied.
  ///
  /// - Returns: no digest for a stored file if `isWrittenNext`, since it is faster to compute along with the
  ///   archive's.
  mutating func pack(
    _ payload: inout ByteBuffer, from start: Int, isWrittenNext: () -> Bool
  ) -> (method: ZipEntry.Method, checksum: Checksum, digest: Digest?, size: Int64) {
    var checksum = Checksum()
    let (isDeflated, known) = payload.withBytes(start..<payload.count) { bytes -> (Bool, Digest?) in
      checksum.update(bytes)
      let isDeflated = deflate(bytes)
      clock.lap(.compress, bytes: Int64(bytes.byteCount))
      if !isDeflated && isWrittenNext() { return (false, nil) }
      digest.update(bytes)
      clock.lap(.hash, bytes: Int64(bytes.byteCount))
      return (isDeflated, digest.finish())
    }
    if isDeflated {
      payload.truncate(to: start)
      deflated.withBytes { payload.append($0) }
    }
    return (isDeflated ? .deflated : .stored, checksum, known, Int64(payload.count - start))
  }

  /// Appends the deflated bytes, of any size, as part of a stream of several blocks.
  ///
  /// Segments that are compressed already are stored, since packed asset files have them next to others; `most` is the
  /// effort for those that compress.
  mutating func deflateBlock(
    _ bytes: RawSpan, ofFileOf size: Int64, most: Compression.Effort, isLast: Bool,
    into output: inout ByteBuffer
  ) {
    var start = 0
    var next = effort(forSegmentOf: bytes, at: start, fileSize: size)
    while start < bytes.byteCount {
      let effort = next
      var end = start
      repeat {
        end = min(end + Self.segmentSize, bytes.byteCount)
        if end < bytes.byteCount { next = self.effort(forSegmentOf: bytes, at: end, fileSize: size) }
      } while end < bytes.byteCount && next == effort
      let run = bytes.extracting(start..<end)
      let before = output.count
      let limit = deflater.bound(for: run.byteCount)
      switch effort == .full ? most : effort {
      case .zero: _ = storer.compress(run, limit: limit, into: &output)
      case .least: _ = quickDeflater.compress(run, limit: limit, into: &output)
      case .full: _ = deflater.compress(run, limit: limit, into: &output)
      case .more: _ = lazyDeflater.compress(run, limit: limit, into: &output)
      }
      if !isLast || end < bytes.byteCount { output.reopenDeflateStream(from: before) }
      start = end
    }
  }

  private mutating func effort(
    forSegmentOf bytes: RawSpan, at start: Int, fileSize: Int64
  ) -> Compression.Effort {
    let segment = bytes.extracting(start..<min(start + Self.segmentSize, bytes.byteCount))
    return effort(for: segment, ofFileOf: fileSize, places: 8)
  }

  /// The most effort for a file of several blocks, by samples from all of it; zero if it is stored.
  mutating func effort(forSamples samples: RawSpan, ofFileOf size: Int64) -> Compression.Effort {
    let effort = effort(for: samples, ofFileOf: size, places: 16)
    if effort == .zero { return .zero }
    let limit = deflater.bound(for: samples.byteCount)
    deflated.clear()
    guard let full = deflater.compress(samples, limit: limit, into: &deflated),
      let more = lazyDeflater.compress(samples, limit: limit, into: &deflated)
    else { return .full }
    return compression.isWorthMore(more, inPlaceOf: full) ? .more : .full
  }

  /// The effort for some or all bytes of a file, by this many samples; zero for data that is compressed already.
  mutating func effort(for bytes: RawSpan, ofFileOf size: Int64, places: Int) -> Compression.Effort {
    if compression == .store { return .zero }
    if bytes.byteCount < Self.sampleSize { return bytes.looksRandom ? .zero : compression.effortForFew }
    let randomness = bytes.randomness(samples: places, of: Self.sampleSize / 8)
    return compression.effort(size: size, randomness)
      ?? compression.effort(shareKept: shareKept(by: bytes, places: places))
  }

  /// The compressed size of samples at the lowest level in percent; of all bytes for the best compression.
  private mutating func shareKept(by bytes: RawSpan, places: Int) -> Int {
    if compression == .best {
      deflated.clear()
      return quickDeflater.compress(bytes, limit: bytes.byteCount, into: &deflated)
        .map { $0 * 100 / bytes.byteCount } ?? 100
    }
    // Samples are from the middle of each part, since the head of a file is often another kind of data than the
    // rest.
    let sample = Self.sampleSize
    let places = min(places, bytes.byteCount / sample)
    let size = (0..<places).reduce(0) { size, index in
      let bytes = bytes.extracting(sampleRange(index, of: places, size: sample, in: bytes.byteCount))
      if bytes.randomness(samples: 1, of: sample).looksRandom() { return size + sample }
      deflated.clear()
      return size + (quickDeflater.compress(bytes, limit: sample - 1, into: &deflated) ?? sample)
    }
    return size * 100 / (places * sample)
  }

  /// Deflates into `deflated`; false if that would save too little.
  private mutating func deflate(_ bytes: RawSpan) -> Bool {
    let limit = bytes.byteCount * Compression.mostKept / 100
    let places = bytes.byteCount > PackPiece.blockSize ? 16 : 4
    guard limit > 0 else { return false }
    let effort = effort(for: bytes, ofFileOf: Int64(bytes.byteCount), places: places)
    deflated.clear()
    return switch effort {
    case .zero: false
    case .least: quickDeflater.compress(bytes, limit: limit, into: &deflated) != nil
    case .full, .more: deflater.compress(bytes, limit: limit, into: &deflated) != nil
    }
  }
}
