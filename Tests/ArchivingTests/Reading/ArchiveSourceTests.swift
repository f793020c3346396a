@testable import Archiving
import Foundation
import Support
@testable import System
import Testing

/// Tests how libarchive gets the bytes of an archive.
@Suite struct ArchiveSourceTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func source(_ bytes: [UInt8], _ format: ArchiveReader.Format) throws -> ArchiveSource {
    var buffer = ByteBuffer()
    buffer.append(bytes.span.bytes)
    return ArchiveSource(
      try InputFile(holding: buffer, name: "test"), format: format, maxUncompressedBytes: .max)
  }

  @Test func `offsets are those of the file`() throws {
    var zip = try ZipWriter(in: folder)
    try zip.add("a", [1, 2, 3], .stored)
    _ = try zip.finish()
    let bytes = try folder.bytes(of: "test.zip")
    let size = Int64(bytes.count)
    let source = try source(bytes, .zip)
    try source.open()
    #expect(source.seek(3, from: SEEK_SET) == 3)
    #expect(source.seek(-1, from: SEEK_SET) < 0)
    #expect(source.seek(0, from: SEEK_CUR) == 3)
    #expect(source.seek(0, from: SEEK_SET) == 0)
    #expect(source.seek(2, from: SEEK_CUR) == 2)
    #expect(source.seek(2, from: SEEK_CUR) == 4)
    #expect(source.seek(-5, from: SEEK_CUR) < 0)
    #expect(source.seek(-4, from: SEEK_CUR) == 0)
    #expect(source.seek(.max, from: SEEK_END) < 0)
    #expect(source.seek(-22, from: SEEK_END) == size - 22)
    #expect(source.seek(0, from: SEEK_CUR) == size - 22)
    #expect([5, -1, 0, 100, 1].map { source.skip($0) } == [5, 0, 0, 17, 0])
    #expect(source.seek(0, from: SEEK_CUR) == size)
    #expect(source.seek(9, from: SEEK_END) == size + 9)
    #expect(source.skip(1) == 0)
    #expect(source.seek(0, from: SEEK_CUR) == size + 9)
  }

  @Test(arguments: TarCompression.allCases, [0, 1, 2]) func `the smallest streams are unpacked`(
    compression: TarCompression, count: Int
  ) throws {
    let content = [UInt8](repeating: 7, count: count)
    let stream =
      switch compression {
      case .gzip: Deflater.gzip(content.span.bytes, level: 6).array()
      case .zstandard:
        zstandardFrame(of: content.span.bytes, settings: ZstandardSettings(level: 1, windowLog: 19)).array()
      }
    let source = try source(stream, .tar(compression))
    var found: [UInt8] = []
    while case let block = try source.nextBlock(), !block.isEmpty { found += block }
    #expect(found == content)
    try source.checkEnd()
    let longer = try self.source(stream + [0], .tar(compression))
    while try !longer.nextBlock().isEmpty {}
    let error = #expect(throws: ArchiveError.self) { try longer.checkEnd() }
    #expect(error?.action == "read" && error?.cause == nil)
  }

  /// As many bytes after the stream are in the input buffer as are not read from the file.
  @Test func `bytes after the end are counted in the buffer and in the file`() throws {
    let content = Content.random.bytes(200_000)
    let stream = Deflater.gzip(content.span.bytes, level: 0).array()
    let rest = (1 << 18) - stream.count
    let source = try source(stream + [UInt8](repeating: 0, count: 2 * rest), .tar(.gzip))
    while try !source.nextBlock().isEmpty {}
    #expect(throws: ArchiveError.self) { try source.checkEnd() }
  }

  @Test(arguments: ["x.tar.gz", "x.tar.zst"]) func `a mistake of the archive is none of the system`(
    name: String
  ) throws {
    try writeTar(to: folder.path(name), modified: 0, [("a", Content.random.bytes(5000))])
    let bytes = try folder.bytes(of: name)
    let format: ArchiveReader.Format = name.hasSuffix("gz") ? .tar(.gzip) : .tar(.zstandard)
    for changed in [bytes.dropLast(), Array(bytes[..<20]), bytes + [0], [1] + bytes] as [[UInt8]] {
      try folder.write("changed", Data(changed))
      let path = folder.path("changed")
      let error = #expect(throws: ArchiveError.self) {
        var reader = try ArchiveReader(InputFile(path), format: format, maxUncompressedBytes: 1 << 20)
        while try reader.nextEntry() != nil { try reader.readBlocks { _ in true } }
      }
      #expect(error?.action == "read" && error?.path == path && error?.cause == nil)
    }
  }

  @Test(arguments: ["test.zip", "x.tar.gz", "x.tar.zst"]) func `entries are read or passed over`(
    name: String
  ) throws {
    let contents: [[UInt8]] = [
      [], [1], [2, 3], Content.random.bytes(700_000), Content.text.bytes(700_000), [4, 5, 6],
    ]
    var format = ArchiveReader.Format.zip
    if name == "test.zip" {
      var zip = try ZipWriter(in: folder)
      for (number, content) in contents.enumerated() {
        try zip.add("\(number)", content, number == 4 ? .deflated : .stored)
      }
      _ = try zip.finish()
    } else {
      format = name.hasSuffix("gz") ? .tar(.gzip) : .tar(.zstandard)
      try writeTar(
        to: folder.path(name), modified: 0,
        contents.enumerated().map { (name: "\($0.offset)", content: $0.element) })
    }
    for first in 0...contents.count {
      var reader = try ArchiveReader(
        InputFile(folder.path(name)), format: format, maxUncompressedBytes: 1 << 30)
      for (number, content) in contents.enumerated() {
        let next = try reader.nextEntry()
        let entry = try #require(next)
        #expect(entry.name == Array("\(number)".utf8) && entry.isFile)
        if number < first { continue }
        var found: [UInt8] = []
        try reader.readBlocks { block in
          block.withUnsafeBytes { found += $0 }
          return true
        }
        #expect(found == content, "\(number)")
      }
      #expect(try reader.nextEntry() == nil)
    }
    // A body that wants no more is not called again.
    var reader = try ArchiveReader(
      InputFile(folder.path(name)), format: format, maxUncompressedBytes: 1 << 30)
    for _ in 0..<4 { _ = try reader.nextEntry() }
    var calls = 0
    try reader.readBlocks { _ in
      calls += 1
      return false
    }
    #expect(calls == 1)
  }
}
