@testable import Archiving
import Foundation
import Support
@testable import System
import Testing

/// Tests deflate streams that are joined from parts.
///
/// zlib must be able to decompress them.
@Suite struct DeflateStreamTests {
  /// Decompresses a stream.
  ///
  /// The function first puts it between the header and the end of a gzip file, because a gzip file has a
  /// checksum.
  private func inflated(_ stream: ByteBuffer, of content: [UInt8], step: Int = .max) throws -> [UInt8]? {
    var gzip: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff] + stream.array()
    for number in [Checksum(of: content).value, UInt32(content.count)] {
      gzip += (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
    let inflater = GzipInflater()
    let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 50_000, alignment: 16)
    defer { output.deallocate() }
    var made: [UInt8] = []
    var place = 0
    while !inflater.isAtEnd {
      let piece = Array(gzip[place...].prefix(step))
      let (used, count) = try piece.withUnsafeBytes { try inflater.inflate($0, into: output) }
      if used == 0 && count == 0 { return nil }
      place += used
      made += output[..<count]
    }
    return place == gzip.count ? made : nil
  }

  @Test(arguments: [0, 1, 255, 256, 257, 65_534, 65_535, 65_536, 131_070, 131_071, 200_000])
  func `stored blocks hold any number of bytes`(count: Int) throws {
    let content = Content.random.bytes(count)
    var stream = ByteBuffer()
    stream.appendStoredBlocks(content.span.bytes, part: .last)
    #expect(stream.count == count + 5 * max((count + 65_534) / 65_535, 1))
    #expect(try inflated(stream, of: content) == content)
    // If a part is not marked as the last part, the stream stays open for more parts.
    var open = ByteBuffer()
    open.appendStoredBlocks(content.span.bytes, part: .continued)
    #expect((try? inflated(open, of: content)) != content)
    open.appendStoredBlocks(RawSpan(), part: .last)
    #expect(try inflated(open, of: content) == content)
  }

  @Test func `any parts join to one stream`() throws {
    var random = SeededRandom(seed: 5)
    for round in 0..<60 {
      var (content, stream) = ([UInt8](), ByteBuffer())
      let count = Int.random(in: 1...6, using: &random)
      for number in 0..<count {
        let sort = Content.allCases.randomElement(using: &random) ?? .text
        let size = [0, 1, 2, 10, 300, 5000, 70_000].randomElement(using: &random) ?? 0
        let part = sort.bytes(size, seed: random.next())
        content += part
        if Bool.random(using: &random) {
          stream.appendStoredBlocks(part.span.bytes, part: number == count - 1 ? .last : .continued)
          continue
        }
        var deflater = Deflater(level: Int.random(in: 0...12, using: &random))
        let start = stream.count
        let limit = deflater.bound(for: part.count)
        #expect(deflater.compress(part.span.bytes, maxCompressedSize: limit, into: &stream) != nil)
        if number < count - 1 { stream.reopenDeflateStream(from: start) }
      }
      #expect(try inflated(stream, of: content) == content, "round \(round)")
      #expect(try inflated(stream, of: content, step: 1000) == content, "round \(round)")
    }
  }

  @Test func `what does not fit is not compressed`() {
    let content = Content.random.bytes(1000)
    var deflater = Deflater(level: 6)
    var output = ByteBuffer()
    output.append(7 as UInt8)
    #expect(deflater.compress(content.span.bytes, maxCompressedSize: 900, into: &output) == nil)
    #expect(output.array() == [7])
    let size = deflater.compress(
      content.span.bytes, maxCompressedSize: deflater.bound(for: 1000), into: &output)
    #expect(size == output.count - 1)
  }

  /// The expected values follow the formula: the sum of the squared counts, times 256, divided by the size,
  /// minus the size and minus the mean.
  @Test(
    arguments: [
      (Array(repeating: 7, count: 256), 254.00390625), (Array(0...255), -0.99609375),
      (Array(repeating: [1, 2], count: 128).flatMap(\.self), 126.00390625),
      // The sample is the middle of an odd number of bytes: the six bytes before it and the seven bytes after
      // it are not counted.
      ([9, 9, 9, 9, 9, 9] + Array(0...255) + [9, 9, 9, 9, 9, 9, 9], -0.99609375),
    ] as [([UInt8], Float)])
  func `the excess of a sample is that of chi squared`(bytes: [UInt8], excess: Float) {
    #expect(bytes.span.bytes.chiSquaredExcess(ofMiddle: 256) == excess)
  }

  @Test func `a damaged stream is an error`() throws {
    let content = Content.text.bytes(3000)
    let whole = Deflater.gzip(content.span.bytes, level: 6).array()
    let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 50_000, alignment: 16)
    defer { output.deallocate() }
    for place in [0, 1, 2, 12, whole.count - 8, whole.count - 1] {
      var changed = whole
      changed[place] ^= 0x55
      #expect(throws: StreamDamage.self, "byte \(place)") {
        try changed.withUnsafeBytes { try GzipInflater().inflate($0, into: output) }
      }
    }
  }
}
