package import PackKit
package import Projects
package import System

/// The packs of a plan that a built folder has with the same contents, for the sizes of their archives.
package struct BuiltPacks: Sendable {
  /// By the number of the plan's pack; nil for one that is not built, or has other contents.
  package let packs: [PublishedPack?]

  /// Compares a preparation with a release and the record beside it; files are read only where the record does not
  /// know them.
  ///
  /// `folder` is the path of the built folder, whose record need not be there.
  package init(
    of release: Release, in folder: String, for prepared: Preparation, jobs: Int
  ) throws(SystemError) {
    guard let plan = prepared.slice, let root = prepared.root else {
      packs = []
      return
    }
    let known = Self.known(RecordMatch(of: plan, with: OutputFolder(folder).record))
    let same = try SamePacks(
      of: release, for: plan, root: root, known: known, reads: prepared.reads, jobs: jobs)
    var packs: [PublishedPack?] = Array(repeating: nil, count: plan.packs.count)
    for pack in same.packs { packs[pack.number] = pack.published }
    self.packs = packs
  }

  /// The digests of files whose times the record knows.
  private static func known(_ match: RecordMatch?) -> KnownFiles {
    guard let match else { return .nothing }
    return KnownFiles(
      digest: { number in match.files[number].flatMap { $0.isUnchanged ? $0.packed.digest : nil } },
      hasContentFinding: { _ in nil })
  }
}
