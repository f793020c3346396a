@testable import Findings
import Testing

/// Sizes as manifests write them.
@Suite struct SizeTextTests {
  @Test(arguments: [
    ("0 B", 0), ("1B", 1), ("1 kB", 1000), ("1KB", 1000), ("1 MB", 1_000_000), ("64 MB", 64_000_000),
    ("1 GB", 1_000_000_000), ("1 TB", 1_000_000_000_000), ("1 KiB", 1024), ("1 MiB", 1_048_576),
    ("1GiB", 1_073_741_824), ("1 TiB", 1_099_511_627_776), ("1.5 GiB", 1_610_612_736), ("0.5 kB", 500),
    ("1.000001 MB", 1_000_001), ("0.000001 TB", 1_000_000), ("2.50 MB", 2_500_000), ("007 MB", 7_000_000),
    ("999999999999999 B", 999_999_999_999_999), ("9223372 TB", 9_223_372_000_000_000_000),
    ("8388607.999999 TiB", 9_223_372_036_853_676_296),
  ])
  func `a number and a unit are bytes`(_ text: String, _ bytes: Int64) {
    #expect(ByteSize.bytes(in: text) == bytes)
  }

  @Test(arguments: [
    "", "1", "MB", " 1 MB", "1 MB ", "1  MB", "1\tMB", "-1 MB", "+1 MB", "1,5 MB", "1. MB", ".5 MB",
    "1.2.3 MB", "1e3 MB",
    "1 mb", "1 Mb", "1 M", "1 mib", "1 PB", "1 MBs", "0x1 MB", "१ MB", "½ MB", "1\u{a0}MB", "9223373 TB",
    "8388608 TiB",
    "1.0000001 MB",
  ])
  func `any other text is no size`(_ text: String) {
    #expect(ByteSize.bytes(in: text) == nil)
  }
}
