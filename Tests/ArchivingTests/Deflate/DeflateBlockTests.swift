@testable import Archiving
import Support
@testable import System
import Testing

/// Tests where the blocks of a deflate stream begin and end.
@Suite struct DeflateBlockTests {
  /// Returns the bytes of a stream whose bits are given in their order, with spaces between fields.
  private func stream(_ bits: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for (index, bit) in bits.filter({ $0 != " " }).enumerated() {
      if index % 8 == 0 { bytes.append(0) }
      if bit == "1" { bytes[index / 8] |= 1 << UInt8(index % 8) }
    }
    return bytes
  }

  /// Returns the start of the last block and the number of unused bits.
  private func last(_ stream: [UInt8]) -> [Int]? {
    LastBlock(of: stream.span.bytes).map { [$0.start, $0.unusedBits] }
  }

  private static let lastStored: [UInt8] = [1, 0, 0, 0xff, 0xff]

  @Test func `stored blocks end where their sizes say`() {
    #expect(last(Self.lastStored) == [0, 0])
    #expect(last(Self.lastStored.dropLast()) == nil)
    #expect(last(Self.lastStored + [0]) == nil)
    #expect(last([1, 0, 0, 0xff, 0xfe]) == nil)
    #expect(last([1, 2, 0, 0xfd, 0xff, 7, 7]) == [0, 0])
    #expect(last([1, 2, 0, 0xfd, 0xff, 7]) == nil)
    #expect(last([0, 2, 0, 0xfd, 0xff, 7, 7] + Self.lastStored) == [56, 0])
    let long = [UInt8](repeating: 1, count: 258)
    #expect(last([0, 2, 1, 0xfd, 0xfe] + long + Self.lastStored) == [263 * 8, 0])
    #expect(last([]) == nil)
    #expect(last([0, 0, 0, 0xff, 0xff]) == nil)
    // A block of the type that does not exist.
    #expect(last([7, 0, 0, 0xff, 0xff]) == nil)
  }

  /// Symbols of the fixed code: literals of eight and nine bits, and matches with and without extra bits.
  ///
  /// Each is tested near the end of the stream and far from it, where symbols are passed in steps.
  @Test(arguments: [
    "", "00110000", "110010000", "110010000 110010000", "110010000 110010000 110010000", "111111111",
    "110010000 110010000 110010000 110010000", "0000001 00000", "0000001 00100 1", "0001001 1 00000",
    "0010111 1111 11101 1111111111111", "11000101 11100 0000000000001", "11000100 11111 00000",
    "00110000 0000001 00000 00110000 0000001 00000 00110000 0000001 00000 00110000 0000001 00000",
  ]) func `blocks of the fixed code end behind their symbols`(symbols: String) {
    let bits = "10 \(symbols) 0000000"
    let count = bits.count { $0 != " " } + 1
    let unused = (8 - count % 8) % 8
    #expect(last(stream("1 \(bits)")) == [0, unused])
    #expect(last(stream("1 \(bits)").dropLast()) == nil)
    let more = String(repeating: "00110000 ", count: 30)
    let long = stream("0 \(bits) 1 10 \(more) 0000000")
    #expect(last(long)?.first == count)
    #expect(last(long)?.last == (8 - (count + 3 + 240 + 7) % 8) % 8)
    // After the stream is open, an empty stored block follows, whose header needs three bits.
    var buffer = ByteBuffer()
    buffer.append([9, 9, 9])
    buffer.append(stream("0 \(bits) 1 \(bits)").span.bytes)
    buffer.reopenDeflateStream(from: 3)
    let tail: [UInt8] = [0, 0, 0xff, 0xff]
    #expect(buffer.array() == [9, 9, 9] + stream("0 \(bits) 0 \(bits) 000") + tail)
  }

