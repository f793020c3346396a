import Formats
package import Model
package import Pipeline
package import System

extension PackPlan {
  /// A pack of the plan that has the same contents as a pack of a release.
  struct ReusablePack: Sendable {
    /// The index of the pack in the plan.
    let number: Int
    let published: PublishedPack
    /// The digests of its files, in the pack's order.
    let digests: [Digest]
  }

  /// Finds the packs whose contents are the same as in an earlier release, and reports files that could not
  /// be read.
  ///
  /// Two packs are compared only if they have the same number of files and the same size, and if `mayBeSame`
  /// returns true for them. Only files whose digest is not known are read.
  func packs(
    sameAs release: Release, root: Folder, unchanged: UnchangedFiles, readCounter: ReadCounter, jobs: Int,
    where mayBeSame: (AssetPack, PublishedPack) -> Bool = { _, _ in true }
  ) throws(SystemError) -> (packs: [ReusablePack], diagnostics: [Diagnostic]) {
    let published = Dictionary(release.packs.map { ($0.id, $0) }) { first, _ in first }
    let candidates = packs.enumerated().compactMap {
      number, pack -> (number: Int, published: PublishedPack)? in
      guard let old = published[pack.identity.identifier], let built = old.published,
        old.fileCount == pack.files.count, old.size == pack.size, mayBeSame(pack, built)
      else { return nil }
      return (number, built)
    }
    let read = try digests(
      ofPacks: candidates.map(\.number), root: root, unchanged: unchanged, readCounter: readCounter,
      jobs: jobs)
    let same = candidates.indices.compactMap { place -> ReusablePack? in
      let (number, published) = candidates[place]
      guard read.packs[place] == published.digest else { return nil }
      return ReusablePack(number: number, published: published, digests: read.files[place])
    }
    return (same, read.diagnostics)
  }
}

extension Preparation {
  /// Returns, for each pack of the plan, the pack in a built folder that has the same contents.
  ///
  /// An element is nil if the pack is not built or has other contents. Only files that are not in the
  /// folder's build cache are read. If there is no cache, all files are read.
  package func builtPacks(
    of release: Release, in folder: String, jobs: Int
  ) throws(SystemError) -> [PublishedPack?] {
    guard let plan = slice, let root else { return [] }
    var unchanged = UnchangedFiles.nothing
    if let match = RecordMatch(of: plan, with: OutputFolder(folder).record) {
      unchanged = UnchangedFiles(
        digest: { number in match.files[number].flatMap { $0.isSame ? $0.packed.digest : nil } },
        hasContentFinding: { _ in nil })
    }
    var packs: [PublishedPack?] = Array(repeating: nil, count: plan.packs.count)
    let same = try plan.packs(
      sameAs: release, root: root, unchanged: unchanged, readCounter: readCounter, jobs: jobs)
    for pack in same.packs { packs[pack.number] = pack.published }
    return packs
  }
}

/// The packs of a plan that an earlier release has published with the same contents.
///
/// A build does not have to write these packs.
struct PacksOfRelease: Sendable {
  /// The packs by their index in the plan.
  var packs: [Int: FinishedPack] = [:]
  /// Findings about files that could not be read for the comparison.
  var diagnostics: [Diagnostic] = []
}

extension BuildTarget {
  /// Finds the packs that an earlier release has published with the same contents and settings.
  func packs(
    publishedBy release: Release, root: Folder, unchanged: UnchangedFiles, readCounter: ReadCounter, jobs: Int
  ) throws(SystemError) -> PacksOfRelease {
    let same = try plan.packs(
      sameAs: release, root: root, unchanged: unchanged, readCounter: readCounter, jobs: jobs
    ) {
      $1.archive.path == path(of: $0, archive: $1.archive.file)
    }
    var found = PacksOfRelease(diagnostics: same.diagnostics)
    for reusable in same.packs {
      let published = reusable.published
      let sizes = published.packedSizes.flatMap { $0.count == reusable.digests.count ? $0 : nil }
      let packed = reusable.digests.enumerated().map { PackedFile(digest: $1, packedSize: sizes?[$0]) }
      let pack = PublishedPack(digest: published.digest, archive: published.archive, isElsewhere: true)
      found.packs[reusable.number] = FinishedPack(kept: pack, files: packed)
    }
    return found
  }
}

extension PackPlan {
  /// Returns the indices, in the tree, of the pointers in packs that must be written.
  func pointers(toWrite decisions: [BuildDecision]) -> [Int] {
    zip(packs, decisions).filter(\.1.isWrite).flatMap(\.0.files).filter { tree.files[$0].pointer != nil }
  }
}
