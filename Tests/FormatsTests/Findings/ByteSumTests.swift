@testable import Formats
@testable import Model
@testable import Pipeline
@testable import System
import Testing

/// Tests sums of sizes near the largest integer.
@Suite struct ByteSumTests {
  @Test(arguments: [
    (999_499_999_999_999, "999 TB"), (1_000_000_000_000_000, "1,000 TB"), (1_000_500_000_000_000, "1,001 TB"),
    (92_233_720_368_547_758, "92,234 TB"), (99_999_999_999_999_999, "100,000 TB"),
    (Int64.max, "9,223,372 TB"),
  ])
  func `a size of any number has a text`(bytes: Int64, text: String) {
    #expect(ByteSize.text(bytes) == text)
  }

  @Test func `a sum ends at the largest number`() {
    #expect([Int64.max, 1, 5].saturatingSum { $0 } == .max)
    #expect([2, 3].saturatingSum { Int64($0) } == 5)
    #expect([Int64.max, 1].exactSum == nil)
  }

  @Test func `files without tags are counted as far as an index can say`() {
    var count = FileCount()
    count.add(.max)
    count.add(.max)
    #expect(count.size == 9_007_199_254_740_992 && count.files == 2)
  }
}
