import Archiving
import Model
import Pipeline
import System

/// Finds the segments of some bytes that are worth deflating.
///
/// The function examines a sample from the middle of every 2 KiB. Sounds, images, and archives of sounds or
/// images contain tables and text between bytes that are already compressed. Deflating only these tables and
/// this text saves as much as deflating everything, and takes 33 % of the time.
struct DeflateSegments {
  private struct Segment {
    let chiSquaredExcess: Float
    let isMarked: Bool
  }

  private var segments: [Segment] = []
  private var markedCount = 0
  /// The sum of the chi-squared excesses of all unmarked segments.
  private var restExcess: Float = 0

  private static let size = 1 << 11
  private static let sampleSize = 1 << 8
  private static let trialSize = 1 << 12
  private static let segmentsPerTrial = 32

  /// Marks the segments whose byte values are less evenly distributed than random bytes.
  mutating func mark(_ bytes: RawSpan, for compression: Compression) {
    segments.removeAll(keepingCapacity: true)
    markedCount = 0
    restExcess = 0
    for start in stride(from: 0, to: bytes.byteCount, by: Self.size) {
      let segment = bytes.extracting(start..<min(start + Self.size, bytes.byteCount))
      guard segment.byteCount >= Self.sampleSize else {
        append(segments.last ?? Segment(chiSquaredExcess: 0, isMarked: true))
        continue
      }
      // If there is only one segment, all of it is sampled.
      let isAlone = segment.byteCount == bytes.byteCount
      let chiSquaredExcess = segment.chiSquaredExcess(ofMiddle: isAlone ? segment.byteCount : Self.sampleSize)
      append(
        Segment(chiSquaredExcess: chiSquaredExcess, isMarked: compression.isWorthDeflating(chiSquaredExcess)))
    }
  }

  private mutating func append(_ segment: Segment) {
    segments.append(segment)
    if segment.isMarked { markedCount += 1 } else { restExcess += segment.chiSquaredExcess }
  }

  mutating func markAll() { markedCount = segments.count }

  /// Whether to deflate all bytes in one run.
  ///
  /// This is done if few segments are unmarked.
  private var areAllDeflated: Bool { markedCount * 4 >= segments.count * 3 }

  /// Whether more than 2 % of the segments are marked.
  ///
  /// Otherwise, deflating them would save too little.
  var areWorthDeflating: Bool { markedCount * 50 > segments.count }

  /// The ranges of samples from the unmarked segments, if these segments differ from random bytes.
  ///
  /// There are no samples for less than 32 KiB.
  var trials: [Range<Int>] {
    guard restExcess > Compression.randomExcess * Float(segments.count - markedCount) else { return [] }
    return stride(from: Self.segmentsPerTrial / 2, to: segments.count - 2, by: Self.segmentsPerTrial)
      .filter { !segments[$0].isMarked }.map { $0 * Self.size..<$0 * Self.size + Self.trialSize }
  }

  /// A run of bytes, with their mean chi-squared excess.
  ///
  /// The bytes are either all deflated or all stored.
  struct Run {
    let end: Int
    let isDeflated: Bool
    let chiSquaredExcess: Float
  }

  /// Returns the run that begins at `start`.
  ///
  /// An unmarked segment between two marked segments is treated as marked.
  func run(from start: Int, to count: Int) -> Run {
    if areAllDeflated {
      return Run(end: count, isDeflated: true, chiSquaredExcess: meanExcess(of: segments.indices))
    }
    let first = start / Self.size
    let isDeflated = isDeflated(first)
    let end = segments[first...].indices.first { self.isDeflated($0) != isDeflated } ?? segments.count
    return Run(
      end: min(end * Self.size, count), isDeflated: isDeflated, chiSquaredExcess: meanExcess(of: first..<end))
  }

  private func isDeflated(_ index: Int) -> Bool {
    segments[index].isMarked
      || index > 0 && segments[index - 1].isMarked && index + 1 < segments.count
        && segments[index + 1].isMarked
  }

  private func meanExcess(of range: Range<Int>) -> Float {
    segments[range].reduce(0) { $0 + $1.chiSquaredExcess } / Float(range.count)
  }
}
