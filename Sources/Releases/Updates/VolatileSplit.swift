import Published
import Findings
import PackKit
import Spelling
import System

/// A proposal to split a pack into files that change often and the rest, with the saving over a history.
package struct VolatileSplit: Sendable {
  package let id: String
  package let tags: [String]
  /// The name of a tag for the files that change often.
  package let proposedTag: String
  /// Those files, by their paths inside the pack.
  package let files: [String]
  /// The number of updates in which the pack changed.
  package let changes: Int
  /// The download in bytes because of the pack's changes.
  package let download: Int64
  /// The download in bytes that the two parts would have caused.
  package let possible: Int64

  package var saving: Int64 { download - possible }
}

extension History {
  /// A split is proposed if it saves at least one part in this many of the download.
  private static let leastSaving: Int64 = 10

  /// The proposals for packs of the last release, the largest saving first.
  package var splits: [VolatileSplit] {
    guard let last = releases.last else { return [] }
    let known = Set(last.packs.lazy.flatMap(\.tags))
    let splits = last.packs.compactMap { pack -> VolatileSplit? in
      let steps = updates.compactMap { PackStep($0, pack.id) }
      guard steps.count > 1, let best = Self.bestSplit(of: steps) else { return nil }
      let download = steps.reduce(Int64(0)) { $0.saturatingSum(with: $1.size) }
      let present = Set(last.pack(pack.id).map { last.contents.files(of: $0).map(last.path) } ?? [])
      let files = best.files.filter(present.contains)
      guard !files.isEmpty, files.count < present.count,
        download - best.cost >= max(1, download / Self.leastSaving)
      else { return nil }
      let tag = unusedTag(pack.tags.joined(separator: "+") + " volatile", in: known)
      return VolatileSplit(
        id: pack.id, tags: pack.tags, proposedTag: tag, files: files.sorted { $0.precedesInBytes($1) },
        changes: steps.count, download: download, possible: best.cost)
    }
    return splits.sortedLargestFirst(\.saving, by: \.id)
  }

  /// The saving of all proposals in bytes.
  package var saving: Int64 { splits.reduce(Int64(0)) { $0.saturatingSum(with: $1.saving) } }

  /// The best set of files to split off, among the sets of files with at least some number of changes.
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
  /// The size of the pack in bytes after the update.
  let size: Int64
  /// The paths that were added, removed or changed.
  let touched: Set<String>
  /// The size of each file in bytes after the update.
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

  /// The download of the update if these files had been a separate pack.
  func cost(settingApart volatile: Set<String>) -> Int64 {
    let apart = volatile.reduce(Int64(0)) { $0.saturatingSum(with: sizes[$1] ?? 0) }
    let changesVolatile = touched.contains(where: volatile.contains)
    let changesStatic = touched.contains { !volatile.contains($0) }
    return (changesVolatile ? apart : 0) + (changesStatic ? size - apart : 0)
  }
}
