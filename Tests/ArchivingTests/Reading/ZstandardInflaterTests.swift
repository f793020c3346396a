import Support
import Testing

@testable import Archiving
@testable import System

/// Tests that Zstandard streams are rejected before they are decompressed if their windows would need much
/// memory.
@Suite struct ZstandardInflaterTests {
  private static let magic: [UInt8] = [0x28, 0xb5, 0x2f, 0xfd]
  /// A raw block of two bytes.
  ///
  /// It is the last block of its frame.
  private static let block: [UInt8] = [0x11, 0, 0, 7, 7]

  /// Decompresses a stream that the decompressor gets in pieces of `step` bytes.
  private func unpacked(_ bytes: [UInt8], step: Int = .max) throws -> [UInt8] {
    let inflater = ZstandardInflater()
    let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 100, alignment: 16)
    defer { output.deallocate() }
    var made: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: min(step, bytes.count)) {
      let piece = Array(bytes[start...].prefix(step))
      made += output[..<(try piece.withUnsafeBytes { try inflater.inflate($0, into: output) }.made)]
    }
    return made
  }

  private func asksForTooMuch(_ bytes: [UInt8], step: Int = .max) -> Bool {
    do {
      _ = try unpacked(bytes, step: step)
      return false
    } catch {
      return (error as? StreamDamage)?.reason
        == "the Zstandard stream needs a window of more than 8388608 bytes"
    }
  }

  @Test(
    arguments: [(UInt8(13) << 3, true), (13 << 3 | 1, false), (17 << 3, false), (31 << 3 | 7, false)]
      as [(UInt8, Bool)])
  func `a window has at most 8 MiB`(descriptor: UInt8, passes: Bool) throws {
    let frame = Self.magic + [0, descriptor] + Self.block
    for step in [1, 2, 3, 100] {
      #expect(asksForTooMuch(frame, step: step) != passes)
      if passes { #expect(try unpacked(frame, step: step) == [7, 7]) }
    }
  }

  @Test func `a frame in one piece has at most 8 MiB`() {
    #expect(!asksForTooMuch(Self.magic + [0xa0, 0, 0, 0x80, 0] + Self.block))
    #expect(asksForTooMuch(Self.magic + [0xa0, 1, 0, 0x80, 0] + Self.block))
    #expect(asksForTooMuch(Self.magic + [0xe0] + Array(repeating: 0xff, count: 8) + Self.block))
  }

  @Test func `what is no frame is damaged`() {
    #expect(throws: StreamDamage.self) { try unpacked([1, 2, 3, 4, 5, 6, 7]) }
  }
}
