@testable import Archiving
import Foundation
import Support
@testable import System
import Testing

@Suite struct DeflateTests {
  /// Joined streams, and the bytes to which each of them must decompress.
  ///
  /// Another program decompresses them.
  private struct Streams {
    private var sources = Data()
    private var streams = Data()
    private var lengths: [String] = []

    mutating func add(_ source: [UInt8], _ stream: ByteBuffer) {
      sources += source
      streams += stream.array()
      lengths.append("\(source.count),\(stream.count)")
    }

    /// Returns the output of zlib.
    ///
    /// The test also checks that each stream ends exactly at its expected end.
    func inflated() throws -> String {
      let folder = try TemporaryFolder()
      try folder.write("sources", sources)
      try folder.write("streams", streams)
      let script = """
        import sys, zlib
        sources, streams = open('sources', 'rb'), open('streams', 'rb')
        for number, pair in enumerate(sys.argv[1:]):
          count, size = map(int, pair.split(','))
          stream = zlib.decompressobj(-15)
          got = stream.decompress(streams.read(size)) + stream.flush()
          assert stream.eof and not stream.unused_data, '%d does not end where its stream does' % number
          assert got == sources.read(count), '%d: %d bytes, not %d' % (number, len(got), count)
        print('same')
        """
      return try folder.python(script, lengths)
    }
  }

  /// Sizes near the limits of stored blocks, of zlib's window and of libdeflate's own blocks.
  private static let sizes = [
    0, 1, 2, 3, 7, 100, 999, 4096, 32_768, 65_534, 65_535, 65_536, 65_537, 131_070, 131_072, 200_000,
  ]

  @Test(.enabled(if: isInstalled("python3")))
  func `blocks that were compressed apart join to one stream`() throws {
    var streams = Streams()
    var random = SeededRandom(seed: 1)
    var joined = ByteBuffer()
    var stream = ByteBuffer()
    for level in 0...12 {
      var deflater = Deflater(level: level)
      for _ in 0..<sample(2, of: 8) {
        var source: [UInt8] = []
        stream.clear()
        let pieces = Int.random(in: 1...6, using: &random)
        for piece in 1...pieces {
          let content = Content.allCases.randomElement(using: &random)!
          let bytes = content.bytes(Self.sizes.randomElement(using: &random)!, seed: random.next())
          source += bytes
          // The stream begins after other bytes, which must not change.
          joined.clear()
          joined.append("ab")
          let count = deflater.compress(
            bytes.span.bytes, maxCompressedSize: deflater.bound(for: bytes.count), into: &joined)
          #expect(count == joined.count - 2)
          if piece < pieces { joined.reopenDeflateStream(from: 2) }
          joined.withBytes(2..<joined.count) { stream.append($0) }
          #expect(joined.array().prefix(2) == [0x61, 0x62])
        }
        streams.add(source, stream)
      }
    }
    #expect(try streams.inflated() == "same\n")
  }

  /// How the streams are joined depends on the bit, in the last byte, at which the last block ends.
  @Test(.enabled(if: isInstalled("python3")))
  func `streams of every length in bits are joined`() throws {
    var streams = Streams()
    var deflater = Deflater(level: 6)
    for count in 0..<200 {
      let bytes = Content.text.bytes(count, seed: UInt64(count))
      var joined = ByteBuffer()
      for copy in 0..<3 {
        let start = joined.count
        _ = deflater.compress(bytes.span.bytes, maxCompressedSize: deflater.bound(for: count), into: &joined)
        if copy < 2 { joined.reopenDeflateStream(from: start) }
      }
      streams.add(bytes + bytes + bytes, joined)
    }
    #expect(try streams.inflated() == "same\n")
  }

