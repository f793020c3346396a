import Model
import Pipeline
import System

/// A complete pack, which is in the staging folder or has been published already.
struct FinishedPack: Sendable {
  /// The packed files, in the pack's order.
  let files: [PackedFile]
  /// The digest of the contents.
  ///
  /// It does not depend on the container.
  let digest: Digest
  /// The size and digest of the archive; for a folder, the size and digest of its contents.
  let archive: WrittenFile
  /// Whether the pack is a folder of files instead of an archive.
  let isFolder: Bool
  /// The path of the staged archive or folder; empty for a kept pack.
  let stagedPath: String
  /// The pack as the previous build or a release published it; nil for a pack that was written.
  let kept: PublishedPack?

  /// Creates a pack that was written from some files; `archive` is nil for a folder.
  init(_ files: [AssetFile], packedFiles packed: [PackedFile], archive: WrittenFile?, stagedPath: String) {
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
