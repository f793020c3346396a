import Archiving
import Model
import Pipeline
import System

/// Which parts of some bytes are worth deflating, by a sample from the middle of every 2 KiB.
///
/// Sounds, pictures and archives of them have tables and texts among bytes that are compressed already: to deflate
/// those alone saves as much as to deflate all, in a third of the time.
struct DeflateSegments {
  private struct Segment {
    let chiSquaredExcess: Float
    let isMarked: Bool
  }

  private var segments: [Segment] = []
  private var markedCount = 0
  /// The sum of the excesses of those that are not marked.
  private var restExcess: Float = 0

  private static let size = 1 << 11
  private static let sampleSize = 1 << 8
  private static let trialSize = 1 << 12
  private static let segmentsPerTrial = 32

  /// Marks the segments of bytes whose values are not as even as chance would make them.
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
      // A single segment is sampled whole.
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

  /// Whether the bytes are best deflated in one run, since few segments of them are not marked.
  private var areAllDeflated: Bool { markedCount * 4 >= segments.count * 3 }

  /// Whether more than a fiftieth is marked, without which nothing that matters is saved.
  var areWorthDeflating: Bool { markedCount * 50 > segments.count }

  /// Some of the bytes that are not marked, where these differ from chance at all; none of fewer than 32 KiB.
  var trials: [Range<Int>] {
    guard restExcess > Compression.randomExcess * Float(segments.count - markedCount) else { return [] }
    return stride(from: Self.segmentsPerTrial / 2, to: segments.count - 2, by: Self.segmentsPerTrial)
      .filter { !segments[$0].isMarked }.map { $0 * Self.size..<$0 * Self.size + Self.trialSize }
  }

  /// A run of bytes that are all deflated or all stored, and how far they exceed chance.
  struct Run {
    let end: Int
    let isDeflated: Bool
    let chiSquaredExcess: Float
  }

  /// The run that begins at `start`; an unmarked segment between two marked ones counts as marked.
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
