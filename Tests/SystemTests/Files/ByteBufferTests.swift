import Support
@testable import System
import Testing

@Suite struct ByteBufferTests {
  @Test func `what is appended stands there in order`() {
    var buffer = ByteBuffer()
    #expect(buffer.isEmpty)
    buffer.append("né")
    buffer.append(0x00)
    buffer.append(([1, 2, 3] as [UInt8]).span.bytes)
    buffer.append([UInt8]().span.bytes)
    buffer.append("")
    #expect(buffer.array() == [0x6e, 0xc3, 0xa9, 0, 1, 2, 3])
    #expect(buffer.count == 7)
    #expect(!buffer.isEmpty)
  }

  @Test func `integers are appended with the lowest byte first`() {
    var buffer = ByteBuffer()
    buffer.append(little: UInt16(0x0102))
    buffer.append(little: UInt32(0x0304_0506))
    buffer.append(little: Int64(-2))
    #expect(buffer.array() == [2, 1, 6, 5, 4, 3, 0xfe, 255, 255, 255, 255, 255, 255, 255])
  }

  @Test func `bytes of a span of wider integers are all appended`() {
    var buffer = ByteBuffer()
    buffer.append(([1, 256] as [UInt16]).span.bytes)
    #expect(buffer.array() == [1, 0, 0, 1])
  }

  @Test func `a buffer that was cleared forgets, and may be filled again`() {
    var buffer = ByteBuffer([9, 9, 9, 9])
    buffer.clear()
    #expect(buffer.isEmpty)
    #expect(buffer.array() == [])
    buffer.append(1)
    #expect(buffer.array() == [1])
    buffer.withBytes { #expect($0.byteCount == 1) }
  }

  @Test func `some of the bytes are shown`() {
    let buffer = ByteBuffer([1, 2, 3, 4])
    let shown = buffer.withBytes(1..<3) { bytes in
      (0..<bytes.byteCount).map { bytes.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
    }
    #expect(shown == [2, 3])
    buffer.withBytes(4..<4) { #expect($0.byteCount == 0) }
  }

  @Test func `one byte changes in its place`() {
    var buffer = ByteBuffer([0xff, 0xff, 0xff])
    buffer.replaceByte(at: 1) { $0 & ~(1 << 3) }
    #expect(buffer.array() == [0xff, 0xf7, 0xff])
  }

  @Test func `copies are values`() {
    var buffer = ByteBuffer([1])
    let copy = buffer
    buffer.append(2)
    buffer.replaceByte(at: 0) { _ in 7 }
    #expect(copy.array() == [1])
    #expect(buffer.array() == [7, 2])
  }

  @Test(arguments: [0, 1, 255, 256, 257, 1_000_000])
  func `a buffer grows past its capacity`(_ capacity: Int) {
    var buffer = ByteBuffer(capacity: capacity)
    #expect(buffer.isEmpty)
    let bytes = Content.random.bytes(capacity + 3)
    for start in stride(from: 0, to: bytes.count, by: 1000) {
      buffer.append(bytes.span.extracting(start..<min(start + 1000, bytes.count)).bytes)
    }
    #expect(buffer.array() == bytes)
  }

  @Test func `space that is not used is given back, and a failure appends nothing`() {
    var buffer = ByteBuffer([1])
    let failed = buffer.append(atMost: 10) { space in
      #expect(space.count == 10)
      space[0] = 2
      return 1
    }
    #expect(!failed)
    #expect(buffer.append(atMost: 10) { _ in nil })
    #expect(buffer.array() == [1, 2])
    #expect(!buffer.append(atMost: 0) { _ in nil }, "nothing to fill is no failure")
    #expect(buffer.array() == [1, 2])
  }
}
