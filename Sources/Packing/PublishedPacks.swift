import Findings
import PackKit
import System

/// The packs of a plan that a published release has with the same contents and settings.
struct PublishedPacks: Sendable {
  /// The packs with the digests of their files, by their index in the plan.
  private let packs: [Int: FinishedPack]
  /// Findings about files that could not be read to compare them.
  let diagnostics: [Diagnostic]

  /// Compares the packs of a build with those of a release; reads files whose digest is not known.
  init(of release: Release, for work: BuildWork, known: KnownFiles) throws(SystemError) {
    let (layout, container) = (work.settings.layout, work.settings.container)
    let same = try SamePacks(
      of: release, for: work.plan, root: work.root, known: known, reads: work.reads, jobs: work.jobs
    ) { pack, published in
      published.archive.path == layout.path(of: pack, published.archive.file, in: container)
    }
    packs = Dictionary(
      uniqueKeysWithValues: same.packs.map { pack in
        let sizes = pack.published.packedSizes.flatMap { $0.count == pack.digests.count ? $0 : nil }
        let packed = pack.digests.enumerated().map { place, digest in
          PackedFile(digest: digest, packedSize: sizes?[place])
        }
        let taken = PublishedPack(
          digest: pack.published.digest, archive: pack.published.archive, isElsewhere: true)
        return (pack.number, .kept(taken, packed))
      })
    diagnostics = same.diagnostics
  }

  /// A pack as the release publishes it, by its index in the plan; nil if that is not the same.
  func pack(_ number: Int) -> PublishedPack? { packs[number]?.published }

  /// The same pack with its files.
  func finished(_ number: Int) -> FinishedPack? { packs[number] }
}

extension BuildWork {
  /// Obstacles to comparing or writing packs: unreadable files, and pointers where the files are needed.
  func contentGaps(_ decisions: [BuildDecision]) -> [Diagnostic] {
    let missing = plan.pointers(toWrite: decisions).lazy.map { number in
      plan.finding(.missingContent, plan.tree.files[number], AssetFile.missingContent)
    }
    return (published?.diagnostics ?? []) + FindingList(missing).findings
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
