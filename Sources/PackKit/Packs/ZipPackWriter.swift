import Archiving

/// Writes a pack as a zip archive; entries that have not changed are copied out of the last one.
final class ZipPackWriter: PackWriter {
  /// Pieces that may be made before one ahead of them is: what bounds the memory.
  private static let mostPiecesAhead = 4

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
    var packed: [PackedFile] = []
    /// The running digest and checksum of the file whose blocks are being written.
    var digest = SHA256()
    var checksum = Checksum()
  }

  private let job: PackJob
  private let files: [AssetFile]
  /// What the last archive has of each file; nil where it must be compressed.
  private let reused: [PackedFile?]
  private let oldArchive: OldArchive?
  private let pieces: [ZipPiece]
  private let path: String
  private let state: Monitor<State>
  /// For each large file, once somebody has looked, whether it is deflated.
  private let methods: Monitor<[Int: ZipEntry.Method]> = Monitor([:])

  init(_ pack: AssetPack, in job: PackJob, path: String) throws {
    self.job = job
    self.path = path
    files = job.files(of: pack)
    let old = job.oldArchive(of: pack)
    oldArchive = old
    let reused = pack.files.map { old == nil ? nil : job.reusable($0) }
    self.reused = reused
    pieces = ZipPiece.pieces(of: files) { reused[$0]?.entry?.compressedSize }
    let zip = ZipWriter(
      try OutputFile(creating: path, use: .later), modified: ZipTime(secondsSince1970: job.settings.modified))
    state = Monitor(State(zip: consume zip))
  }

  var pieceCount: Int { pieces.count }

  func makePiece(_ number: Int, at bench: inout Workbench) throws {
    bench.clock.skip()
    do {
      let product =
        switch pieces[number] {
        case .batch(let range): try makeBatch(range, at: &bench)
        case .block(let file, let range): try makeBlock(of: file, range, at: &bench)
        case .copy(let file, let range): try copyBlock(of: file, range)
        }
      try hand(over: product, as: number, at: &bench)
    } catch {
      // Whoever waits for this piece would wait for ever.
      state.change { $0.hasFailed = true }
      throw error
    }
  }

  func finish() throws -> WrittenPack {
    try state.change { state in
      guard let zip = state.zip.take() else { preconditionFailure("a pack is finished once") }
      return WrittenPack(files, state.packed, archive: try zip.finish(), stagedPath: path)
    }
  }

  private func makeBatch(_ range: Range<Int>, at bench: inout Workbench) throws -> Product {
    var payload = job.buffers.take()
    var entries: [(ZipEntry, Digest)] = []
    for place in range {
      let file = files[place]
      if let old = reused[place], let entry = old.entry {
        try oldArchive?.read(0..<entry.compressedSize, of: entry, into: &payload)
        entries.append((ZipEntry(name: file.packPath, size: file.size, as: entry), old.digest))
        continue
      }
      bench.source.clear()
      guard try job.read(file, 0..<file.size, by: &bench.opener, into: &bench.source) else { continue }
      bench.clock.lap(.read, bytes: file.size)
      let (method, checksum, digest, size) = bench.pack(into: &payload)
      let entry = ZipEntry(
        name: file.packPath, method: method, size: file.size, compressedSize: size, checksum: checksum)
      entries.append((entry, digest))
    }
    return Product(payload: payload, entries: entries)
  }

  private func makeBlock(
    of place: Int, _ range: Range<Int64>, at bench: inout Workbench
  ) throws -> Product {
    let file = files[place]
    var source = job.buffers.take()
    var payload = job.buffers.take()
    let isWhole = try job.read(file, range, by: &bench.opener, into: &source)
    bench.clock.lap(.read, bytes: Int64(source.count))
    if isWhole, try method(of: place, at: &bench) == .deflated {
      source.withBytes { bench.deflateBlock($0, isLast: range.upperBound == file.size, into: &payload) }
      bench.clock.lap(.compress, bytes: Int64(source.count))
    }
    return Product(payload: payload, source: source)
  }

  private func copyBlock(of place: Int, _ range: Range<Int64>) throws -> Product {
    var payload = job.buffers.take()
    if let entry = reused[place]?.entry { try oldArchive?.read(range, of: entry, into: &payload) }
    return Product(payload: payload)
  }

  /// How a large file is kept: judged once, by samples from all over it.
  private func method(of place: Int, at bench: inout Workbench) throws -> ZipEntry.Method {
    if let known = methods.change({ $0[place] }) { return known }
    let file = files[place]
    bench.source.clear()
    let sample: Int64 = 1 << 13
    for index in 0..<Int64(16) {
      let start = file.size / 16 * index + (file.size / 16 - sample) / 2
      guard job.readSample(file, start..<start + sample, by: &bench.opener, into: &bench.source) else {
        break
      }
    }
    let samples = bench.source
    let method: ZipEntry.Method =
      samples.withBytes { bench.isWorthDeflating($0, places: 16) } ? .deflated : .stored
    methods.change { $0[place] = method }
    return method
  }

  /// Puts a product in its place: it is written once all pieces ahead of it are.
  private func hand(over product: Product, as number: Int, at bench: inout Workbench) throws {
    state.wait { number - $0.next <= Self.mostPiecesAhead || $0.hasFailed ? () : nil }
    bench.clock.skip()
    defer { bench.clock.lap(.write, bytes: Int64(product.payload.count)) }
    try state.change { state in
      state.waiting[number] = product
      while let product = state.waiting.removeValue(forKey: state.next) {
        try write(product, of: pieces[state.next], &state)
        state.next += 1
      }
    }
  }

  private func write(_ product: Product, of piece: ZipPiece, _ state: inout State) throws {
    switch piece {
    case .batch:
      var start = 0
      for (entry, digest) in product.entries {
        let end = start + Int(entry.compressedSize)
        let archived = try product.payload.withBytes(start..<end) {
          try state.zip?.append(entry, payload: $0)
        }
        state.packed.append(PackedFile(digest: digest, entry: archived))
        start = end
      }
    case .block(let place, let range): try writeBlock(product, of: place, range, &state)
    case .copy(let place, let range): try writeCopy(product, of: place, range, &state)
    }
    job.buffers.give(product.payload)
    if let source = product.source { job.buffers.give(source) }
  }

  private func writeBlock(
    _ product: Product, of place: Int, _ range: Range<Int64>, _ state: inout State
  ) throws {
    let file = files[place]
    let method = methods.change { $0[place] } ?? .stored
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
      let archived = try state.zip?.endEntry(checksum: state.checksum)
      state.packed.append(PackedFile(digest: state.digest.finish(), entry: archived))
    }
  }

  private func writeCopy(
    _ product: Product, of place: Int, _ range: Range<Int64>, _ state: inout State
  ) throws {
    guard let old = reused[place], let entry = old.entry else { return }
    if range.lowerBound == 0 {
      try state.zip?.beginEntry(name: files[place].packPath, method: entry.method, size: files[place].size)
    }
    try product.payload.withBytes { try state.zip?.append(block: $0) }
    if range.upperBound == entry.compressedSize {
      let archived = try state.zip?.endEntry(checksum: entry.checksum)
      state.packed.append(PackedFile(digest: old.digest, entry: archived))
    }
  }
}

/// The archive of the last build, of which unchanged entries are copied.
final class OldArchive: Sendable {
  private let file: InputFile

  init(_ path: String) throws(SystemError) {
    file = try InputFile(path)
  }

  /// Appends some of the bytes that the archive keeps of an entry.
  func read(
    _ range: Range<Int64>, of entry: ArchivedEntry, into buffer: inout ByteBuffer
  ) throws(SystemError) {
    let before = buffer.count
    try file.read(range.count, at: entry.dataOffset + range.lowerBound, into: &buffer)
    if buffer.count - before != range.count {
      throw SystemError("copy from", file.path, code: SystemError.truncated)
    }
  }
}
