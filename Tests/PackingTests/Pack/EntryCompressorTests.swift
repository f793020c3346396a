@testable import Archiving
@testable import Model
@testable import Packing
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests which files are deflated and which files are stored.
@Suite struct EntryCompressorTests {
  private func excess(_ data: Data) -> Float { Array(data).span.bytes.chiSquaredExcess(ofMiddle: data.count) }

  @Test func `noise is what chance would make`() {
    #expect(abs(excess(Sample.noise(512))) < 0.2)
    #expect(abs(excess(Sample.noise(30_000, seed: 5))) < 0.01)
    #expect(excess(Sample.text(30_000)) > 5)
    #expect(excess(Data((0..<4096).map { UInt8($0 % 256) })) < -0.05, "a ramp is more even than chance")
    #expect(excess(Data(repeating: 7, count: 4096)) > 254)
  }

  @Test func `a head or an end of another kind is deflated alone`() {
    let noise = Sample.noise(400_000)
    let text = Sample.text(20_000)
    let textSize = packed(text, .default).size
    for data in [text + noise, noise + text, noise.prefix(200_000) + text + noise.prefix(200_000)] {
      let (method, size) = packed(data, .default)
      #expect(method == .deflated)
      // The limit adds to the size of the text: the segments on both sides of a boundary, and a header for
      // each 64 KiB.
      #expect(size < 400_000 + textSize + 2 * 2048 + 100)
    }
    #expect(packed(Sample.text(5_000) + noise, .default).method == .stored, "what hardly saves anything")
    #expect(packed(Sample.noise(20_000), .default).method == .stored)
    #expect(packed(text, .default).method == .deflated)
  }

  /// Returns the method for an entry with this data, and the compressed size of the entry.
  private func packed(_ data: Data, _ compression: Compression) -> (method: ZipEntry.Method, size: Int64) {
    var compressor = EntryCompressor(.test(.zip, compression))
    var output = ByteBuffer()
    output.append("what stands before it".utf8Span.span.bytes)
    let start = output.count
    output.append(Array(data).span.bytes)
    let entry = compressor.pack(&output, from: start) { false }
    #expect(entry.size == output.count - start)
    #expect(entry.digest == SHA256.digest(of: Array(data).span.bytes))
    return (entry.method, entry.size)
  }

  @Test func `all but a stored file that is written next has a digest`() {
    var compressor = EntryCompressor(.test(.zip, .default))
    var output = ByteBuffer()
    let texts = [300, 70_000, 1000].map { Sample.text($0) }
    let noise = Sample.noise(5000)
    for data in [texts[0], noise, texts[1], noise, texts[2]] {
      let start = output.count
      output.append(Array(data).span.bytes)
      let entry = compressor.pack(&output, from: start) { start > 10_000 }
      let known = entry.method == .deflated || start <= 10_000
      #expect(entry.digest == (known ? SHA256.digest(of: Array(data).span.bytes) : nil))
    }
  }

  @Test func `what barely shrinks gets the lowest level, and fast stores it`() {
    // Random bytes with fewer than 256 different values. They shrink a little, because each byte needs fewer
    // than 8 bits.
    let seven = Data(Sample.noise(100_000).map { $0 % 84 })
    let nine = Data(Sample.noise(100_000).map { $0 % 148 })
    #expect(packed(seven, .default) == packed(seven, .fast) && packed(seven, .fast).method == .deflated)
    #expect(packed(nine, .default).method == .deflated)
    #expect(packed(nine, .fast) == (.stored, 100_000))
    #expect(packed(nine, .store) == (.stored, 100_000))
    // Each number depends on the numbers before it, so a longer search finds more matches.
    let text = Data(Sample.noise(25_000).flatMap { byte in "\(byte % 16), the door \(byte % 32);".utf8 })
    for part in [text, text.prefix(4095), text.prefix(900)] {
      #expect(packed(part, .default).size < packed(part, .fast).size)
      #expect(packed(part, .best).size < packed(part, .fast).size)
    }
  }

