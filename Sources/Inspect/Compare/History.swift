import Formats
import Model
import Pipeline
import System

/// Several releases in order, with the changes from each release to the next.
package struct History: Sendable {
  package let releases: [ReleaseContents]
  /// The comparison of each release with the previous one.
  package let updates: [Comparison]

  /// The changes of one pack in all updates.
  package struct Pack: Sendable {
    package let id: String
    package let tags: [String]
    /// The number of updates in which devices already had the pack.
    package private(set) var updates = 0
    /// The number of these updates in which the pack changed.
    package private(set) var changes = 0
    /// The download in bytes that these changes caused.
    package private(set) var download: Int64 = 0
    /// The total size in bytes of the new or changed files.
    package private(set) var fileBytes: Int64 = 0

    mutating func add(_ change: PackChange) {
      guard change.old != nil && change.new != nil else { return }
      updates += 1
      guard change.status == .changed else { return }
      changes += 1
      download = download.saturatingSum(with: change.size)
      fileBytes = fileBytes.saturatingSum(with: change.fileBytes)
    }
  }

  /// The changes of the file at one path in all updates.
  package struct File: Sendable {
    package let path: String
    /// The number of updates in which the file's content changed.
    package fileprivate(set) var changes = 0
    /// The total size in bytes of the file's new contents in these updates.
    package fileprivate(set) var size: Int64 = 0
  }

  /// The downloads of one tag in all updates.
  package struct Tag: Sendable {
    package let tag: String
    /// The number of updates in which the tag's users had to download something.
    package fileprivate(set) var updates = 0
    /// The total download of users who had all packs of the tag.
    package fileprivate(set) var download = Download()
  }

  /// Makes the history of at least two releases.
  package init(_ releases: [ReleaseContents]) {
    self.releases = releases
    updates = zip(releases, releases.dropFirst()).map { Comparison(old: $0, new: $1) }
  }

  /// All packs, the largest download first.
  package var packs: [Pack] {
    var packs: [String: Pack] = [:]
    for change in updates.lazy.flatMap(\.packs) {
      packs[change.id, default: Pack(id: change.id, tags: change.tags)].add(change)
    }
    return packs.values.sortedLargestFirst(by: \.download, thenBy: \.id)
  }

  /// All paths whose content changed, the most frequently changed first.
  package var files: [File] {
    var files: [String: File] = [:]
    for update in updates {
      let moved = update.moves.filter(\.isChanged).map(\.file)
      let changed = update.packs.flatMap { $0.files.filter { $0.change == .changed }.compactMap(\.new) }
      for number in changed + moved {
        let path = update.new.path(number)
        var file = files[path] ?? File(path: path)
        file.changes += 1
        file.size = file.size.saturatingSum(with: update.new.size(number))
        files[path] = file
      }
    }
    return files.values.sorted { first, second in
      (second.changes, second.size, first.path) < (first.changes, first.size, second.path)
    }
  }

  /// All tags, the largest download first.
  package var tags: [Tag] {
    var tags: [String: Tag] = [:]
    for (tag, download) in updates.lazy.flatMap(\.downloadsByTag) {
      var sum = tags[tag] ?? Tag(tag: tag)
      sum.updates += download.byPacks > 0 ? 1 : 0
      sum.download += download
      tags[tag] = sum
    }
    return tags.values.sortedLargestFirst(by: \.download.byPacks, thenBy: \.tag)
  }

  /// The total download of all updates for a user who has all packs.
  package var total: Download {
    updates.reduce(into: Download()) { $0 += $1.download(forUserWith: .everything) }
  }
}

extension Sequence {
  /// Returns the elements sorted by size, the largest first.
  ///
  /// Elements of equal size are sorted by name.
  func sortedLargestFirst(by size: (Element) -> Int64, thenBy name: (Element) -> String) -> [Element] {
    sorted { size($0) == size($1) ? name($0).precedesInBytes(name($1)) : size($0) > size($1) }
  }
}

