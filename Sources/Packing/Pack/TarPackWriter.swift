import Archiving
import Model
import Pipeline
import System

/// Writes a pack as a compressed tar archive.
///
/// Several threads read and hash files, and libarchive compresses them from front to back.
final class TarPackWriter: PackWriter {
  /// A piece that has been read.
  private struct Product {
    var contents: ByteBuffer
    /// The index and digest of each file of a batch.
    ///
    /// The bytes of the files are concatenated in `contents`.
    var files: [(index: Int, digest: Digest)] = []
  }

  /// The archive.
  ///
  /// Pieces are written to it in order.
  private struct Output: ~Copyable {
    /// The tar writer; nil before the first piece.
    var tar: TarWriter?
    var packed: [PackedFile] = []
    /// The running digest of the file whose blocks are being written.
    var digest = SHA256()
  }

  private let job: PackJob
  private let files: [AssetFile]
  private let pieces: [PackPiece]
  private let path: String
  /// Chooses the compression of the archive.
  ///
  /// For this choice, it can read samples of the files.
  private let filter: @Sendable ([AssetFile]) -> TarFilter
  private let writer = OrderedWriter<Product>()
  private let output = Monitor(Output())

  init(
    _ pack: AssetPack, in job: PackJob, path: String,
    filter: @escaping @Sendable ([AssetFile]) -> TarFilter
  ) {
    self.job = job
    self.path = path
    self.filter = filter
    files = job.files(of: pack)
    pieces = PackPiece.pieces(of: files) { _ in nil }
  }

  var pieceCount: Int { pieces.count }

  func makePiece(_ number: Int, with compressor: inout EntryCompressor) throws {
    compressor.clock.skip()
    try writer.put(number) {
      switch pieces[number] {
      case .batch(let range): try makeBatch(range, with: &compressor)
      case .block(let number, let range), .copy(let number, let range):
        try makeBlock(ofFile: number, range: range, with: &compressor)
      }
    } write: { number, product in
      compressor.clock.skip()
      try throwingCause { try output.change { try write(product, of: pieces[number], output: &$0) } }
      compressor.clock.lap(.compress, bytes: Int64(product.contents.count))
      job.releaseBuffer(product.contents)
    }
  }

  func finish() throws -> FinishedPack {
    try throwingCause {
      try output.change { output in
        try begin(&output)
        guard let tar = output.tar.take() else { preconditionFailure("a tar was begun") }
        return FinishedPack(files, packedFiles: output.packed, archive: try tar.finish(), stagedPath: path)
      }
    }
  }

  private func makeBatch(_ range: Range<Int>, with compressor: inout EntryCompressor) throws -> Product {
    var contents = job.acquireBuffer()
    var places: [Int] = []
    var ranges: [Range<Int>] = []
    for index in range {
      let start = contents.count
      let file = files[index]
      guard try job.read(file, range: 0..<file.size, by: &compressor.opener, into: &contents) else {
        contents.truncate(to: start)
        continue
      }
      places.append(index)
      ranges.append(start..<contents.count)
    }
    let size = Int64(contents.count)
    compressor.clock.lap(.read, bytes: size)
    let digests = contents.withBytes { bytes in
      ranges.map { SHA256.digest(of: bytes.extracting($0)) }
    }
    compressor.clock.lap(.hash, bytes: size)
    job.readCounter.addHashed(size)
    return Product(contents: contents, files: Array(zip(places, digests)))
  }

  private func makeBlock(
    ofFile index: Int, range: Range<Int64>, with compressor: inout EntryCompressor
  ) throws -> Product {
    var contents = job.acquireBuffer()
    _ = try job.read(files[index], range: range, by: &compressor.opener, into: &contents)
    compressor.clock.lap(.read, bytes: Int64(contents.count))
    return Product(contents: contents)
  }

  private func begin(_ output: inout Output) throws {
    if output.tar != nil { return }
    let file = try OutputFile(creating: path, nextRead: .later)
    output.tar = try TarWriter(file, filter: filter(files), modifiedSeconds: job.settings.modified)
  }

  private func write(_ product: Product, of piece: PackPiece, output: inout Output) throws {
    try begin(&output)
    switch piece {
    case .batch:
      var start = 0
      for (index, digest) in product.files {
        let end = start + Int(files[index].size)
        try output.tar?.beginEntry(name: files[index].packPath, size: files[index].size)
        try product.contents.withBytes(start..<end) { try output.tar?.append(block: $0) }
        output.packed.append(PackedFile(digest: digest))
        start = end
      }
    case .block(let index, let range), .copy(let index, let range):
      let file = files[index]
      job.readCounter.addHashed(Int64(product.contents.count))
      if range.lowerBound == 0 { try output.tar?.beginEntry(name: file.packPath, size: file.size) }
      try product.contents.withBytes {
        output.digest.update($0)
        try output.tar?.append(block: $0)
      }
      if range.upperBound == file.size {
        output.packed.append(PackedFile(digest: output.digest.finish()))
      }
    }
  }

  /// If a call of libarchive fails because of a system error, such as a full disk or a signal, throws that
  /// error.
  private func throwingCause<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as ArchiveError {
      throw error.cause ?? error
    }
  }
}
