import Model
import Pipeline
import System

/// The result of matching a build cache with a plan.
///
/// Files are matched by their paths and sizes.
struct RecordMatch: Sendable {
  let head: BuildRecord.Head
  let list: BuildRecord.List
  /// For each pack of the plan, the same pack in the cache; nil for a new pack.
  let packs: [Pack?]
  /// For each file in the tree, the same file in the cache; nil for a file that is new or has another size.
  var files: [File?]

  /// A file of the plan that has the same path and size in the cache.
  struct File: Sendable {
    let packed: PackedFile
    let hasContentFinding: Bool
    /// Whether the file's times or its digest prove that the file is unchanged.
    var isSame: Bool
  }

  /// A pack that is in the cache and also in the plan.
  struct Pack: Sendable {
    let recorded: BuildRecord.Pack
    /// The first difference between the pack's files and the cached files; nil if there is no difference.
    let difference: Difference?
  }

  /// A difference between the files of a pack and the cached files.
  struct Difference: Sendable {
    /// The position in the pack of a file that is new or has another size; nil if files were only removed.
    let fileIndex: Int?
    let reason: BuildDecision.Reason
  }

  /// The pack of the plan that matches a pack in the cache.
  private struct Match {
    /// The index of the pack in the plan.
    let number: Int
    let difference: Difference?
  }
}

extension RecordMatch {
  /// Matches a plan with a build cache; nil if there is no complete cache.
  init?(of plan: PackPlan, with record: RecordReader?) {
    guard var record else { return nil }
    var files: [File?] = Array(repeating: nil, count: plan.tree.files.count)
    // Each pack of the plan is matched at most once.
    var numbers = Dictionary(zip(plan.packs.map(\.identity.identifier), 0...)) { first, _ in first }
    var path = ByteBuffer()
    do throws(BinaryReader.Damage) {
      let recorded = try record.packs {
        record, identifier, fileCount throws(BinaryReader.Damage) -> Match? in
        if let number = numbers.removeValue(forKey: identifier) {
          let difference = try Self.matchFiles(
            count: fileCount, in: &record, plan: plan, pack: number, files: &files, pathBuffer: &path)
          return Match(number: number, difference: difference)
        }
        for _ in 0..<fileCount { _ = try record.file(path: &path) }
        return nil
      }
      var packs: [Pack?] = Array(repeating: nil, count: plan.packs.count)
      for case (let match?, let pack) in recorded {
        packs[match.number] = Pack(recorded: pack, difference: match.difference)
      }
      self.init(head: record.head, list: try record.end(), packs: packs, files: files)
    } catch {
      return nil
    }
  }

  /// Matches the next files in the cache with the files of a pack; both lists are in byte order of their
  /// paths.
  private static func matchFiles(
    count fileCount: Int, in record: inout RecordReader, plan: PackPlan, pack number: Int,
    files: inout [File?],
    pathBuffer path: inout ByteBuffer
  ) throws(BinaryReader.Damage) -> Difference? {
    let (numbers, assets) = (plan.packs[number].files, plan.tree.files)
    var next = 0
    var difference: Difference?
    var removed: Difference?
    for _ in 0..<fileCount {
      let old = try record.file(path: &path)
      var order = 1
      while next < numbers.count {
        let number = numbers[next]
        order = path.withBytes { assets.comparePackPath(at: number, utf8: $0) }
        if order > 0 { break }
        if order == 0 && old.size == assets.size(at: number) {
          let isSame = old.isProvenUnchanged(
            by: assets.stamp(at: number), scannedAt: record.head.scanTime)
          files[number] = File(packed: old.packed, hasContentFinding: old.hasContentFinding, isSame: isSame)
        } else if difference == nil {
          let packPath = assets.packPath(at: number)
          difference = Difference(
            fileIndex: next, reason: order == 0 ? .changed(packPath) : .added(packPath))
        }
        next += 1
        if order == 0 { break }
      }
      if order != 0 && removed == nil {
        let path = String(decoding: path.array(), as: UTF8.self)
        removed = Difference(fileIndex: nil, reason: .removed(path))
      }
    }
    if next < numbers.count && difference == nil {
      difference = Difference(fileIndex: next, reason: .added(assets.packPath(at: numbers[next])))
    }
    return difference ?? removed
  }
}
