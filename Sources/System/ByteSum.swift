/// Sums of sizes that files, indexes and archives claim: none overflows.
extension Sequence {
  /// The sum of a size of each element, or the largest number where it would be larger.
  package func saturatingSum(_ size: (Element) -> Int64) -> Int64 {
    reduce(0) { $0.saturatingSum(with: size($1)) }
  }
}

extension Sequence<Int64> {
  /// The sum of numbers from 0 up; nil where it is more than can be counted.
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

extension Int64 {
  /// The sum, or the largest number where it would be larger: files and indexes may claim any size.
  package func saturatingSum(with other: Int64) -> Int64 {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? .max : sum
  }
}
