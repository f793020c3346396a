@testable import Archiving
import Foundation
import Support
import System
import Testing

@Suite struct ArchiveFormatTests {
  @Test(
    arguments: [
      ([0x50, 0x4b, 3, 4], .zip), ([0x50, 0x4b, 5, 6], .zip), ([0x1f, 0x8b], .tarGzip),
      ([0x28, 0xb5, 0x2f, 0xfd, 0], .tarZstandard), ([0x28, 0xb5, 0x2f], nil), ([0x50], nil), ([], nil),
      (Array("bplist00".utf8), nil),
    ] as [([UInt8], ArchiveReader.Format?)])
  func `an archive is known by its first bytes`(front: [UInt8], format: ArchiveReader.Format?) throws {
    let folder = try TemporaryFolder()
    try folder.write("file", Data(front))
    let found = try ArchiveReader.Format(of: InputFile(folder.path("file")))
    #expect(found == format)
  }
}
