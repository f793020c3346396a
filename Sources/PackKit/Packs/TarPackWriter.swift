import Archiving

/// Writes a pack as a compressed tar archive: one piece, for libarchive writes front to back.
final class TarPackWriter: PackWriter {
  /// Bytes that are read at once.
  private static let blockSize: Int64 = 1 << 20

  private let job: PackJob
  private let files: [AssetFile]
  private let path: String
  private let written = Monitor<WrittenPack?>(nil)

  init(_ pack: AssetPack, in job: PackJob, path: String) {
    self.job = job
    self.path = path
    files = job.files(of: pack)
  }

  let pieceCount = 1

  func makePiece(_: Int, at bench: inout Workbench) throws {
    do {
      try write(at: &bench)
    } catch let error as ArchiveError {
      // A disk that is full, or a signal, is told as by every other writer.
      throw error.cause ?? error
    }
  }

  private func write(at bench: inout Workbench) throws {
    let settings = job.settings
    bench.clock.skip()
    let filter: TarWriter.Filter =
      settings.container == .tarGzip
      ? .gzip(level: settings.compression.zlibLevel)
      : .zstandard(level: settings.compression.zstandardLevel)
    var tar = try TarWriter(
      OutputFile(creating: path, use: .later), filter: filter, modified: settings.modified)
    var packed: [PackedFile] = []
    for file in files {
      try tar.beginEntry(name: file.packPath, size: file.size)
      for offset in stride(from: 0, to: file.size, by: Int(Self.blockSize)) {
        bench.source.clear()
        let range = offset..<min(offset + Self.blockSize, file.size)
        guard try job.read(file, range, by: &bench.opener, into: &bench.source) else { break }
        let count = range.upperBound - range.lowerBound
        bench.clock.lap(.read, bytes: count)
        let source = bench.source
        source.withBytes { bench.digest.update($0) }
        bench.clock.lap(.hash, bytes: count)
        try source.withBytes { try tar.append(block: $0) }
        bench.clock.lap(.compress, bytes: count)
      }
      packed.append(PackedFile(digest: bench.digest.finish(), entry: nil))
    }
    let pack = WrittenPack(files, packed, archive: try tar.finish(), stagedPath: path)
    written.change { $0 = pack }
  }

  func finish() throws -> WrittenPack {
    guard let pack = written.change({ $0 }) else { preconditionFailure("a pack ends after its pieces") }
    return pack
  }
}