  @Test(.enabled(if: isInstalled("python3")))
  func `stored blocks stand before, between and behind others`() throws {
    var streams = Streams()
    var deflater = Deflater(level: 4)
    let text = Content.text.bytes(5000)
    for count in Self.sizes where count > 0 {
      let noise = Content.random.bytes(count)
      for order in [[true, false, true], [false, true, false], [true, true], [true]] {
        var stream = ByteBuffer()
        var source: [UInt8] = []
        for (place, isStored) in order.enumerated() {
          let isLast = place == order.count - 1
          let before = stream.count
          source += isStored ? noise : text
          if isStored {
            stream.appendStoredBlocks(noise.span.bytes, part: isLast ? .last : .continued)
            #expect(stream.count - before == count + 5 * (1 + (count - 1) / 65_535))
          } else {
            _ = deflater.compress(text.span.bytes, maxCompressedSize: 9000, into: &stream)
            if !isLast { stream.reopenDeflateStream(from: before) }
          }
        }
        streams.add(source, stream)
      }
    }
    #expect(try streams.inflated() == "same\n")
  }

  @Test func `random bits are passed over, or found to end nowhere`() {
    var random = SeededRandom(seed: 10)
    for _ in 0..<sample(10_000, of: 50_000) {
      let bytes = (0..<Int.random(in: 0...90, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      if let last = LastBlock(of: bytes.span.bytes) {
        #expect(last.start < bytes.count * 8 && (0..<8).contains(last.unusedBits))
      }
    }
  }

  /// zlib writes blocks that libdeflate does not write: fixed blocks of any length, empty blocks, and blocks
  /// with a single distance.
  @Test(.enabled(if: isInstalled("python3")))
  func `streams of every kind of blocks are joined`() throws {
    let folder = try TemporaryFolder()
    let sizes = try folder.python(
      """
      import random, zlib
      random.seed(7)
      words = [bytes(random.choices(b'abcdefghij ', k=random.randint(2, 9))) for _ in range(300)]
      contents = [b'', b'a', bytes(3000), b'abc' * 700, random.randbytes(70000), bytes(range(256)) * 9,
                  b''.join(random.choices(words, k=20000)), b''.join(random.choices(words, [2.0 ** -(i % 40) for i in
                  range(300)], k=9000)) + random.randbytes(500)]
      sources, streams = open('sources', 'wb'), open('streams', 'wb')
      for strategy in [0, 1, zlib.Z_HUFFMAN_ONLY, zlib.Z_RLE, zlib.Z_FIXED]:
        for level in [0, 1, 6, 9]:
          for number, content in enumerate(contents):
            stream = zlib.compressobj(level, zlib.DEFLATED, -15, 9, strategy)
            made = stream.compress(content)
            if number % 2: made += stream.flush(zlib.Z_SYNC_FLUSH) + stream.compress(content[:100])
            if number % 3: made += stream.flush(zlib.Z_FULL_FLUSH) + stream.compress(contents[-1])
            made += stream.flush()
            source = zlib.decompress(made, -15)
            sources.write(source)
            streams.write(made)
            print(len(source), len(made))
      """)
    var (sources, made) = (try folder.bytes(of: "sources")[...], try folder.bytes(of: "streams")[...])
    var streams = Streams()
    var deflater = Deflater(level: 6)
    let text = Content.text.bytes(100)
    for line in sizes.split(separator: "\n") {
      let counts = line.split(separator: " ").map { Int($0)! }
      var stream = ByteBuffer()
      stream.append(made.prefix(counts[1]))
      stream.reopenDeflateStream(from: 0)
      _ = deflater.compress(text.span.bytes, maxCompressedSize: 200, into: &stream)
      streams.add(sources.prefix(counts[0]) + text, stream)
      made = made.dropFirst(counts[1])
      sources = sources.dropFirst(counts[0])
    }
    #expect(made.isEmpty && sources.isEmpty)
    #expect(try streams.inflated() == "same\n")
  }

  /// libdeflate begins a new block where the content changes.
  ///
  /// Repetitions of bytes that are far away have the longest distances.
  @Test(.enabled(if: isInstalled("python3")), arguments: sample(3, of: [1, 4, 5, 6, 9, 12]))
  func `the last of many blocks is found`(level: Int) throws {
    var streams = Streams()
    var deflater = Deflater(level: level)
    var random = SeededRandom(seed: UInt64(level))
    var source: [UInt8] = []
    for _ in 0..<40 {
      let content = Content.allCases.randomElement(using: &random)!
      source += content.bytes(Int.random(in: 5000...60_000, using: &random), seed: random.next())
      let start = max(0, source.count - Int.random(in: 1000...32_000, using: &random))
      source += source[start..<min(start + 900, source.count)]
    }
    var stream = ByteBuffer()
    let bound = deflater.bound(for: source.count)
    _ = deflater.compress(source.span.bytes, maxCompressedSize: bound, into: &stream)
    #expect(stream.withBytes { LastBlock(of: $0)!.start } > 0)
    stream.reopenDeflateStream(from: 0)
    _ = deflater.compress(source.span.bytes, maxCompressedSize: bound, into: &stream)
    streams.add(source + source, stream)
    #expect(try streams.inflated() == "same\n")
  }

  @Test func `a stream that is cut off has no last block`() {
    var deflater = Deflater(level: 6)
    var stream = ByteBuffer()
    let text = Content.text.bytes(20_000)
    _ = deflater.compress(text.span.bytes, maxCompressedSize: 20_000, into: &stream)
    let whole = stream.count
    for size in stride(from: whole - 1, through: 0, by: isWhole ? -7 : -29) {
      stream.truncate(to: size)
      #expect(stream.withBytes { LastBlock(of: $0) } == nil, "\(size) of \(whole) bytes")
    }
  }

  @Test func `a join costs at most six bytes`() {
    for count in 0..<300 {
      let bytes = Content.text.bytes(count, seed: UInt64(count))
      var deflater = Deflater(level: 9)
      var buffer = ByteBuffer()
      _ = deflater.compress(bytes.span.bytes, maxCompressedSize: deflater.bound(for: count), into: &buffer)
      let before = buffer.count
      buffer.reopenDeflateStream(from: 0)
      #expect((4...5).contains(buffer.count - before))
    }
  }

  @Test(arguments: Content.allCases, [0, 1, 5, 1000, 100_000])
  func `no stream is longer than its bound`(_ content: Content, _ count: Int) {
    let bytes = content.bytes(count)
    var buffer = ByteBuffer()
    for level in 0...12 {
      var deflater = Deflater(level: level)
      let bound = deflater.bound(for: count)
      buffer.clear()
      let size = deflater.compress(bytes.span.bytes, maxCompressedSize: bound, into: &buffer)
      #expect(size != nil && size! <= bound)
    }
  }

  @Test func `what does not fit is not appended`() {
    var deflater = Deflater(level: 6)
    var buffer = ByteBuffer([1, 2, 3])
    let bytes = Content.random.bytes(1000)
    #expect(deflater.compress(bytes.span.bytes, maxCompressedSize: 999, into: &buffer) == nil)
    #expect(deflater.compress(bytes.span.bytes, maxCompressedSize: 0, into: &buffer) == nil)
    #expect(buffer.array() == [1, 2, 3])
    let text = Content.text.bytes(1000)
    let size = deflater.compress(text.span.bytes, maxCompressedSize: 999, into: &buffer)
    #expect(size == buffer.count - 3)
    let exact = buffer.count - 3
    buffer = ByteBuffer([1, 2, 3])
    #expect(deflater.compress(text.span.bytes, maxCompressedSize: exact - 1, into: &buffer) == nil)
    // libdeflate requests a buffer that is a few bytes larger than its final output.
    #expect(deflater.compress(text.span.bytes, maxCompressedSize: exact + 16, into: &buffer) == exact)
  }

  @Test func `higher levels do not make text longer`() {
    let text = Content.text.bytes(200_000)
    let sizes = [0, 1, 6, 12].map { level -> Int in
      var deflater = Deflater(level: level)
      var buffer = ByteBuffer()
      return deflater.compress(text.span.bytes, maxCompressedSize: 300_000, into: &buffer) ?? 0
    }
    #expect(sizes[0] > 200_000)
    #expect(sizes == sizes.sorted(by: >))
    #expect(sizes[3] < sizes[1])
  }
}
