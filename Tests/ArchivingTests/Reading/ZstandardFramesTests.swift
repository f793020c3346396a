@testable import Archiving
import Support
@testable import System
import Testing

/// Frames of a Zstandard stream are followed to know their windows before they are unpacked.
@Suite struct ZstandardFramesTests {
  private static let magic: [UInt8] = [0x28, 0xb5, 0x2f, 0xfd]
  /// A raw block of two bytes, the last of its frame.
  private static let block: [UInt8] = [0x11, 0, 0, 7, 7]

  /// Whether some streams are let through, in pieces of some bytes.
  private func passes(_ bytes: [UInt8], step: Int = .max) -> Bool {
    var frames = ZstandardFrames()
    return stride(from: 0, to: bytes.count, by: min(step, bytes.count)).allSatisfy { start in
      Array(bytes[start...].prefix(step)).withUnsafeBytes { frames.pass($0) }
    }
  }

  @Test(
    arguments: [(UInt8(13) << 3, true), (13 << 3 | 1, false), (17 << 3, false), (31 << 3 | 7, false)]
      as [(UInt8, Bool)])
  func `a window has at most 8 MiB`(descriptor: UInt8, passes: Bool) {
    let frame = Self.magic + [0, descriptor] + Self.block
    for step in [1, 2, 3, 100] { #expect(self.passes(frame, step: step) == passes) }
  }

  @Test func `every frame is looked at`() {
    let small = Self.magic + [0x04, 13 << 3] + Self.block + [1, 2, 3, 4]
    let skipped: [UInt8] = [0x52, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 9, 9, 9]
    let run: [UInt8] = Self.magic + [0, 13 << 3, 0x02, 0xff, 0xff, 7] + Self.block
    let large = Self.magic + [0, 17 << 3] + Self.block
    for step in [1, 5, 1000] {
      #expect(passes(small + skipped + run + small, step: step))
      #expect(!passes(small + skipped + run + large, step: step))
    }
  }

  @Test func `a frame in one piece has at most 8 MiB`() {
    #expect(passes(Self.magic + [0xa0, 0, 0, 0x80, 0] + Self.block))
    #expect(!passes(Self.magic + [0xa0, 1, 0, 0x80, 0] + Self.block))
    #expect(!passes(Self.magic + [0xe0] + Array(repeating: 0xff, count: 8) + Self.block))
  }

  @Test func `what is no stream of frames is left to its reader`() { #expect(passes([1, 2, 3, 4, 5, 6, 7])) }
}
