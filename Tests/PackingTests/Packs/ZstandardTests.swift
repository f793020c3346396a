@testable import Archiving
import PackKit
@testable import Packing
import Support
@testable import System
import Testing

/// What libzstd is told, and what it makes of it.
@Suite struct ZstandardTests {
  @Test func `a window reaches all of its tar, up to what every reader takes`() {
    for compression in [Compression.store, .fast, .default, .best] {
      #expect(compression.zstandard(forTarOf: 0).windowLog == 10)
      #expect(compression.zstandard(forTarOf: 100_000).windowLog == 17)
      #expect(compression.zstandard(forTarOf: 1 << 40).windowLog == 23)
    }
  }

  @Test(arguments: [1 << 20, 20 << 20] as [Int64])
  func `what repeats within the window is saved`(_ size: Int64) throws {
    let folder = try TemporaryFolder()
    let settings = Compression.default.zstandard(forTarOf: size)
    var tar = try TarWriter(OutputFile(creating: folder.path("x")), filter: .zstandard(settings), modified: 0)
    let content = Content.random.bytes(min(Int(size) / 2, 7 << 20))
    for name in ["a", "b"] {
      try tar.beginEntry(name: name, size: Int64(content.count))
      try tar.append(block: content.span.bytes)
    }
    #expect(try tar.finish().size < Int64(content.count) * 11 / 10)
    let header = try folder.bytes(of: "x").prefix(6)
    // The window's exponent stands above its mantissa, less 10.
    #expect(Int(header[5] >> 3) + 10 == settings.windowLog)
  }
}
