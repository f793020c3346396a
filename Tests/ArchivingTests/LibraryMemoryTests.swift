@testable import Archiving
import Support
@testable import System
import Testing

/// Tests that the libraries free their memory at the end of an archive or a stream.
///
/// A build has thousands of archives and streams.
@Suite struct LibraryMemoryTests {
  enum Use: String, CaseIterable, Codable, Sendable {
    case writeZstandardFrame, readZstandardFrame, inflateZstandard
    case deflate, inflateGzip
    case writeTarGzip, writeTarZstandard
    case readZip, readTarGzip, readTarZstandard
  }

  /// Runs in a separate process, so that no other test affects its memory.
  @Test(.mostlyWaits, arguments: Use.allCases)
  func `libraries give their memory back`(use: Use) async throws {
    let folder = try TemporaryFolder()
    let content = Content.half.bytes(150_000)
    var zip = try ZipWriter(in: folder)
    try zip.add("a", content, .deflated)
    _ = try zip.finish()
    for name in ["test.tar.gz", "test.tar.zst"] {
      try writeTar(to: folder.path(name), modified: 0, [("a", content)])
    }
    let path = folder.path
    await #expect(processExitsWith: .success) { [use = use as Use, path = path as String] in
      let content = Content.half.bytes(150_000)
      let settings = ZstandardSettings(level: 1, windowLog: 19)
      let frame = zstandardFrame(of: content.span.bytes, settings: settings).array()
      let gzip = Deflater.gzip(content.span.bytes, level: 1).array()
      func inflate(_ bytes: [UInt8], with inflater: any StreamInflater) throws {
        try withUnsafeTemporaryAllocation(byteCount: 200_000, alignment: 16) { output in
          _ = try bytes.withUnsafeBytes { try inflater.inflate($0, into: output) }
        }
      }
      func read(_ name: String, _ format: ArchiveReader.Format) throws {
        var reader = try ArchiveReader(
          InputFile("\(path)/\(name)"), format: format, maxUncompressedBytes: 1 << 30)
        while try reader.nextEntry() != nil { try reader.readBlocks { _ in true } }
      }
      func write(_ name: String) throws {
        try writeTar(to: "\(path)/\(name)", modified: 0, [("a", content)])
        try FileOperations.remove("\(path)/\(name)")
      }
      let givesBack = try givesMemoryBack {
        switch use {
        case .writeZstandardFrame: _ = zstandardFrame(of: content.span.bytes, settings: settings)
        case .readZstandardFrame:
          let end = ZstandardDecoder.decode(uncompressedSize: Int64(content.count), prefix: ByteBuffer()) {
            decoder in
            _ = decoder.append(frame.span.bytes) { _ in }
          }
          #expect(end == .whole)
        case .inflateZstandard: try inflate(frame, with: ZstandardInflater())
        case .deflate: _ = Deflater.gzip(content.span.bytes, level: 1)
        case .inflateGzip: try inflate(gzip, with: GzipInflater())
        case .writeTarGzip: try write("new.tar.gz")
        case .writeTarZstandard: try write("new.tar.zst")
        case .readZip: try read("test.zip", .zip)
        case .readTarGzip: try read("test.tar.gz", .tar(.gzip))
        case .readTarZstandard: try read("test.tar.zst", .tar(.zstandard))
        }
      }
      #expect(givesBack)
    }
  }
}
