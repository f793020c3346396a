import Archiving
import Model
import Pipeline
import System

/// The buffers and compressors of one thread.
struct EntryCompressor: ~Copyable {
  /// The bytes of one file, or samples of the file.
  var source = ByteBuffer()
  private var deflated = ByteBuffer()
  var opener = AssetOpener()
  var clock: LapClock
  private let compression: Compression
  private var segments = DeflateSegments()
  /// A compressor for each effort.
  private var deflaters: InlineArray<5, Deflater>

  init(_ settings: PackSettings, clock: LapClock = LapClock()) {
    self.clock = clock
    let compression = settings.compression
    self.compression = compression
    deflaters = InlineArray { Deflater(level: compression.level(Compression.Effort.allCases[$0])) }
  }

  /// The entry of a file whose stored or deflated bytes are at the end of a payload.
  struct PackedEntry {
    let method: ZipEntry.Method
    /// The CRC-32 of the uncompressed bytes.
    let checksum: Checksum
    /// The digest of the uncompressed bytes; nil for a stored file whose digest is computed together with the
    /// archive's digest.
    let digest: Digest?
    /// The size, in bytes, that the file has in the payload.
    let size: Int64
  }

  /// Deflates the file at the end of the payload if this saves enough, and returns the file's entry.
  ///
  /// The function works in place, because then files that are already compressed need not be copied. Most
  /// bytes of a game are already compressed.
  ///
  /// - Returns: the entry. It has no digest if the file is stored and `isWrittenNext` returns true, because
  ///   computing that digest together with the archive's digest is faster.
  mutating func pack(
    _ payload: inout ByteBuffer, from start: Int, isWrittenNext: () -> Bool
  ) -> PackedEntry {
    let size = Int64(payload.count - start)
    var checksum = Checksum()
    let isDeflated = payload.withBytes(start..<payload.count) { bytes in
      checksum.update(bytes)
      return deflate(bytes)
    }
    clock.lap(.compress, bytes: size)
    if !isDeflated && isWrittenNext() {
      return PackedEntry(method: .stored, checksum: checksum, digest: nil, size: size)
    }
    let digest = payload.withBytes(start..<payload.count) { SHA256.digest(of: $0) }
    clock.lap(.hash, bytes: size)
    guard isDeflated else {
      return PackedEntry(method: .stored, checksum: checksum, digest: digest, size: size)
    }
    payload.truncate(to: start)
    deflated.withBytes { payload.append($0) }
    return PackedEntry(
      method: .deflated, checksum: checksum, digest: digest, size: Int64(deflated.count))
  }

  /// Appends the deflated bytes of a block of any size, as part of a stream of several blocks.
  mutating func deflateBlock(
    _ bytes: RawSpan, effort: Compression.Effort, part: StreamPart, into output: inout ByteBuffer
  ) {
    mark(bytes)
    appendRuns(of: bytes, part: part, into: &output) { _ in effort }
  }

  /// Returns the effort for a file that has several blocks, based on samples of the whole file.
  ///
  /// The effort is `zero` if the file is to be stored.
  mutating func effort(forSamples samples: RawSpan) -> Compression.Effort {
    guard compression != .store else { return .zero }
    mark(samples)
    guard segments.areWorthDeflating else { return .zero }
    guard compression == .default else { return compression.effort(chiSquaredExcess: 0) }
    deflated.clear()
    return compression.effort(
      leastSize: deflaters.compress(samples, effort: .least, into: &deflated),
      greedySize: deflaters.compress(samples, effort: .greedy, into: &deflated),
      lazySize: deflaters.compress(samples, effort: .lazy, into: &deflated))
  }

  /// Deflates bytes into `deflated`; returns false if deflating would save too little.
  private mutating func deflate(_ bytes: RawSpan) -> Bool {
    guard compression != .store && bytes.byteCount > 0 else { return false }
    mark(bytes)
    guard segments.areWorthDeflating else { return false }
    var output = ByteBuffer()
    swap(&output, &deflated)
    output.clear()
    appendRuns(of: bytes, part: .last, into: &output) { [compression] in
      compression.effort(chiSquaredExcess: $0)
    }
    swap(&output, &deflated)
    return deflated.count * 100 <= bytes.byteCount * Compression.maxDeflatedPercent
  }

  /// Marks the segments of bytes that are worth deflating.
  ///
  /// If a trial finds repetitions, as in 3D models, all segments are marked.
  private mutating func mark(_ bytes: RawSpan) {
    segments.mark(bytes, for: compression)
    // For the best compression, the trial deflates all bytes and not only samples.
    let trials = compression == .best ? [0..<bytes.byteCount] : segments.trials
    var (size, kept) = (0, 0)
    for range in trials {
      deflated.clear()
      size += range.count
      kept += deflaters.compress(bytes.extracting(range), effort: .least, into: &deflated)
    }
    if kept * 100 < size * compression.maxTrialPercent { segments.markAll() }
  }

  /// Appends runs of segments, either deflated or in stored blocks.
  ///
  /// Another stream can be appended to the result.
  private mutating func appendRuns(
    of bytes: RawSpan, part: StreamPart, into output: inout ByteBuffer, effort: (Float) -> Compression.Effort
  ) {
    var start = 0
    while start < bytes.byteCount {
      let run = segments.run(from: start, to: bytes.byteCount)
      let bytesOfRun = bytes.extracting(start..<run.end)
      let partOfRun: StreamPart = run.end == bytes.byteCount ? part : .continued
      if run.isDeflated {
        let before = output.count
        _ = deflaters.compress(bytesOfRun, effort: effort(run.chiSquaredExcess), into: &output)
        if partOfRun == .continued { output.reopenDeflateStream(from: before) }
      } else {
        output.appendStoredBlocks(bytesOfRun, part: partOfRun)
      }
      start = run.end
    }
  }
}

extension InlineArray where Element == Deflater {
  /// Appends the bytes as one complete deflate stream, and returns its size in bytes.
  fileprivate mutating func compress(
    _ bytes: RawSpan, effort: Compression.Effort, into output: inout ByteBuffer
  ) -> Int {
    let limit = self[effort.rawValue].bound(for: bytes.byteCount)
    guard let size = self[effort.rawValue].compress(bytes, maxCompressedSize: limit, into: &output) else {
      preconditionFailure("a deflate stream exceeds its bound")
    }
    return size
  }
}
