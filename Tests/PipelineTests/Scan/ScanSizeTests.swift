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

  /// Only a file system in memory has such large files.
  @Test(.enabled(if: TemporaryFolder.parent == "/dev/shm"))
  func `an untagged file beyond the numbers of JSON is a warning`() throws {
    let site = try ScanSite("a/1")
    try site.folder.writeSparse("Assets/b/largest", size: ByteSize.largestExact)
    try site.folder.writeSparse("Assets/b/larger", size: ByteSize.largestExact + 1)
    let manifest = try site.manifest([.path("a", "A")])
    for untagged in [UntaggedListing.counted, .listed] {
      let scan = try AssetScan(of: manifest, leavingOut: nil, jobs: 1, untagged: untagged)
      #expect(scan.diagnostics.map(\.check) == [.fileTooLarge])
      #expect(scan.diagnostics.map(\.severity) == [.warning])
      #expect(scan.diagnostics.map(\.place) == [Place(site.folder.path("Assets/b/larger"))])
      #expect(scan.diagnostics.first?.names("\"b/larger\"") == true)
      #expect(scan.tree?.untagged == FileCount(files: 2, size: ByteSize.largestExact))
      #expect(scan.tree?.untaggedFiles.map(\.path) == (untagged == .listed ? ["b/larger", "b/largest"] : []))
    }
    #expect(try AssetScan(of: manifest, leavingOut: nil, jobs: 1, untagged: .ignored).diagnostics == [])
  }

  @Test func `sums of sizes stop at the largest number that JSON holds`() {
    var count = FileCount()
    for _ in 0..<3 { count.add(.max) }
    count += count
    #expect(count.files == 6)
    #expect(count.size == ByteSize.largestExact)
  }
}
