@testable import Archiving
import Foundation
@testable import PackKit
@testable import Packing
import Support
@testable import System
import Testing

/// What is deflated and what is not.
@Suite struct EntryCompressorTests {
  private func looksRandom(_ data: Data) -> Bool { Array(data).span.bytes.looksRandom }

  @Test func `noise is what chance would make`() {
    #expect(looksRandom(Sample.noise(512)))
    #expect(looksRandom(Sample.noise(30_000, seed: 5)))
    #expect(!looksRandom(Sample.noise(511)), "too few to tell")
    #expect(!looksRandom(Sample.text(30_000)))
    #expect(!looksRandom(Data((0..<4096).map { UInt8($0 % 256) })), "a ramp is more even than chance")
    #expect(!looksRandom(Sample.noise(8_000) + Sample.noise(8_000)), "what repeats itself")
    #expect(!looksRandom(Data()))
  }

  private func isWorthDeflating(_ data: Data) -> Bool {
    var compressor = EntryCompressor(.test(.zip))
    return compressor.effort(for: Array(data).span.bytes, ofFileOf: Int64(data.count), places: 4) != .zero
  }

  @Test func `a head of another kind does not decide`() {
    #expect(!isWorthDeflating(Sample.text(9_000) + Sample.noise(400_000)))
    #expect(isWorthDeflating(Sample.noise(9_000) + Sample.text(400_000)))
    #expect(isWorthDeflating(Sample.noise(200_000) + Sample.text(200_000)))
    #expect(!isWorthDeflating(Sample.noise(20_000)))
    #expect(isWorthDeflating(Sample.text(20_000)))
  }

  /// How some bytes are kept as an entry, and in how many bytes.
  private func packed(_ data: Data, _ compression: Compression) -> (method: ZipEntry.Method, size: Int64) {
    var compressor = EntryCompressor(.test(.zip, compression))
    var output = ByteBuffer()
    output.append("what stands before it".utf8Span.span.bytes)
    let start = output.count
    output.append(Array(data).span.bytes)
    let (method, _, digest, size) = compressor.pack(&output, from: start) { false }
    #expect(size == output.count - start)
    #expect(digest == SHA256.digest(of: Array(data).span.bytes))
    return (method, size)
  }

  @Test(arguments: [Sample.noise(5000), Sample.text(5000)])
  func `only what is stored and written next has no digest yet`(_ data: Data) {
    var compressor = EntryCompressor(.test(.zip, .default))
    var output = ByteBuffer()
    output.append(Array(data).span.bytes)
    let (method, _, digest, _) = compressor.pack(&output, from: 0) { true }
    #expect((digest == nil) == (method == .stored))
    #expect(digest.map { $0 == SHA256.digest(of: Array(data).span.bytes) } ?? true)
  }

  @Test func `what barely shrinks gets the lowest level, and fast stores it`() {
    // Values that chance draws from some of all bytes: so many bits of eight are left.
    let three = Sample.noise(100_000).map { $0 % 84 }
    let nine = Sample.noise(100_000).map { $0 % 148 }
    let one = packed(Data(three), .default)
    #expect(one.method == .deflated && one == packed(Data(three), .fast))
    #expect(packed(Data(nine), .default).method == .deflated)
    #expect(packed(Data(nine), .fast) == (.stored, 100_000))
    // Values that depend on those before them, so that a longer search finds more.
    let text = Sample.noise(25_000).flatMap { byte in "\(byte % 16), the door \(byte % 32);".utf8 }
    #expect(packed(Data(text), .default).size < packed(Data(text), .fast).size)
    let few = Data(text.prefix(4095))
    #expect(packed(few, .default) == packed(few, .fast) && packed(few, .best).size < packed(few, .fast).size)
    #expect(packed(Data(nine), .store) == (.stored, 100_000))
  }

