/// Bytes of a file, each counted once however often it was met.
struct ByteIntervals: Sendable {
  /// Apart from one another, in order.
  private var ranges: [Range<Int64>] = []
  /// The number of bytes.
  private(set) var size: Int64 = 0

  /// The most intervals that are kept; who fetches more pieces without joining them has the rest not counted.
  private static let most = 4096

  /// Adds bytes; a range without any changes nothing.
  mutating func add(_ new: Range<Int64>) {
    if new.isEmpty { return }
    let first = ranges.firstIndex { $0.upperBound >= new.lowerBound } ?? ranges.count
    if first < ranges.count && ranges[first].contains(new) { return }
    let end = ranges[first...].firstIndex { $0.lowerBound > new.upperBound } ?? ranges.count
    if first == end && ranges.count == Self.most { return }
    let met = ranges[first..<end]
    let low = min(new.lowerBound, met.first?.lowerBound ?? new.lowerBound)
    let high = max(new.upperBound, met.last?.upperBound ?? new.upperBound)
    size += high - low - met.reduce(0) { $0 + Int64($1.count) }
    ranges.replaceSubrange(first..<end, with: [low..<high])
  }
}
