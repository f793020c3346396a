import Archiving
import Model
import Pipeline
import System

/// Compares the digests of files and archives whose times do not prove that they are unchanged.
///
/// Digests are compared only if this can avoid other work. If a pack must be written anyway, one of its files
/// is compared only if the file's compressed bytes could be copied.
extension LastBuild {
  /// The maximum total size in bytes of the files in a batch.
  private static let batchSize: Int64 = 16 << 20
  private static let maxFilesInBatch = 512

  /// The files, or the archive, that one thread compares in one step.
  private struct Batch: Sendable {
    /// The indices of the files in the tree.
    var files: [Int] = []
    /// The index of the pack whose archive is compared.
    var archive: Int?
  }

  mutating func compare(
    with root: Folder, target: BuildTarget, readCounter: ReadCounter, jobs: Int
  ) throws(SystemError) {
    let output = target.output
    archives = match.packs.map { pack in
      pack.map { output.state(of: $0.recorded.published.archive, recordedStamp: $0.recorded.stamp) } ?? .other
    }
    list = output.state(of: match.list.published, recordedStamp: match.list.stamp)
    if list == .other && output.isSame(match.list.published) { list = .sameBytes }
    let batches = batches()
    let found = try onThreads(jobs, each: batches) { [self] batch throws(SystemError) in
      try compare(batch, root: root, target: target, readCounter: readCounter)
    }
    for same in found {
      for number in same.files { match.files[number]?.isSame = true }
      if let pack = same.archive { archives[pack] = .sameBytes }
    }
    compared = Set(batches.flatMap(\.files))
  }

  private func batches() -> [Batch] {
    var found: [Batch] = []
    for pack in plan.packs.indices where match.packs[pack] != nil && archives[pack] != .missing {
      let files = candidates(in: pack)
      let isUsed = match.packs[pack]?.difference == nil || plan.packs[pack].files.contains(where: isCopied)
      if archives[pack] == .other && isUsed { found.append(Batch(archive: pack)) }
      found += batches(of: files).map { Batch(files: $0) }
    }
    return found
  }

  /// Returns the files of a pack that have to be compared.
  private func candidates(in pack: Int) -> [Int] {
    let isWritten = match.packs[pack]?.difference != nil
    return plan.packs[pack].files.filter { number in
      guard let file = match.files[number], !file.isSame else { return false }
      return !isWritten || isCopied(number)
    }
  }

  /// Whether packing can copy a file's compressed bytes from the old archive.
  private func isCopied(_ number: Int) -> Bool { match.files[number]?.packed.entry?.method == .deflated }

  private func batches(of files: [Int]) -> [[Int]] {
    var batches: [[Int]] = []
    var start = 0
    var size: Int64 = 0
    for (place, number) in files.enumerated() {
      let next = plan.tree.files[number].size
      if start < place, size + next > Self.batchSize || place - start == Self.maxFilesInBatch {
        batches.append(Array(files[start..<place]))
        (start, size) = (place, 0)
      }
      size += next
    }
    if start < files.count { batches.append(Array(files[start...])) }
    return batches
  }

  /// Returns the part of a batch that is unchanged since the previous build.
  private func compare(
    _ batch: Batch, root: Folder, target: BuildTarget, readCounter: ReadCounter
  ) throws(SystemError) -> Batch {
    var same = Batch()
    if let pack = batch.archive, let published = match.packs[pack]?.recorded.published {
      let info = target.settings.info(of: plan.packs[pack])
      if try target.output.isIntact(published, infoPlist: info) { same.archive = pack }
      readCounter.addHashed(published.archive.file.size)
    }
    var opener = AssetOpener()
    var buffer = ByteBuffer()
    for number in batch.files {
      let file = plan.tree.files[number]
      if try digest(of: file, below: root, readCounter: readCounter, by: &opener, buffer: &buffer)
        == match.files[number]?.packed.digest
      {
        same.files.append(number)
      }
    }
    return same
  }

  /// Computes a file's digest; nil if the file cannot be read or has changed since the scan.
  ///
  /// If so, packing reports the problem, so it is not reported here.
  private func digest(
    of file: AssetFile, below root: Folder, readCounter: ReadCounter, by opener: inout AssetOpener,
    buffer: inout ByteBuffer
  ) throws(SystemError) -> Digest? {
    if let pointer = file.pointer { return pointer.digest }
    do throws(SystemError) {
      let input = try opener.open(file.path, below: root)
      let digest = try input.digest(ofFirst: file.size, through: &buffer)
      readCounter.addRead(file.size)
      readCounter.addHashed(file.size)
      // The status is read after the content, because it then shows whether the file changed while it was
      // read.
      let status = try input.status()
      return status.size == file.size && FileStamp(status) == file.stamp ? digest : nil
    } catch {
      guard error.isMissing || error.isDenied || error.isNoFile || error.isLink else { throw error }
      return nil
    }
  }
}

extension OutputFolder {
  /// Returns the state of a published file, as far as the file's times prove it.
  fileprivate func state(of file: PublishedFile, recordedStamp recorded: FileStamp)
    -> LastBuild.PublishedState
  {
    stamp(of: file).map { $0 == recorded ? .untouched : .other } ?? .missing
  }
}
