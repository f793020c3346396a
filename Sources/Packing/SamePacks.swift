import Findings
import PackKit
import System

/// The packs of a plan that a release has with the same contents.
struct SamePacks {
  /// A pack of the plan with the published pack of the same contents.
  struct Pack {
    /// The index of the pack in the plan.
    let number: Int
    let published: PublishedPack
    /// The digests of its files, in the pack's order.
    let digests: [Digest]
  }

  let packs: [Pack]
  /// Findings about files that could not be read to compare them.
  let diagnostics: [Diagnostic]

  /// Compares those packs for which `mayBeSame` holds and whose number of files and size are the same; reads files
  /// whose digest is not known.
  init(
    of release: Release, for plan: PackPlan, root: Folder, known: KnownFiles, reads: AssetReads, jobs: Int,
    where mayBeSame: (AssetPack, PublishedPack) -> Bool = { _, _ in true }
  ) throws(SystemError) {
    let published = Dictionary(release.packs.map { ($0.id, $0) }) { first, _ in first }
    let candidates = plan.packs.enumerated().compactMap {
      number, pack -> (number: Int, published: PublishedPack)? in
      guard let old = published[pack.identity.identifier], let built = old.published,
        old.fileCount == pack.files.count, old.size == pack.size, mayBeSame(pack, built)
      else { return nil }
      return (number, built)
    }
    let read = try ContentDigests(
      of: plan, files: candidates.flatMap { plan.packs[$0.number].files }, root: root, known: known,
      reads: reads,
      jobs: jobs)
    var rest = read.digests[...]
    packs = candidates.compactMap { number, published in
      let files = plan.packs[number].files.map { plan.tree.files[$0] }
      let digests = Array(rest.prefix(files.count))
      rest.removeFirst(files.count)
      let packed = digests.map { PackedFile(digest: $0, entry: nil) }
      if contentsDigest(of: files, packed) != published.digest { return nil }
      return Pack(number: number, published: published, digests: digests)
    }
    diagnostics = read.diagnostics
  }
}
