import Model
import Pipeline
import System

extension OutputFolder {
  /// The identifiers of packs whose cache entries contradict themselves or the index.
  ///
  /// The cache might be forged. A build must neither keep such packs nor copy bytes from them. Only a build
  /// that writes packs needs this list. If nothing has changed, the published index already proves that the
  /// packs are right.
  var damagedPacks: Set<String> {
    get throws(SystemError) {
      let digests = try publishedDigests
      var damaged: Set<String> = []
      for (said, recorded) in (try? recordedContents()) ?? [] {
        let pack = recorded.published
        if pack.digest == said.contents, try isProven(pack, digests: digests) { continue }
        damaged.insert(said.pack)
      }
      return damaged
    }
  }

  /// The packs in the cache, each with its identifier and the digest of its cached files.
  private func recordedContents() throws(BinaryReader.Damage) -> [(
    (pack: String, contents: Digest), recorded: BuildRecord.Pack
  )] {
    guard var record else { return [] }
    var path = ByteBuffer()
    return try record.packs { record, identifier, fileCount throws(BinaryReader.Damage) in
      var digest = ContentsDigest()
      for _ in 0..<fileCount {
        let file = try record.file(path: &path)
        digest.add(path: path.array()[...], size: file.size, fileDigest: file.packed.digest)
      }
      return (identifier, digest.finish())
    }
  }

  /// Whether the index or the archive itself proves that a pack is the same as in the cache.
  private func isProven(_ pack: PublishedPack, digests: [String: Digest]) throws(SystemError) -> Bool {
    if digests.isEmpty && files.replacesInPlace { return true }
    if digests[pack.archive.path] == pack.archive.file.digest { return true }
    return try isIntact(pack, infoPlist: nil)
  }
}