  @Test func `even bytes that repeat themselves are found by a trial, where that pays`() {
    let records = Sample.noise(64 * 24)
    let model = Data(
      Sample.noise(100_000).flatMap { record in records[Int(record % 64) * 24..<Int(record % 64) * 24 + 24] })
    #expect(packed(model, .fast).size < model.count / 4)
    #expect(
      packed(model.prefix(30_000), .fast) == (.stored, 30_000), "what a small file saves is not worth a trial"
    )
    #expect(packed(model.prefix(30_000), .default).size < 10_000)
  }

  @Test func `what is almost as even as chance is not even tried`() {
    // Some of the bytes are of 128 values: 7.97 bits of eight.
    let even = Sample.noise(20_000).enumerated().map { $0 % 5 == 0 ? $1 & 127 : $1 }
    let randomness = even.span.bytes.randomness(samples: 4, of: 512)
    #expect(!randomness.looksRandom())
    for level in [Compression.store, .fast, .default] {
      #expect(level.effort(size: 20_000, randomness) == .zero)
    }
    #expect(Compression.best.effort(size: 20_000, randomness) == nil, "best tries everything")
  }

  @Test func `no level stores what a lower one halves, and best finds what samples miss`() {
    let noise = Sample.noise(65_536)
    let halves = noise + Sample.text(65_536) + noise + Sample.text(65_536)
    for level in [Compression.fast, .default, .best] {
      #expect(packed(halves, level).size < 170_000, "\(level)")
    }
    let records = Data((0..<512).flatMap { _ in noise.prefix(5000) })
    #expect(packed(records, .best).size < 50_000)
    let ramp = Data((0..<40_000).map { UInt8(255 - $0 % 256) })
    for level in [Compression.fast, .default, .best] { #expect(packed(ramp, level).size < 1000, "\(level)") }
    let tail = noise.prefix(49_152) + Sample.text(16_384)
    #expect(packed(tail, .default).size < 58_000 && packed(tail, .best).size < 58_000)
  }

  private func deflated(_ data: Data, _ level: Compression = .default) -> Int {
    var compressor = EntryCompressor(.test(.zip, level))
    var output = ByteBuffer()
    compressor.deflateBlock(
      Array(data).span.bytes, ofFileOf: Int64(data.count), most: .full, isLast: true, into: &output)
    return output.count
  }

  private func most(_ data: Data, _ level: Compression = .default) -> Compression.Effort {
    var compressor = EntryCompressor(.test(.zip, level))
    return compressor.effort(forSamples: Array(data).span.bytes, ofFileOf: 100_000_000)
  }

  @Test func `large files get more effort where it saves 3 percent`() {
    // Rows of a raw picture, each a little off the one above.
    let picture = Data(
      (0..<1 << 17).map { place in
        let (row, x) = (place / 1024, place % 1024 / 4)
        return [row, x &+ row &* x % 3, row &+ x / 2, 255].map { UInt8(truncatingIfNeeded: $0) }[place % 4]
      })
    #expect(most(picture) == .more)
    #expect(most(picture, .fast) == .full && most(picture, .best) == .full)
    #expect(most(Sample.text(1 << 17)) == .full)
    #expect(most(Sample.noise(1 << 17)) == .zero)
  }

  @Test func `what is compressed within a block is wrapped, and the rest deflated`() {
    let text = Sample.text(1 << 18)
    let noise = Sample.noise(1 << 18)
    let size = deflated(text)
    #expect(size < text.count / 4)
    #expect(deflated(noise) < noise.count + 100)
    #expect(deflated(text + noise + text) < 2 * size + noise.count + 200)
    let records = Data((0..<1500).flatMap { _ in noise.prefix(1000) })
    for level in [Compression.fast, .default, .best] {
      #expect(deflated(records, level) < 50_000, "\(level)")
    }
    #expect(deflated(text + text.prefix(5000)) < 2 * size, "a short end")
  }
}

extension PackSettings {
  fileprivate static func test(_ container: Container, _ compression: Compression = .default) -> PackSettings
  {
    PackSettings(container: container, compression: compression, modified: 1_000_000_000)
  }
}
