import Formats
package import Model
package import Pipeline
package import System

extension PackPlan {
  /// A pack of the plan that a release has with the same contents.
  struct ReusablePack: Sendable {
    /// The index of the pack in the plan.
    let number: Int
    let published: PublishedPack
    /// The digests of its files, in the pack's order.
    let digests: [Digest]
  }

  /// The packs that a release has with the same contents, with findings about files that could not be read.
  ///
  /// Compares those for which `mayBeSame` holds and whose number of files and size are the same; reads files whose
  /// digest is not known.
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
  /// The packs of a release in a built folder with the same contents as the plan's, by the number of the plan's pack;
  /// nil for one that is not built, or has other contents.
  ///
  /// Files are read only where the record in the folder, which need not be there, does not know them.
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

/// The packs of a plan that a release has published with the same contents, so that a build need not write them.
struct PacksOfRelease: Sendable {
  /// By their index in the plan.
  var packs: [Int: FinishedPack] = [:]
  /// Findings about files that could not be read to compare them.
  var diagnostics: [Diagnostic] = []
}

extension BuildTarget {
  /// The packs that a release has published with the same contents and settings.
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
  /// The pointers in packs that are written, by their index in the tree.
  func pointers(toWrite decisions: [BuildDecision]) -> [Int] {
    zip(packs, decisions).filter(\.1.isWrite).flatMap(\.0.files).filter { tree.files[$0].pointer != nil }
  }
}
