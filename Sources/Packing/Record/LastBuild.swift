import Findings
import PackKit

/// The last build's record matched with a plan: which files and packs are unchanged.
struct LastBuild: Sendable {
  let record: BuildRecord
  /// For each file of the tree the index of its record if it is certainly unchanged, else -1.
  private let recordOfFile: [Int32]
  /// The indices of recorded packs by identifier.
  private let packs: [String: Int]
  private let plan: PackPlan

  /// Finds the plan's files in the record of a locked folder; nil without a lock or a record.
  ///
  /// Without the lock another build could publish between reading the record and inspecting the files that it lists.
  init?(of plan: PackPlan?, under lock: OutputLock?) {
    // Another version may have other findings about the same files.
    guard let plan, let record = lock?.output.record, record.key.hasPrefix("packtool \(packtoolVersion),")
    else {
      return nil
    }
    self.plan = plan
    self.record = record
    packs = Dictionary(zip(record.packs.map(\.identifier), 0...)) { first, _ in first }
    var found = [Int32](repeating: -1, count: plan.tree.files.count)
    for pack in plan.packs {
      guard let number = packs[pack.identity.identifier] else { continue }
      Self.match(pack, of: plan, with: record, record.packs[number].files, into: &found)
    }
    recordOfFile = found
  }

  /// The record of a file, if the file has not changed.
  func file(_ number: Int) -> BuildRecord.File? {
    recordOfFile[number] < 0 ? nil : record.files[Int(recordOfFile[number])]
  }

  /// The record of a pack.
  func pack(_ pack: AssetPack) -> BuildRecord.Pack? {
    packs[pack.identity.identifier].map { record.packs[$0] }
  }

  /// What checks can look up about unchanged files without reading them.
  var known: KnownFiles {
    KnownFiles(digest: { file($0)?.packed.digest }, hasContentFinding: { file($0)?.hasContentFinding })
  }

  /// Whether a pack can be kept in a build with these settings.
  func decision(on pack: AssetPack, key: String, in output: OutputFolder) -> BuildDecision {
    guard let old = self.pack(pack) else { return .write(.newPack) }
    if record.key != key { return .write(.otherSettings(key)) }
    if output.stamp(of: old.published.archive) != old.stamp { return .write(.archiveChanged) }
    for number in pack.files where file(number) == nil {
      let file = plan.tree.files[number]
      let known = record.files[old.files].first { $0.packPath.isSameInBytes(as: file.packPath) }
      guard let known else { return .write(.added(file.packPath)) }
      return .write(known.looksLike(file) ? .young(file.packPath) : .changed(file.packPath))
    }
    if old.files.count == pack.files.count { return .keep }
    let paths = Set(pack.files.map { plan.tree.files[$0].packPath })
    let removed = record.files[old.files].first { !paths.contains($0.packPath) }
    return .write(.removed(removed?.packPath ?? ""))
  }

  /// Matches a pack's files with the recorded ones; both are in byte order of their paths.
  private static func match(
    _ pack: AssetPack, of plan: PackPlan, with record: BuildRecord, _ range: Range<Int>,
    into found: inout [Int32]
  ) {
    var next = range.lowerBound
    for number in pack.files {
      let file = plan.tree.files[number]
      while next < range.upperBound, record.files[next].packPath.precedesInBytes(file.packPath) { next += 1 }
      guard next < range.upperBound, record.files[next].packPath.isSameInBytes(as: file.packPath) else {
        continue
      }
      let old = record.files[next]
      if old.looksLike(file) && old.hasRested(before: record.scanTime) {
        found[number] = Int32(next)
      }
    }
  }
}
