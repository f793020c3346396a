@testable import Archiving
import Model
@testable import Packing
import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests the parameters for libzstd and their effects.
@Suite struct ZstandardTests {
  @Test func `a window reaches all of its tar, up to what every reader takes`() {
    for compression in [Compression.store, .fast, .default, .best] {
      #expect(compression.zstandard(forTarOf: 0) { false }.windowLog == 10)
      #expect(compression.zstandard(forTarOf: 100_000) { false }.windowLog == 17)
      #expect(compression.zstandard(forTarOf: 1 << 40) { false }.windowLog == 23)
    }
  }

  @Test(arguments: [1 << 20, 20 << 20] as [Int64], [false, true])
  func `what repeats within the window is saved`(_ size: Int64, _ isRandom: Bool) throws {
    let folder = try TemporaryFolder()
    let settings = Compression.default.zstandard(forTarOf: size) { isRandom }
    var tar = try TarWriter(
      OutputFile(creating: folder.path("x")), filter: .zstandard(settings), modifiedSeconds: 0)
    let content = Content.random.bytes(min(Int(size) / 2, 7 << 20))
    for name in ["a", "b"] {
      try tar.beginEntry(name: name, size: Int64(content.count))
      try tar.append(block: content.span.bytes)
    }
    #expect(try tar.finish().size < Int64(content.count) * 11 / 10)
    let header = try folder.bytes(of: "x").prefix(6)
    // The upper bits contain the exponent of the window's size, minus 10. The lower bits contain the
    // mantissa.
    #expect(Int(header[5] >> 3) + 10 == settings.windowLog)
  }

  /// There are no matches in random bytes, even if only some of the 256 values occur.
  ///
  /// An entropy coder saves 25 percent if only 64 values occur, and 10 percent if only 148 values occur.
  @Test(
    arguments: sample(
      2, of: [(0, 64, false), (1, 64, false), (4, 64, true), (9, 64, true), (9, 148, true)]))
  func `entropy is coded where a pack has some`(_ count: Int, _ values: UInt8, _ isCoded: Bool) throws {
    let site = try ScanSite()
    for number in 0..<9 {
      let noise = Sample.noise(2 << 20, seed: UInt64(number))
      try site.write("a/\(number)", number < count ? Data(noise.map { $0 % values }) : noise)
    }
    let outcome = try site.build([.path("a", "A")], .test(.tarZstandard))
    let size = try #require(outcome.packs.first).archive.file.size
    let saved = Int64(count) * (2 << 20) / (values == 64 ? 4 : 10)
    #expect(abs(size - (18 << 20) + (isCoded ? saved : 0)) < 200_000)
  }

  @Test func `a pack of small files and a large file is not a random pack`() throws {
    let site = try ScanSite()
    try site.write("a/noise", Sample.noise(1 << 20))
    let count = sample(2_000, of: 15_000)
    for number in 0..<count {
      let some = Sample.noise(200, seed: UInt64(number)).map { $0 & 63 }
      try site.write("a/\(number % 100)/\(number)", Data(some))
    }
    let outcome = try site.build([.path("a", "A")], .test(.tarZstandard))
    let size = try #require(outcome.packs.first).archive.file.size
    #expect(size < 1 << 20 + count * 200, "coded, each takes 150 bytes and its header")
  }
}