  @Test func `a stream that is cut has no last block`() {
    let content = Content.text.bytes(3000)
    for level in [1, 6, 12] {
      var deflater = Deflater(level: level)
      var buffer = ByteBuffer()
      let size = deflater.compress(content.span.bytes, maxCompressedSize: 5000, into: &buffer)
      #expect(size == buffer.count)
      let whole = buffer.array()
      #expect(last(whole) != nil)
      #expect(last(whole + [0]) == nil)
      for count in stride(from: 0, to: whole.count, by: 17) { #expect(last(Array(whole[..<count])) == nil) }
      #expect(last(whole.dropLast()) == nil)
    }
  }

  /// With the numbers of Fibonacci, each code is one bit longer than the next.
  @Test func `the longest codes are passed`() throws {
    var content: [UInt8] = []
    var (count, next) = (1, 1)
    for byte in 0..<20 as Range<UInt8> {
      content += repeatElement(byte, count: count)
      (count, next) = (next, count + next)
    }
    var random = SeededRandom(seed: 3)
    content.shuffle(using: &random)
    var deflater = Deflater(level: 1)
    var buffer = ByteBuffer()
    let limit = deflater.bound(for: content.count)
    let size = deflater.compress(content.span.bytes, maxCompressedSize: limit, into: &buffer)
    let end = try #require(size)
    #expect(last(buffer.array()) != nil)
    buffer.reopenDeflateStream(from: 0)
    buffer.appendStoredBlocks(([1, 2] as [UInt8]).span.bytes, part: .last)
    #expect(last(buffer.array()) == [(buffer.count - 7) * 8, 0])
    #expect(buffer.count - 7 - end == 4 || buffer.count - 7 - end == 5)
  }

  @Test func `symbols have as many extra bits as RFC 1951 says`() {
    #expect(
      (257...285).map { Symbols.extraBits(ofLength: $0) } == [
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
      ])
    #expect((0..<30).map { Symbols.extraBits(ofDistance: $0) } == [0, 0] + (0..<28).map { $0 / 2 })
  }

  @Test func `codes are canonical`() {
    let code = PrefixCode(sizes: [2, 1, 0, 3, 3])
    #expect(code?.codes.map { $0.symbol } == [1, 0, 3, 4])
    #expect(code?.codes.map { $0.code } == [0b0, 0b10, 0b110, 0b111])
    let text = stream("0 10 111 110 0 10")
    text.withUnsafeBytes { bytes in
      var bits = BitReader(bytes)
      var found: [Int?] = []
      for _ in 0..<6 { found.append(code?.read(&bits)) }
      #expect(found == [1, 0, 4, 3, 1, 0])
      #expect(bits.offset == 12)
    }
    #expect(PrefixCode(sizes: [1, 1, 15]) == nil)
    #expect(PrefixCode(sizes: [1, 2, 2]) != nil)
    let half = PrefixCode(sizes: [0, 1])
    ([0b10] as [UInt8]).withUnsafeBytes { bytes in
      var bits = BitReader(bytes)
      let first = half?.read(&bits)
      let second = half?.read(&bits)
      #expect(first == 1 && second == nil && bits.offset == 1)
    }
  }

  @Test(arguments: [1, 2, 7, 8, 9, 16, 17, 40]) func `bits are read from the lowest one on`(count: Int) {
    let bytes = Content.random.bytes(count)
    let expected = bytes.flatMap { byte in (0..<8).map { Int(byte >> $0 & 1) } }
    for size in [1, 3, 5, 11, 16] {
      bytes.withUnsafeBytes { bytes in
        var bits = BitReader(bytes)
        var offset = 0
        while offset <= count * 8 {
          #expect(bits.offset == offset && !bits.isBehindEnd)
          let want = (0..<size).reduce(0) {
            $0 | (offset + $1 < expected.count ? expected[offset + $1] << $1 : 0)
          }
          let found = bits.read(size)
          #expect(found == want)
          offset += size
        }
        #expect(bits.offset == offset && bits.isBehindEnd)
      }
    }
    bytes.withUnsafeBytes { bytes in
      var bits = BitReader(bytes)
      bits.align()
      #expect(bits.offset == 0)
      _ = bits.read(1)
      bits.align()
      #expect(bits.offset == 8)
      bits.align()
      #expect(bits.offset == 8)
      let second = bits.read(8)
      #expect(second == (count > 1 ? Int(bytes[1]) : 0))
      bits.skip(bytes: 2)
      #expect(bits.offset == 32)
      _ = bits.read(3)
      bits.skip(bytes: 1)
      #expect(bits.offset == 48)
      let seventh = bits.read(8)
      #expect(seventh == (count > 6 ? Int(bytes[6]) : 0))
    }
  }

  @Test func `a sample is in the middle of its part`() {
    #expect(sampleRange(inPart: 2, of: 4, sampleSize: 10, totalSize: 401) == 245..<255)
    #expect(sampleRange(inPart: 0, of: 1, sampleSize: 6, totalSize: 6) == 0..<6)
    #expect(sampleRange(inPart: 1, of: 2, sampleSize: 3, totalSize: 20) == 13..<16)
  }
}
