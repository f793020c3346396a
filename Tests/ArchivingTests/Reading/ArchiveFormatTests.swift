@testable import Archiving
import Testing

@Suite struct ArchiveFormatTests {
  @Test(
    arguments: [
      ([0x50, 0x4b, 3, 4], .zip), ([0x50, 0x4b, 5, 6], .zip), ([0x1f, 0x8b], .tarGzip),
      ([0x28, 0xb5, 0x2f, 0xfd, 0], .tarZstandard), ([0x28, 0xb5, 0x2f], nil), ([0x50], nil), ([], nil),
      (Array("bplist00".utf8), nil),
    ] as [([UInt8], ArchiveReader.Format?)])
  func `an archive is known by its first bytes`(front: [UInt8], format: ArchiveReader.Format?) {
    #expect(ArchiveReader.Format(front: front) == format)
  }
}
