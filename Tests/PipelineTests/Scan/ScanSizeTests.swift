@testable import Formats
@testable import Model
@testable import Pipeline
import Support
import Testing

/// Tests files that are larger than the limit for one file.
@Suite struct ScanSizeTests {
  @Test func `a tagged file beyond a tebibyte is an error, an untagged one only counted`() throws {
    let site = try ScanSite("a/1")
    try site.folder.writeSparse("Assets/a/largest", size: 1 << 40)
    try site.folder.writeSparse("Assets/a/larger", size: 1 << 40 + 1)
    try site.folder.writeSparse("Assets/b/larger", size: 1 << 40 + 1)
    let scan = try site.scan(.path("a", "A"))
    #expect(scan.paths == ["a/1", "a/largest"])
    #expect(
      scan.findings == [
        #"Assets/a/larger: error [file-too-large] "a/larger" 1,099,511,627,777 bytes 1.10 TB 1 TiB"#
      ])
  }

  @Test func `sums of sizes stop at the largest number that JSON holds`() {
    var count = FileCount()
    for _ in 0..<3 { count.add(.max) }
    count += count
    #expect(count.files == 6)
    #expect(count.size == ByteSize.largestExact)
  }
}