  @Test(arguments: [
    (Float(0), Compression.Effort.least), (2.9, .least), (3, .greedy), (14.9, .greedy), (15, .full),
    (69.9, .full), (70, .lazy), (255, .lazy),
  ])
  func `the effort follows how far bytes exceed chance`(_ excess: Float, _ effort: Compression.Effort) {
    #expect(Compression.default.effort(chiSquaredExcess: excess) == effort)
    #expect(
      Compression.fast.effort(chiSquaredExcess: excess) == .least
        && Compression.best.effort(chiSquaredExcess: excess) == .full)
  }

  @Test func `even bytes that repeat themselves are found by a trial, where that pays`() {
    let records = Sample.noise(64 * 24)
    let model = Data(
      Sample.noise(100_000).flatMap { record in records[Int(record % 64) * 24..<Int(record % 64) * 24 + 24] })
    for level in [Compression.fast, .default] {
      #expect(packed(model, level).size < model.count / 3, "\(level)")
    }
    let few = model.prefix(30_000)
    #expect(packed(few, .default) == (.stored, 30_000), "what a small file saves is not worth a trial")
    #expect(packed(few, .best).size < 10_000)
  }

  @Test func `what is almost as even as chance is not even tried`() {
    // Every fifth byte has only 128 values, so a byte needs 7.97 bits on average.
    let even = Data(Sample.noise(200_000).enumerated().map { $0 % 5 == 0 ? $1 & 127 : $1 })
    for level in [Compression.fast, .default] {
      var segments = DeflateSegments()
      segments.mark(Array(even).span.bytes, for: level)
      #expect(segments.trials.isEmpty && !segments.areWorthDeflating)
    }
    #expect(packed(even, .best).size <= even.count, "best tries everything")
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

  @Test func `bytes are deflated if this saves one percent`() {
    // With the best compression, all bytes are tried, so each zero at the end saves about one byte.
    let sizes = (60..<180).map { packed(Sample.noise(10_000 - $0) + Data(count: $0), .best) }
    #expect(sizes.filter { $0.method == .deflated }.map(\.size).max() == 9_900)
    #expect(sizes.filter { $0.method == .stored }.areAll { $0.size == 10_000 } && sizes[0].method == .stored)
  }

  @Test func `a few segments among random bytes are not deflated`() {
    let noise = Sample.noise(98 * 2048)
    #expect(packed(Data(count: 2 * 2048) + noise, .default) == (.stored, 100 * 2048))
    #expect(packed(Data(count: 3 * 2048) + noise, .default).method == .deflated)
    for level in [Compression.store, .fast, .default, .best] {
      #expect(packed(Data(), level) == (.stored, 0) && packed(Data([7]), level) == (.stored, 1))
    }
  }

  private func deflated(_ data: Data, _ level: Compression = .default) -> Int {
    var compressor = EntryCompressor(.test(.zip, level))
    var output = ByteBuffer()
    compressor.deflateBlock(Array(data).span.bytes, effort: .greedy, part: .last, into: &output)
    return output.count
  }

  private func most(_ data: Data, _ level: Compression = .default) -> Compression.Effort {
    var compressor = EntryCompressor(.test(.zip, level))
    return compressor.effort(forSamples: Array(data).span.bytes)
  }

  @Test func `large files get more effort where it saves 3 percent`() {
    // The rows of a raw picture; each row differs a little from the row above it.
    let picture = Data(
      (0..<1 << 17).map { place in
        let (row, x) = (place / 1024, place % 1024 / 4)
        return [row, x &+ row &* x % 3, row &+ x / 2, 255].map { UInt8(truncatingIfNeeded: $0) }[place % 4]
      })
    #expect(most(picture) == .lazy)
    #expect(most(picture, .fast) == .least && most(picture, .best) == .full)
    let few = Data(Sample.noise(1 << 17).map { $0 % 84 })
    #expect(most(few) == .least, "a longer search finds nothing")
    for level in [Compression.store, .fast, .default] { #expect(most(Sample.noise(1 << 17), level) == .zero) }
  }

  @Test func `sound that is not compressed is deflated whole`() {
    // The lower byte of each value is noise, and the upper byte is close to zero.
    let sound = Data(Sample.noise(1 << 19).flatMap { [$0, UInt8(truncatingIfNeeded: Int($0 % 37) - 18)] })
    #expect(deflated(sound) < sound.count * 88 / 100)
    #expect(packed(sound, .default).size < Int64(sound.count * 88 / 100))
  }

  @Test func `what is compressed within a block is wrapped, and the rest deflated`() {
    let text = Sample.text(1 << 18)
    let noise = Sample.noise(1 << 18)
    let size = deflated(text)
    #expect(size < text.count / 4)
    #expect(deflated(noise) < noise.count + 100)
    #expect(deflated(text + noise + text) < 2 * size + noise.count + 200)
    let records = Data((0..<1500).flatMap { _ in noise.prefix(1000) })
    #expect(deflated(records, .best) < 50_000, "a trial of all bytes finds what repeats after a thousand")
    #expect(deflated(text + text.prefix(5000)) < 2 * size, "a short end")
  }
}

extension PackSettings {
  fileprivate static func test(_ container: Container, _ compression: Compression = .default) -> PackSettings
  {
    PackSettings(container: container, compression: compression, entryTime: 1_000_000_000)
  }
}
