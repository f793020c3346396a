import Archiving
import Model
import Pipeline
import System

/// Writes a pack as a zip archive.
///
/// Unchanged entries are copied from the archive of the previous build.
final class ZipPackWriter: PackWriter {
  /// An entry that is ready to be written.
  private struct MadeEntry {
    /// The index of the entry's file in the pack.
    let index: Int
    let entry: ZipEntry
    /// The digest of the file's content; nil for a stored entry whose digest is computed while the entry is
    /// written.
    let digest: Digest?
  }

  /// A piece that has been made.
  private struct Product {
    var payload: ByteBuffer
    /// The uncompressed bytes of a block, from which the running digest is updated.
    var source: ByteBuffer?
    /// The entries of a batch.
    ///
    /// Their bytes are concatenated in `payload`.
    var entries: [MadeEntry] = []
  }

  /// The archive.
  ///
  /// Pieces are written to it in order.
  private struct Output: ~Copyable {
    var zip: ZipWriter?
    var packed: [PackedFile] = []
    /// The running digest and checksum of the file whose blocks are being written.
    var digest = SHA256()
    var checksum = Checksum()
  }

  private let job: PackJob
  private let files: [AssetFile]
  /// The entry of each file in the previous archive; nil if the file must be compressed.
  private let reused: [PackedFile?]
  private let oldArchive: OldArchive?
  private let pieces: [PackPiece]
  private let frame: StreamedZipExtras?
  private let path: String
  private let writer = OrderedWriter<Product>()
  private let output: Monitor<Output>
  /// The chosen effort for each large file that has been sampled, by the file's index.
  private let efforts: Monitor<[Int: Compression.Effort]> = Monitor([:])

  /// Creates a writer that copies unchanged entries from `old`.
  init(_ pack: AssetPack, old: OldArchive?, in job: PackJob, path: String) throws {
    self.job = job
    self.path = path
    let files = job.files(of: pack)
    self.files = files
    oldArchive = old
    let reused = zip(pack.files, files).map { number, file in
      job.reusable(number).flatMap { old?.holds($0.entry, of: file) == true ? $0 : nil }
    }
    self.reused = reused
    pieces = PackPiece.pieces(of: files) { reused[$0]?.entry?.compressedSize }
    frame = job.settings.frame(of: pack, files: files)
    var zip = ZipWriter(
      try OutputFile(creating: path, nextRead: .later),
      modified: ZipTime(secondsSince1970: job.settings.modified))
    try frame?.begin(&zip)
    output = Monitor(Output(zip: consume zip))
  }

  var pieceCount: Int { pieces.count }

  func makePiece(_ number: Int, with compressor: inout EntryCompressor) throws {
    compressor.clock.skip()
    try writer.put(number) {
      switch pieces[number] {
      case .batch(let range): try makeBatch(number, range: range, with: &compressor)
      case .block(let number, let range): try makeBlock(ofFile: number, range: range, with: &compressor)
      case .copy(let number, let range): try copyBlock(ofFile: number, range: range)
      }
    } write: { number, product in
      compressor.clock.skip()
      try output.change { try write(product, of: pieces[number], output: &$0) }
      compressor.clock.lap(.write, bytes: Int64(product.payload.count))
      job.releaseBuffer(product.payload)
      if let source = product.source { job.releaseBuffer(source) }
    }
  }

  func finish() throws -> FinishedPack {
    try output.change { output in
      guard var zip = output.zip.take() else { preconditionFailure("a pack is finished once") }
      try frame?.end(&zip)
      return FinishedPack(files, packedFiles: output.packed, archive: try zip.finish(), stagedPath: path)
    }
  }

  private func makeBatch(
    _ number: Int, range: Range<Int>, with compressor: inout EntryCompressor
  ) throws -> Product {
    var payload = job.acquireBuffer()
    var entries: [MadeEntry] = []
    for index in range {
      let file = files[index]
      if let old = reused[index], let entry = old.entry {
        try oldArchive?.read(0..<entry.compressedSize, of: entry, into: &payload)
        compressor.clock.lap(.read, bytes: entry.compressedSize)
        let copy = ZipEntry(name: file.packPath, size: file.size, copying: entry)
        entries.append(MadeEntry(index: index, entry: copy, digest: old.digest))
        continue
      }
      let start = payload.count
      guard try job.read(file, range: 0..<file.size, by: &compressor.opener, into: &payload) else {
        payload.truncate(to: start)
        continue
      }
      compressor.clock.lap(.read, bytes: file.size)
      let packed = compressor.pack(&payload, from: start) { writer.isDue(number) }
      let entry = ZipEntry(
        name: file.packPath, method: packed.method, size: file.size, compressedSize: packed.size,
        checksum: packed.checksum)
      entries.append(MadeEntry(index: index, entry: entry, digest: packed.digest))
      if packed.digest != nil { job.readCounter.addHashed(file.size) }
    }
    return Product(payload: payload, entries: entries)
  }

  private func makeBlock(
    ofFile index: Int, range: Range<Int64>, with compressor: inout EntryCompressor
  ) throws -> Product {
    let file = files[index]
    var source = job.acquireBuffer()
    var payload = job.acquireBuffer()
    let isWhole = try job.read(file, range: range, by: &compressor.opener, into: &source)
    compressor.clock.lap(.read, bytes: Int64(source.count))
    let effort = isWhole ? effort(for: index, with: &compressor) : .zero
    if effort != .zero {
      let part: StreamPart = range.upperBound == file.size ? .last : .continued
      source.withBytes {
        compressor.deflateBlock($0, effort: effort, part: part, into: &payload)
      }
      compressor.clock.lap(.compress, bytes: Int64(source.count))
    }
    return Product(payload: payload, source: source)
  }