extension Download {
  static func += (sum: inout Download, other: Download) {
    sum.packs += other.packs
    sum.byPacks = sum.byPacks.saturatingSum(with: other.byPacks)
    sum.byFiles = sum.byFiles.saturatingSum(with: other.byFiles)
    sum.byContent = sum.byContent.saturatingSum(with: other.byContent)
    // For an update without patches, the sizes of its archives are added instead.
    if sum.patched != nil || other.patched != nil {
      sum.patched = (sum.patched ?? sum.packed).saturatingSum(with: other.patched ?? other.packed)
    }
    if let index = other.index { sum.index = (sum.index ?? 0).saturatingSum(with: index) }
    sum.packed = sum.packed.saturatingSum(with: other.packed)
  }
}

/// A proposal to split a pack into one pack of files that change often and one pack of the other files, with
/// the download that the split would have saved.
package struct VolatileSplit: Sendable {
  package let id: String
  package let tags: [String]
  /// The name of the new tag for the files that change often.
  package let proposedTag: String
  /// The files that change often, by their paths inside the pack.
  package let files: [String]
  /// The number of updates in which the pack changed.
  package let changes: Int
  /// The download in bytes that the pack's changes caused.
  package let download: Int64
  /// The download in bytes that the two resulting packs would have caused.
  package let possible: Int64

  package var saving: Int64 { download - possible }
}

extension History {
  /// A split is proposed only if it saves at least 1 / `minSaving` of the download.
  private static let minSaving: Int64 = 10

  /// The proposals for packs of the last release, the largest saving first.
  package var splits: [VolatileSplit] {
    guard let last = releases.last else { return [] }
    let known = Set(last.packs.lazy.flatMap(\.tags))
    let splits = last.packs.compactMap { pack -> VolatileSplit? in
      let steps = updates.compactMap { PackStep($0, id: pack.id) }
      guard steps.count > 1, let best = Self.bestSplit(of: steps) else { return nil }
      let download = steps.reduce(Int64(0)) { $0.saturatingSum(with: $1.size) }
      let present = Set(last.pack(pack.id).map { last.contents.files(of: $0).map(last.path) } ?? [])
      let files = best.files.filter(present.contains)
      guard !files.isEmpty, files.count < present.count,
        download - best.cost >= max(1, download / Self.minSaving)
      else { return nil }
      let tag = unusedTag(basedOn: combinedTag(pack.tags) + " volatile", notIn: known)
      return VolatileSplit(
        id: pack.id, tags: pack.tags, proposedTag: tag, files: files.sorted { $0.precedesInBytes($1) },
        changes: steps.count, download: download, possible: best.cost)
    }
    return splits.sortedLargestFirst(by: \.saving, thenBy: \.id)
  }

  /// Returns the best set of files to split off.
  ///
  /// Each candidate is the set of all files with at least a certain number of changes.
  private static func bestSplit(of steps: [PackStep]) -> (files: [String], cost: Int64)? {
    var changes: [String: Int] = [:]
    for path in steps.lazy.flatMap(\.touched) { changes[path, default: 0] += 1 }
    let tries = Set(changes.values).sorted().map { least in
      let volatile = Set(changes.filter { $0.value >= least }.keys)
      let cost = steps.reduce(Int64(0)) { $0.saturatingSum(with: $1.cost(separating: volatile)) }
      return (files: Array(volatile), cost: cost)
    }
    return tries.min { ($0.cost, $0.files.count) < ($1.cost, $1.files.count) }
  }
}

/// One update that changed a pack.
private struct PackStep {
  let size: Int64
  /// The paths of files that were added, removed or changed.
  let touched: Set<String>
  private let sizes: [String: Int64]

  init?(_ update: Comparison, id: String) {
    guard let change = update.change(ofPack: id), change.status == .changed, let pack = change.new else {
      return nil
    }
    size = change.size
    let paths = change.files.compactMap { $0.new.map(update.new.path) ?? $0.old.map(update.old.path) }
    touched = Set(paths)
    let files = update.new.contents.files(of: pack)
    sizes = Dictionary(files.map { (update.new.path($0), update.new.size($0)) }) { first, _ in first }
  }

  /// Returns the size of the download that the update would have caused if these files had been in a separate
  /// pack.
  func cost(separating volatile: Set<String>) -> Int64 {
    let separateSize = volatile.reduce(Int64(0)) { $0.saturatingSum(with: sizes[$1] ?? 0) }
    let changesVolatile = touched.contains(where: volatile.contains)
    let changesStatic = touched.contains { !volatile.contains($0) }
    return (changesVolatile ? separateSize : 0) + (changesStatic ? size - separateSize : 0)
  }
}
