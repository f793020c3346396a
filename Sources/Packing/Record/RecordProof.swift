import PackKit
import System

/// Finds recorded packs that contradict themselves or the index, in a record that may be forged.
///
/// Only for a build that writes: without changes, the published index shows the same.
struct RecordProof {
  private let output: OutputFolder
  private let digests: [String: Digest]

  init(in output: OutputFolder) throws(SystemError) {
    self.output = output
    digests = try output.layout.publishedDigests(in: output)
  }

  /// The identifiers of the packs that may not be kept or copied from.
  func damagedPacks() throws(SystemError) -> Set<String> {
    guard let record = output.record, let packs = try? contents(of: record) else { return [] }
    var damaged: Set<String> = []
    for pack in packs where try !isProven(pack) { damaged.insert(pack.identifier) }
    return damaged
  }

  private struct Contents {
    let identifier: String
    /// The digest of the recorded files.
    let digest: Digest
    var published: PublishedPack?
  }

  private func contents(of record: RecordReader) throws(BinaryReader.Damage) -> [Contents] {
    var record = record
    var packs: [Contents] = []
    var path = ByteBuffer()
    for _ in 0..<record.head.packCount {
      let (identifier, fileCount) = try record.beginPack()
      var digest = ContentsDigest()
      for _ in 0..<fileCount {
        let file = try record.file(path: &path)
        digest.add(path.array()[...], size: file.size, file.packed.digest)
      }
      packs.append(Contents(identifier: identifier, digest: digest.finish()))
    }
    for number in packs.indices { packs[number].published = try record.pack().published }
    return packs
  }

  private func isProven(_ pack: Contents) throws(SystemError) -> Bool {
    guard let published = pack.published, published.digest == pack.digest else { return false }
    if digests.isEmpty && output.layout.replacesInPlace { return true }
    if digests[published.archive.path] == published.archive.file.digest { return true }
    return try output.isSame(published, info: nil)
  }
}
