import Testing

@testable import Serving

@Suite struct ByteRangeTests {
  @Test(arguments: [
    ("bytes=0-9", ByteRange.part(0..<10)), ("bytes=10-", .part(10..<100)), ("bytes=-5", .part(95..<100)),
    ("bytes=-1", .part(99..<100)), ("bytes=-100", .part(0..<100)), ("bytes=-99", .part(1..<100)),
    ("bytes=-500", .part(0..<100)), ("BYTES=\t3-4\t", .part(3..<5)), ("bytes=99-", .part(99..<100)),
    ("bytes=0-98", .part(0..<99)), ("bytes=0-0", .part(0..<1)), ("bytes=100-100", .unsatisfiable),
    ("bytes=101-100", .whole), ("bytes=-99999999999999999999", .part(0..<100)),
    ("bytes=99-99", .part(99..<100)), ("bytes=0-500", .part(0..<100)),
    ("BYTES= 3-4 ", .part(3..<5)), ("bytes=0-9223372036854775807", .part(0..<100)),
    ("bytes=0-99999999999999999999999", .part(0..<100)), ("bytes=100-", .unsatisfiable),
    ("bytes=99999999999999999999-", .unsatisfiable), ("bytes=-0", .unsatisfiable), ("bytes=5-4", .whole),
    ("bytes=-", .whole), ("bytes=", .whole), ("bytes", .whole), ("", .whole), ("bytes=1-2,4-5", .whole),
    ("bytes=1--2", .whole), ("bytes=+1-2", .whole), ("bytes=a-b", .whole), ("lines=0-1", .whole),
    ("bytes=0-1=2", .whole), ("bytes=１-２", .whole), ("bytes=0 -1", .whole),
  ])
  func `header`(text: String, range: ByteRange) { #expect(ByteRange([text], of: 100) == range) }

  @Test func `empty files have no parts`() {
    #expect(ByteRange(["bytes=0-"], of: 0) == .unsatisfiable)
    #expect(ByteRange(["bytes=-1"], of: 0) == .unsatisfiable)
  }

  @Test func `files of one byte have one part`() {
    #expect(ByteRange(["bytes=-1"], of: 1) == .part(0..<1))
    #expect(ByteRange(["bytes=0-0"], of: 1) == .part(0..<1))
    #expect(ByteRange(["bytes=1-"], of: 1) == .unsatisfiable)
  }

  @Test func `several headers are none`() {
    #expect(ByteRange([], of: 100) == .whole)
    #expect(ByteRange(["bytes=0-1", "bytes=0-1"], of: 100) == .whole)
  }
}
