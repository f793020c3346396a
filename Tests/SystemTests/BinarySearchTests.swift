@testable import Model
@testable import Pipeline
@testable import System
import Testing

@Suite struct BinarySearchTests {
  @Test(arguments: [0..<0, 5..<5, 0..<1, -3..<4, 0..<100, .max - 2 ..< .max])
  func `the first index for which a predicate holds is found`(range: Range<Int>) {
    for first in range { #expect(range.partitioningIndex { $0 >= first } == first) }
    #expect(range.partitioningIndex { _ in false } == range.upperBound)
    #expect(range.partitioningIndex { _ in true } == range.lowerBound)
  }

  @Test(
    arguments: [([], 0), ([5], 5), ([.max, 0], .max), ([.max - 1, 1], .max), ([.max, 1], nil)]
      as [([Int64], Int64?)])
  func `a sum is exact, or none`(numbers: [Int64], sum: Int64?) {
    #expect(numbers.exactSum == sum)
  }
}
