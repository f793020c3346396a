import Formats
package import Model
package import Pipeline
package import System

extension PackPlan {
  /// A pack of the plan, by its index, that a release has with the same contents, and the digests of its files in the
  /// pack's order.
  typealias SamePack = (number: Int, published: PublishedPack, digests: [Digest])

  /// The packs that a release has with the same contents, with findings about files that could not be read.
  ///
  /// Compares those for which `mayBeSame` holds and whose number of files and size are the same; reads files whose
  /// digest is not known.
  func packs(
    sameAs release: Release, root: Folder, known: KnownFiles, reads: AssetReads, jobs: Int,
    where mayBeSame: (AssetPack, PublishedPack) -> Bool = { _, _ in true }
  ) throws(SystemError) -> (packs: [SamePack], diagnostics: [Diagnostic]) {
    let published = Dictionary(release.packs.map { ($0.id, $0) }) { first, _ in first }
    let candidates = packs.enumerated().compactMap {
      number, pack -> (number: Int, published: PublishedPack)? in
      guard let old = published[pack.identity.identifier], let built = old.published,
        old.fileCount == pack.files.count, old.size == pack.size, mayBeSame(pack, built)
      else { return nil }
      return (number, built)
    }
    let read = try digests(
      ofPacks: candidates.map(\.number), root: root, known: known, reads: reads, jobs: jobs)
    let same = candidates.indices.compactMap { place -> SamePack? in
      let (number, published) = candidates[place]
      return read.packs[place] == published.digest ? (number, published, read.files[place]) : nil
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
    var known = KnownFiles.nothing
    if let match = RecordMatch(of: plan, with: OutputFolder(folder).record) {
      known = KnownFiles(
        digest: { number in match.files[number].flatMap { $0.isSame ? $0.packed.digest : nil } },
        hasContentFinding: { _ in nil })
    }
    var packs: [PublishedPack?] = Array(repeating: nil, count: plan.packs.count)
    let same = try plan.packs(sameAs: release, root: root, known: known, reads: reads, jobs: jobs)
    for pack in same.packs { packs[pack.number] = pack.published }
    return packs
  }
}

extension BuildWork {
  /// Takes over the packs of a release that have the same contents and settings.
  mutating func take(from release: Release, known: KnownFiles) throws(SystemError) {
    let (layout, container) = (settings.layout, settings.container)
    let same = try plan.packs(sameAs: release, root: root, known: known, reads: reads, jobs: jobs) {
      $1.archive.path == layout.path(of: $0, $1.archive.file, in: container)
    }
    for (number, published, digests) in same.packs {
      let sizes = published.packedSizes.flatMap { $0.count == digests.count ? $0 : nil }
      let packed = digests.enumerated().map { PackedFile(digest: $1, packedSize: sizes?[$0]) }
      let pack = PublishedPack(digest: published.digest, archive: published.archive, isElsewhere: true)
      taken[number] = (pack, packed)
    }
    unread = same.diagnostics
  }

  /// Obstacles to comparing or writing packs: unreadable files, and pointers where the files are needed.
  func contentGaps(_ decisions: [BuildDecision]) -> [Diagnostic] {
    let missing = plan.pointers(toWrite: decisions).lazy.map { number in
      plan.finding(.missingContent, plan.tree.files[number], AssetFile.missingContent)
    }
    return unread + FindingList(missing).findings
  }
}

extension PackPlan {
  /// The pointers in packs that are written, by their index in the tree.
  fileprivate func pointers(toWrite decisions: [BuildDecision]) -> [Int] {
    zip(packs, decisions).filter(\.1.isWrite).flatMap(\.0.files).filter { tree.files[$0].pointer != nil }
  }
}

extension BuildResult {
  /// The paths, as in findings and in byte order, of pointers whose files the build needs; nil if it was refused
  /// before it knew.
  package var missing: [String]? {
    guard let plan, decisions.count == plan.packs.count else { return nil }
    let paths = plan.pointers(toWrite: decisions).map { plan.place(of: plan.tree.files[$0]).path }
    return paths.sorted { $0.precedesInBytes($1) }
  }

  /// The paths of the packs that were taken over from a release, relative to the output folder.
  package var takenOver: [String] {
    release?.packs.compactMap(\.published).filter(\.isElsewhere).map(\.archive.path) ?? []
  }
}