  private func copyBlock(ofFile index: Int, range: Range<Int64>) throws -> Product {
    var payload = job.acquireBuffer()
    if let entry = reused[index]?.entry { try oldArchive?.read(range, of: entry, into: &payload) }
    return Product(payload: payload)
  }

  /// Returns the effort for a large file.
  ///
  /// The effort is decided once, based on samples of the whole file.
  private func effort(for index: Int, with compressor: inout EntryCompressor) -> Compression.Effort {
    if let known = efforts.change({ $0[index] }) { return known }
    let file = files[index]
    compressor.source.clear()
    for index in 0..<Int64(32) {
      let range = sampleRange(inPart: index, of: 32, sampleSize: 1 << 13, totalSize: file.size)
      guard job.readSample(file, range: range, by: &compressor.opener, into: &compressor.source) else {
        break
      }
    }
    let samples = compressor.source
    let effort = samples.withBytes { compressor.effort(forSamples: $0) }
    efforts.change { $0[index] = effort }
    return effort
  }

  private func write(_ product: Product, of piece: PackPiece, output: inout Output) throws {
    switch piece {
    case .batch:
      var start = 0
      for made in product.entries {
        let entry = made.entry
        let end = start + Int(entry.compressedSize)
        try addFolders(above: made.index, output: &output)
        let packed = try product.payload.withBytes(start..<end) { payload in
          if let digest = made.digest {
            return PackedFile(digest: digest, entry: try output.zip?.append(entry, payload: payload))
          }
          let archived = try output.zip?.append(entry, payload: payload, addingTo: &output.digest)
          job.readCounter.addHashed(entry.size)
          return PackedFile(digest: output.digest.finish(), entry: archived)
        }
        output.packed.append(packed)
        start = end
      }
    case .block(let index, let range): try writeBlock(product, ofFile: index, range: range, output: &output)
    case .copy(let index, let range): try writeCopy(product, ofFile: index, range: range, output: &output)
    }
  }

  private func writeBlock(
    _ product: Product, ofFile index: Int, range: Range<Int64>, output: inout Output
  ) throws {
    let file = files[index]
    let effort = efforts.change { $0[index] } ?? .zero
    let method: ZipEntry.Method = effort == .zero ? .stored : .deflated
    if range.lowerBound == 0 {
      try addFolders(above: index, output: &output)
      try output.zip?.beginEntry(name: file.packPath, method: method, size: file.size)
      output.checksum = Checksum()
    }
    try product.source?.withBytes { bytes in
      output.digest.update(bytes)
      job.readCounter.addHashed(Int64(bytes.byteCount))
      output.checksum.update(bytes)
      if method == .stored { try output.zip?.append(block: bytes) }
    }
    if method == .deflated { try product.payload.withBytes { try output.zip?.append(block: $0) } }
    if range.upperBound == file.size {
      let archived = try output.zip?.endEntry(checksum: output.checksum)
      output.packed.append(PackedFile(digest: output.digest.finish(), entry: archived))
    }
  }

  private func writeCopy(
    _ product: Product, ofFile index: Int, range: Range<Int64>, output: inout Output
  ) throws {
    guard let old = reused[index], let entry = old.entry else { return }
    if range.lowerBound == 0 {
      try addFolders(above: index, output: &output)
      try output.zip?.beginEntry(name: files[index].packPath, method: entry.method, size: files[index].size)
    }
    try product.payload.withBytes { try output.zip?.append(block: $0) }
    if range.upperBound == entry.compressedSize {
      let archived = try output.zip?.endEntry(checksum: entry.checksum)
      output.packed.append(PackedFile(digest: old.digest, entry: archived))
    }
  }

  private func addFolders(above index: Int, output: inout Output) throws {
    for folder in frame?.folders[index] ?? [] { try output.zip?.appendFolder(named: folder) }
  }
}

/// The archive of the previous build, from which unchanged entries are copied.
final class OldArchive: Sendable {
  private let file: InputFile
  private let size: Int64
  private let modified: ZipTime

  /// Opens an archive.
  ///
  /// All its entries have the time `modified`, in seconds since 1970.
  init(_ path: String, modified: Int64) throws(SystemError) {
    file = try InputFile(outputPath: path)
    size = try file.status().size
    self.modified = ZipTime(secondsSince1970: modified)
  }

  /// Whether the archive really contains a file's entry at the position that the build cache states.
  ///
  /// This check is needed because the build cache might be forged.
  func holds(_ entry: ArchivedEntry?, of asset: AssetFile) -> Bool {
    guard let entry, entry.compressedSize <= size - entry.dataOffset else { return false }
    let header = ZipEntry(name: asset.packPath, size: asset.size, copying: entry).localHeader(
      modified: modified)
    let start = entry.dataOffset - Int64(header.count)
    guard start >= 0, let bytes = try? file.bytes(count: header.count, at: start) else { return false }
    return bytes == header.array()
  }

  func read(
    _ range: Range<Int64>, of entry: ArchivedEntry, into buffer: inout ByteBuffer
  ) throws(SystemError) {
    let before = buffer.count
    try file.read(range.count, at: entry.dataOffset + range.lowerBound, into: &buffer)
    if buffer.count - before != range.count {
      throw SystemError(during: "copy from", path: file.path, code: SystemError.truncated)
    }
  }
}
