import Archiving
import Model
import Pipeline
import System

/// Which parts of some bytes are worth deflating, by a sample from the middle of every 2 KiB.
///
/// Sounds, pictures and archives of them have tables and texts among bytes that are compressed already: to deflate
/// those alone saves as much as to deflate all, in a third of the time.
struct Grains {
  private struct Grain {
    let excess: Float
    let isMarked: Bool
  }

  private var grains: [Grain] = []
  private var markedCount = 0
  /// The sum of the excesses of those that are not marked.
  private var restExcess: Float = 0

  private static let size = 1 << 11
  private static let sampleSize = 1 << 8
  private static let trialSize = 1 << 12
  private static let grainsPerTrial = 32

  /// Marks the grains of bytes whose values are not as even as chance would make them.
  mutating func mark(_ bytes: RawSpan, for compression: Compression) {
    grains.removeAll(keepingCapacity: true)
    markedCount = 0
    restExcess = 0
    for start in stride(from: 0, to: bytes.byteCount, by: Self.size) {
      let grain = bytes.extracting(start..<min(start + Self.size, bytes.byteCount))
      guard grain.byteCount >= Self.sampleSize else {
        append(grains.last ?? Grain(excess: 0, isMarked: true))
        continue
      }
      // A single grain is sampled whole.
      let isAlone = grain.byteCount == bytes.byteCount
      let excess = grain.excess(ofMiddle: isAlone ? grain.byteCount : Self.sampleSize)
      append(Grain(excess: excess, isMarked: compression.isWorthDeflating(excess)))
    }
  }

  private mutating func append(_ grain: Grain) {
    grains.append(grain)
    if grain.isMarked { markedCount += 1 } else { restExcess += grain.excess }
  }

  mutating func markAll() { markedCount = grains.count }

  /// Whether the bytes are best deflated in one run, since few grains of them are not marked.
  private var areAllDeflated: Bool { markedCount * 4 >= grains.count * 3 }

  /// Whether more than a fiftieth is marked, without which nothing that matters is saved.
  var areWorthDeflating: Bool { markedCount * 50 > grains.count }

  /// Some of the bytes that are not marked, where these differ from chance at all; none of fewer than 32 KiB.
  var trials: [Range<Int>] {
    guard restExcess > Compression.randomExcess * Float(grains.count - markedCount) else { return [] }
    return stride(from: Self.grainsPerTrial / 2, to: grains.count - 2, by: Self.grainsPerTrial)
      .filter { !grains[$0].isMarked }.map { $0 * Self.size..<$0 * Self.size + Self.trialSize }
  }

  /// A run of bytes that are all deflated or all stored, and how far they exceed chance.
  struct Run {
    let end: Int
    let isDeflated: Bool
    let excess: Float
  }

  /// The run that begins at `start`; an unmarked grain between two marked ones counts as marked.
  func run(from start: Int, to count: Int) -> Run {
    if areAllDeflated { return Run(end: count, isDeflated: true, excess: meanExcess(of: grains.indices)) }
    let first = start / Self.size
    let isDeflated = isDeflated(first)
    let end = grains[first...].indices.first { self.isDeflated($0) != isDeflated } ?? grains.count
    return Run(
      end: min(end * Self.size, count), isDeflated: isDeflated, excess: meanExcess(of: first..<end))
  }

  private func isDeflated(_ index: Int) -> Bool {
    grains[index].isMarked
      || index > 0 && grains[index - 1].isMarked && index + 1 < grains.count && grains[index + 1].isMarked
  }

  private func meanExcess(of range: Range<Int>) -> Float {
    grains[range].reduce(0) { $0 + $1.excess } / Float(range.count)
  }
}
