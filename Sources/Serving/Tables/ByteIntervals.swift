/// A set of byte ranges of a file.
///
/// Each byte is counted once, even if it is added several times.
struct ByteIntervals: Sendable {
  /// The intervals, in ascending order.
  ///
  /// They neither overlap nor touch one another.
  private var ranges: [Range<Int64>] = []
  /// The total number of bytes.
  private(set) var size: Int64 = 0

  /// The maximum number of intervals.
  ///
  /// If a client downloads more separate pieces, further pieces are not counted.
  private static let maxRanges = 4096

  /// Adds bytes; an empty range changes nothing.
  mutating func add(_ new: Range<Int64>) {
    if new.isEmpty { return }
    let first = ranges.firstIndex { $0.upperBound >= new.lowerBound } ?? ranges.count
    let end = ranges[first...].firstIndex { $0.lowerBound > new.upperBound } ?? ranges.count
    if first == end && ranges.count == Self.maxRanges { return }
    let touching = ranges[first..<end]
    let low = min(new.lowerBound, touching.first?.lowerBound ?? new.lowerBound)
    let high = max(new.upperBound, touching.last?.upperBound ?? new.upperBound)
    size += high - low - touching.reduce(0) { $0 + Int64($1.count) }
    ranges.replaceSubrange(first..<end, with: [low..<high])
  }
}
