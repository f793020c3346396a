import Archiving
import Synchronization

/// Writes a pack as a zip archive.
///
/// Small files are made in batches, large ones in blocks, so that one huge file keeps every core busy.
/// The bytes depend on the size of the blocks but not on who makes which.
final class ZipPackWriter: PackWriter {
  /// Bytes of a large file that are compressed at once.
  static let blockSize: Int64 = 1 << 20
  private static let mostFilesInBatch = 512
  /// Pieces that may be made before one ahead of them is: what bounds the memory.
  private static let mostPiecesAhead = 4

  private enum Piece {
    /// Files, whole, by their number in the pack.
    case batch(Range<Int>)
    /// Part of one file.
    case block(file: Int, Range<Int64>)
  }

  /// A piece that has been made and waits for its turn.
  private struct Product {
    var payload: ByteBuffer
    /// What a block was made from, for the digest that runs over all blocks.
    var source: ByteBuffer?
    /// The entries of a batch, whose bytes stand in the payload one behind the other.
    var entries: [(entry: ZipEntry, digest: Digest)] = []
  }

  private struct State: ~Copyable {
    var zip: ZipWriter?
    var next = 0
    var waiting: [Int: Product] = [:]
    var hasFailed = false
    var fileDigests: [Digest] = []
    /// The running digest and checksum of the file whose blocks are being written.
    var digest = SHA256()
    var checksum = Checksum()
  }

  private let job: PackJob
  private let files: [AssetFile]
  private let pieces: [Piece]
  private let path: String
  private let state: Monitor<State>
  /// For each large file, once somebody has looked, whether it is deflated.
  private let methods: Mutex<[Int: ZipEntry.Method]> = Mutex([:])

  init(_ pack: AssetPack, in job: PackJob, path: String) throws {
    self.job = job
    self.path = path
    files = job.files(of: pack)
    pieces = Self.pieces(of: files)
    let file = try OutputFile(creating: path)
    let zip = ZipWriter(file, modified: ZipTime(secondsSince1970: job.settings.modified))
    state = Monitor(State(zip: consume zip))
  }

  var pieceCount: Int { pieces.count }

  func makePiece(_ number: Int, at bench: inout Workbench) throws {
    do {
      let product =
        switch pieces[number] {
        case .batch(let range): try makeBatch(range, at: &bench)
        case .block(let file, let range): try makeBlock(of: file, range, at: &bench)
        }
      try hand(over: product, as: number)
    } catch {
      // Whoever waits for this piece would wait for ever.
      state.change { $0.hasFailed = true }
      throw error
    }
  }

  func finish() throws -> WrittenPack {
    try state.change { state in
      guard let zip = state.zip.take() else { preconditionFailure("a pack is finished once") }
      let archive = try zip.finish()
      let digest = contentsDigest(of: files, state.fileDigests)
      return WrittenPack(fileDigests: state.fileDigests, digest: digest, archive: archive, stagedPath: path)
    }
  }

  private static func pieces(of files: [AssetFile]) -> [Piece] {
    var pieces: [Piece] = []
    var start = 0
    var size: Int64 = 0
    func endBatch(at end: Int) {
      if start < end { pieces.append(.batch(start..<end)) }
      start = end
      size = 0
    }
    for (number, file) in files.enumerated() {
      if size + file.size > blockSize || number - start == mostFilesInBatch { endBatch(at: number) }
      size += file.size
      guard file.size > blockSize else { continue }
      for offset in stride(from: 0, to: file.size, by: Int(blockSize)) {
        pieces.append(.block(file: number, offset..<min(offset + blockSize, file.size)))
      }
      start = number + 1
      size = 0
    }
    endBatch(at: files.count)
    return pieces
  }

  private func makeBatch(_ range: Range<Int>, at bench: inout Workbench) throws -> Product {
    var payload = job.buffers.take()
    var entries: [(ZipEntry, Digest)] = []
    for file in files[range] {
      bench.source.clear()
      guard try job.read(file, 0..<file.size, into: &bench.source) else { continue }
      // Taken out while the bench works on it, and put back.
      let source = bench.source
      source.withBytes { bytes in
        bench.digest.update(bytes)
        var checksum = Checksum()
        checksum.update(bytes)
        let deflated = bench.deflate(bytes, into: &payload)
        if deflated == nil { payload.append(bytes) }
        let entry = ZipEntry(
          name: file.packPath, method: deflated == nil ? .stored : .deflated, size: file.size,
          compressedSize: Int64(deflated ?? bytes.byteCount), checksum: checksum)
        entries.append((entry, bench.digest.finish()))
      }
    }
    return Product(payload: payload, entries: entries)
  }

  private func makeBlock(
    of number: Int, _ range: Range<Int64>, at bench: inout Workbench
  ) throws -> Product {
    let file = files[number]
    var source = job.buffers.take()
    var payload = job.buffers.take()
    if try job.read(file, range, into: &source), try method(of: number, at: &bench) == .deflated {
      source.withBytes { bench.deflateBlock($0, isLast: range.upperBound == file.size, into: &payload) }
    }
    return Product(payload: payload, source: source)
  }

  /// How a large file is kept: judged once, by samples from all over it.
  private func method(of number: Int, at bench: inout Workbench) throws -> ZipEntry.Method {
    if let known = methods.withLock({ $0[number] }) { return known }
    let file = files[number]
    bench.source.clear()
    let sample: Int64 = 1 << 14
    for index in 0..<Int64(8) {
      let start = (file.size - sample) / 7 * index
      guard try job.readSample(file, start..<start + sample, into: &bench.source) else { break }
    }
    let samples = bench.source
    let method: ZipEntry.Method = samples.withBytes { bench.isWorthDeflating($0) } ? .deflated : .stored
    methods.withLock { $0[number] = method }
    return method
  }

  /// Puts a product in its place: it is written once all pieces ahead of it are.
  private func hand(over product: Product, as number: Int) throws {
    state.wait { number - $0.next <= Self.mostPiecesAhead || $0.hasFailed ? () : nil }
    try state.change { state in
      state.waiting[number] = product
      while let product = state.waiting.removeValue(forKey: state.next) {
        try write(product, of: pieces[state.next], &state)
        state.next += 1
      }
    }
  }

  private func write(_ product: Product, of piece: Piece, _ state: inout State) throws {
    switch piece {
    case .batch:
      var start = 0
      for (entry, digest) in product.entries {
        let end = start + Int(entry.compressedSize)
        try product.payload.withBytes(start..<end) { try state.zip?.append(entry, payload: $0) }
        state.fileDigests.append(digest)
        start = end
      }
    case .block(let number, let range): try writeBlock(product, of: number, range, &state)
    }
    job.buffers.give(product.payload)
    if let source = product.source { job.buffers.give(source) }
  }

  private func writeBlock(
    _ product: Product, of number: Int, _ range: Range<Int64>, _ state: inout State
  ) throws {
    let file = files[number]
    let method = methods.withLock { $0[number] } ?? .stored
    if range.lowerBound == 0 {
      try state.zip?.beginEntry(name: file.packPath, method: method, size: file.size)
      state.checksum = Checksum()
    }
    try product.source?.withBytes { bytes in
      state.digest.update(bytes)
      state.checksum.update(bytes)
      if method == .stored { try state.zip?.append(block: bytes) }
    }
    if method == .deflated { try product.payload.withBytes { try state.zip?.append(block: $0) } }
    if range.upperBound == file.size {
      try state.zip?.endEntry(checksum: state.checksum)
      state.fileDigests.append(state.digest.finish())
    }
  }
}
