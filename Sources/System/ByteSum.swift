/// Sums, without overflow, of sizes that untrusted files, indexes and archives state.
extension Sequence {
  /// The sum of each element's size; `Int64.max` instead of an overflow.
  // Inlined, since a generic function looks up its types for each of 200,000 files.
  @inlinable
  package func saturatingSum(_ size: (Element) -> Int64) -> Int64 {
    reduce(0) { $0.saturatingSum(with: size($1)) }
  }
}

extension Sequence<Int64> {
  /// The sum of non-negative numbers; nil on overflow.
  package var exactSum: Int64? {
    var sum: Int64 = 0
    for number in self {
      let (next, overflows) = sum.addingReportingOverflow(number)
      if overflows { return nil }
      sum = next
    }
    return sum
  }
}

extension Int64? {
  /// The sum of two sizes; nil where one is not known.
  package func saturatingSum(with other: Int64?) -> Int64? {
    flatMap { size in other.map { size.saturatingSum(with: $0) } }
  }
}

extension Int64 {
  /// The sum; `Int64.max` instead of an overflow, since files and indexes may state any size.
  @inlinable
  package func saturatingSum(with other: Int64) -> Int64 {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? .max : sum
  }
}
