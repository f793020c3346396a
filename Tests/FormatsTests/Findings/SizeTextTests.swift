@testable import Formats
import Testing

/// Tests the strings with which manifests can specify sizes.
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
    (0, "0 bytes"), (1, "1 byte"), (999_999, "999,999 bytes"), (1_000_000, "1,000,000 bytes (1.00 MB)"),
    (1_048_576, "1,048,576 bytes (1 MiB)"), (67_108_864, "67,108,864 bytes (64 MiB)"),
    (67_108_865, "67,108,865 bytes (67.1 MB)"), (2_147_483_648, "2,147,483,648 bytes (2 GiB)"),
    (21_474_836_480, "21,474,836,480 bytes (20 GiB)"), (1_500_000_000, "1,500,000,000 bytes (1.50 GB)"),
    (.max, "9,223,372,036,854,775,807 bytes (9,223,372 TB)"),
  ])
  func `sizes in messages are exact, and readable from a megabyte on`(_ bytes: Int64, _ text: String) {
    #expect(ByteSize.exact(bytes) == text)
    #expect(ByteSize.number(bytes) == text.replacing(" bytes", with: "").replacing(" byte", with: ""))
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
