@testable import Archiving
@testable import System
import Testing

/// Tests every byte of the records that describe entries.
@Suite struct ZipHeadersTests {
  private static let time = ZipTime(date: 0x1112, time: 0x1314)

  private func entry(
    _ name: String, _ method: ZipEntry.Method = .deflated, size: Int64 = 0x0102_0304,
    compressedSize: Int64 = 0x0506_0708
  ) -> ZipEntry {
    ZipEntry(
      name: name, method: method, size: size, compressedSize: compressedSize,
      checksum: Checksum(value: 0x0a0b_0c0d))
  }

  private func central(_ entry: ZipEntry, offset: Int64 = 0x2122_2324) -> [UInt8] {
    var entry = entry
    entry.offset = offset
    var buffer = ByteBuffer()
    entry.appendCentralHeader(to: &buffer, modified: Self.time)
    return buffer.array()
  }

  private func little(_ number: Int64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }

  /// The fields from the time to the name's length, of an entry with short sizes.
  private static let shared: [UInt8] = [
    0x14, 0x13, 0x12, 0x11, 0x0d, 0x0c, 0x0b, 0x0a, 8, 7, 6, 5, 4, 3, 2, 1, 2, 0,
  ]
  private static let longSizes: [UInt8] =
    [0x14, 0x13, 0x12, 0x11, 0x0d, 0x0c, 0x0b, 0x0a] + Array(repeating: 0xff, count: 8) + [2, 0]
  private static let name: [UInt8] = [0x61, 0x62]

  @Test func `a local header has every field in its place`() {
    var ascii = entry("ab", .stored)
    ascii.nameEncoding = .ascii
    #expect(
      entry("ab").localHeader(modified: Self.time).array()
        == [0x50, 0x4b, 3, 4, 20, 0, 0, 8, 8, 0] + Self.shared + [0, 0] + Self.name)
    #expect(
      ascii.localHeader(modified: Self.time).array()
        == [0x50, 0x4b, 3, 4, 10, 0, 0, 0, 0, 0] + Self.shared + [0, 0] + Self.name)
    let large: Int64 = 0x1_0000_0002
    for (size, compressedSize) in [(large, 3), (3, large)] {
      #expect(
        entry("ab", size: size, compressedSize: compressedSize).localHeader(modified: Self.time).array()
          == [0x50, 0x4b, 3, 4, 45, 0, 0, 8, 8, 0] + Self.longSizes + [20, 0] + Self.name
          + [1, 0, 16, 0] + little(size) + little(compressedSize))
    }
  }

  @Test func `a header of the directory has every field in its place`() {
    let file: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0xa4, 0x81]
    let offset: [UInt8] = [0x24, 0x23, 0x22, 0x21]
    let signature: [UInt8] = [0x50, 0x4b, 1, 2]
    #expect(
      central(entry("ab"))
        == signature + [20, 3, 20, 0, 0, 8, 8, 0] + Self.shared + [0, 0] + file + offset + Self.name)
    let far: Int64 = 0x2_0000_0001
    #expect(
      central(entry("ab"), offset: far)
        == signature + [45, 3, 45, 0, 0, 8, 8, 0] + Self.shared + [12, 0] + file + [255, 255, 255, 255]
        + Self.name + [1, 0, 8, 0] + little(far))
    let large: Int64 = 0x1_0000_0002
    #expect(
      central(entry("ab", size: large, compressedSize: 3))
        == signature + [45, 3, 45, 0, 0, 8, 8, 0] + Self.longSizes + [20, 0] + file + offset + Self.name
        + [1, 0, 16, 0] + little(large) + little(3))
    #expect(
      central(entry("ab", size: large, compressedSize: 3), offset: far)
        == signature + [45, 3, 45, 0, 0, 8, 8, 0] + Self.longSizes + [28, 0] + file + [255, 255, 255, 255]
        + Self.name + [1, 0, 24, 0] + little(large) + little(3) + little(far))
  }

  @Test func `a folder is one`() {
    let bytes = central(ZipEntry(folder: "d"))
    #expect(
      bytes == [0x50, 0x4b, 1, 2, 20, 3, 20, 0, 0, 8, 0, 0, 0x14, 0x13, 0x12, 0x11]
        + Array(repeating: 0, count: 12) + [2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xed, 0x41]
        + [0x24, 0x23, 0x22, 0x21, 0x64, 0x2f])
  }

  @Test func `the long records at the end have every field in its place`() {
    var buffer = ByteBuffer()
    ZipEnd(entryCount: 0x1_0203, start: 0x0405_0607, size: 0x0809_0a0b).append(to: &buffer)
    let count = little(0x1_0203)
    #expect(
      buffer.array()
        == [0x50, 0x4b, 6, 6, 44, 0, 0, 0, 0, 0, 0, 0, 45, 3, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        + count + count + little(0x0809_0a0b) + little(0x0405_0607)
        + [0x50, 0x4b, 6, 7, 0, 0, 0, 0] + little(0x0405_0607 + 0x0809_0a0b) + [1, 0, 0, 0]
        + [0x50, 0x4b, 5, 6, 0, 0, 0, 0, 255, 255, 255, 255]
        + [0x0b, 0x0a, 9, 8, 7, 6, 5, 4, 0, 0])
  }
}
