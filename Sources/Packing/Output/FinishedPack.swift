import Model
import Pipeline
import System

/// A complete pack: in the staging folder, or as it is published already.
struct FinishedPack: Sendable {
  /// The packed files, in the pack's order.
  let files: [PackedFile]
  /// The digest of the contents: the same in every container.
  let digest: Digest
  /// The size and digest of the archive, or of the contents for a folder.
  let archive: WrittenFile
  /// Whether it is a folder of files, not an archive.
  let isFolder: Bool
  /// The path of the staged archive or folder; empty for a kept pack.
  let stagedPath: String
  /// The pack as the last build or a release has published it; nil for one that was written.
  let kept: PublishedPack?

  /// A pack that was written of some files; `archive` is nil for a folder.
  init(_ files: [AssetFile], packed: [PackedFile], archive: WrittenFile?, stagedPath: String) {
    self.files = packed
    digest = ContentsDigest.digest(of: files, digests: packed.map(\.digest))
    isFolder = archive == nil
    self.archive = archive ?? WrittenFile(size: files.saturatingSum { $0.size }, digest: digest)
    self.stagedPath = stagedPath
    kept = nil
  }

  init(kept pack: PublishedPack, files: [PackedFile]) {
    (self.files, digest, archive, kept) = (files, pack.digest, pack.archive.file, pack)
    (isFolder, stagedPath) = (false, "")
  }
}
