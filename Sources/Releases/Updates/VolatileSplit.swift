import Findings
import PackKit
import Spelling
import System

/// A pack parted in what changes often and what does not, and what that would have saved.
package struct VolatileSplit: Sendable {
  package let id: String
  package let tags: [String]
  /// A name for the tag of the files that change often.
  package let proposedTag: String
  /// Those files, by their paths inside the pack.
  package let files: [String]
  /// Updates in which the pack changed.
  package let changes: Int
  /// Bytes that the pack's changes made devices download.
  package let download: Int64
  /// Bytes that the same changes of the two parts would have made them download.
  package let possible: Int64

  package var saving: Int64 { download - possible }
}

extension History {
  /// A split pays where it saves at least this part of what was downloaded.
  private static let leastSaving: Int64 = 10

  /// Every pack of the last release that had better been two, those that would have saved most first.
  package var splits: [VolatileSplit] {
    guard let last = releases.last else { return [] }
    let known = Set(last.packs.lazy.flatMap(\.tags))
    let splits = last.packs.compactMap { pack -> VolatileSplit? in
      let steps = updates.compactMap { PackStep($0, pack.id) }
      guard steps.count > 1, let best = Self.bestSplit(of: steps), let final = releases.last else {
        return nil
      }
      let download = steps.reduce(Int64(0)) { $0.saturatingSum(with: $1.size) }
      let present = final.paths(ofPack: pack.id)
      let files = best.files.filter(present.contains)
      guard !files.isEmpty, files.count < present.count,
        download - best.cost >= max(1, download / Self.leastSaving)
      else { return nil }
      let tag = unusedTag(pack.tags.joined(separator: "+") + " volatile", in: known)
      return VolatileSplit(
        id: pack.id, tags: pack.tags, proposedTag: tag, files: files.sorted { $0.precedesInBytes($1) },
        changes: steps.count, download: download, possible: best.cost)
    }
    return splits.sorted { first, second in
      first.saving == second.saving ? first.id.precedesInBytes(second.id) : first.saving > second.saving
    }
  }

  /// Bytes that all splits together would have saved.
  package var saving: Int64 { splits.reduce(Int64(0)) { $0.saturatingSum(with: $1.saving) } }

  /// The files of which setting them apart would have cost least: those that changed at least so many times.
  private static func bestSplit(of steps: [PackStep]) -> (files: [String], cost: Int64)? {
    var changes: [String: Int] = [:]
    for path in steps.lazy.flatMap(\.touched) { changes[path, default: 0] += 1 }
    let tries = Set(changes.values).sorted().map { least in
      let volatile = Set(changes.filter { $0.value >= least }.keys)
      let cost = steps.reduce(Int64(0)) { $0.saturatingSum(with: $1.cost(settingApart: volatile)) }
      return (files: Array(volatile), cost: cost)
    }
    return tries.min { ($0.cost, $0.files.count) < ($1.cost, $1.files.count) }
  }
}

/// One update that changed a pack.
private struct PackStep {
  /// Bytes of the pack afterwards.
  let size: Int64
  /// The paths that were added, removed or changed.
  let touched: Set<String>
  /// Bytes of each file of the pack afterwards.
  private let sizes: [String: Int64]

  init?(_ update: Comparison, _ id: String) {
    guard let change = update.change(ofPack: id), change.status == .changed, let pack = change.new else {
      return nil
    }
    size = change.size
    let paths = change.files.compactMap { $0.new.map(update.new.path) ?? $0.old.map(update.old.path) }
    touched = Set(paths)
    let files = update.new.contents.files(of: pack)
    sizes = Dictionary(files.map { (update.new.path($0), update.new.size($0)) }) { first, _ in first }
  }

  /// What the update would have downloaded had some files been a pack of their own.
  func cost(settingApart volatile: Set<String>) -> Int64 {
    let apart = volatile.reduce(Int64(0)) { $0.saturatingSum(with: sizes[$1] ?? 0) }
    let changesVolatile = touched.contains(where: volatile.contains)
    let changesStatic = touched.contains { !volatile.contains($0) }
    return (changesVolatile ? apart : 0) + (changesStatic ? size - apart : 0)
  }
}

extension ReleaseContents {
  fileprivate func paths(ofPack id: String) -> Set<String> {
    Set((pack(id).map { contents.files(of: $0) } ?? []).map(path))
  }
}
