@testable import Archiving
import Foundation
import Support
import System
import Testing

@Suite struct ArchiveFormatTests {
  @Test(
    arguments: [
      ([0x50, 0x4b, 3, 4], .zip), ([0x50, 0x4b, 5, 6], .zip), ([0x1f, 0x8b], .tar(.gzip)),
      ([0x28, 0xb5, 0x2f, 0xfd, 0], .tar(.zstandard)), ([0x28, 0xb5, 0x2f], nil), ([0x50], nil), ([], nil),
      (Array("bplist00".utf8), nil),
    ] as [([UInt8], ArchiveReader.Format?)])
  func `an archive is known by its first bytes`(front: [UInt8], format: ArchiveReader.Format?) throws {
    let folder = try TemporaryFolder()
    try folder.write("file", Data(front))
    let found = try ArchiveReader.Format(of: InputFile(folder.path("file")))
    #expect(found == format)
  }

  /// The unpacked bytes of an archive, including headers, can be exactly as many as allowed, but not one
  /// more.
  @Test(arguments: ["a.tar.gz", "a.tar.zst"])
  func `as many bytes are unpacked as are allowed`(name: String) throws {
    let folder = try TemporaryFolder()
    try writeTar(to: folder.path(name), modified: 0, [("x", Array(repeating: 65, count: 5000))])
    let tar = name.hasSuffix("gz") ? "gzip" : "zstd"
    let size = try run(tar, ["-dc", folder.path(name)]).output.utf8.count
    try #require(size > 5000)
    func read(_ maxBytes: Int) throws {
      let format: ArchiveReader.Format = name.hasSuffix("gz") ? .tar(.gzip) : .tar(.zstandard)
      var reader = try ArchiveReader(
        InputFile(folder.path(name)), format: format, maxUncompressedBytes: Int64(maxBytes))
      while try reader.nextEntry() != nil { try reader.readBlocks { _ in true } }
    }
    try read(size)
    #expect(throws: ArchiveError.self) { try read(5000) }
  }

  /// Reading changes the locale of its thread only while it reads.
  @Test func `a reader leaves the locale of its thread`() throws {
    let folder = try TemporaryFolder()
    try writeTar(to: folder.path("a.tar.gz"), modified: 0, [("x", [1, 2, 3])])
    let before = uselocale(nil)
    defer { uselocale(before) }
    var reader = try ArchiveReader(
      InputFile(folder.path("a.tar.gz")), format: .tar(.gzip), maxUncompressedBytes: 1 << 20)
    while try reader.nextEntry() != nil { try reader.readBlocks { _ in true } }
    #expect(uselocale(nil) == before)
  }
}
