import PackKit
import System

/// A record matched with a plan by the paths and sizes of files.
struct RecordMatch: Sendable {
  let head: BuildRecord.Head
  let list: BuildRecord.List
  /// By the index of the plan's pack; nil for a new one.
  let packs: [Pack?]
  /// By the index in the tree; nil for a file that is new or has another size.
  var files: [File?]

  /// A file of the plan with the same path and size as the recorded one.
  struct File: Sendable {
    let packed: PackedFile
    let hasContentFinding: Bool
    /// Whether times, or the digest, prove that the file is unchanged.
    var isUnchanged: Bool
  }

  /// A pack of the plan with the recorded one.
  struct Pack: Sendable {
    let recorded: BuildRecord.Pack
    let difference: Difference?
  }

  /// The first difference between the files of a pack and the recorded ones.
  struct Difference: Sendable {
    /// The place in the pack of the first file that is new or has another size; nil if files were only removed.
    let place: Int?
    let reason: BuildDecision.Reason
  }

}

extension RecordMatch {
  /// Matches a plan with a record; nil without a whole record.
  init?(of plan: PackPlan, with record: RecordReader?) {
    guard let record else { return nil }
    var matching = Matching(plan)
    guard let match = try? matching.match(record) else { return nil }
    self = match
  }
}

/// The state while a record is read.
private struct Matching {
  private let plan: PackPlan
  private var files: [RecordMatch.File?]
  /// The indices of the plan's packs by identifier; each is matched once.
  private var numbers: [String: Int]
  /// The path of the recorded file that was read last.
  private var path = ByteBuffer()

  init(_ plan: PackPlan) {
    self.plan = plan
    files = Array(repeating: nil, count: plan.tree.files.count)
    numbers = Dictionary(zip(plan.packs.map(\.identity.identifier), 0...)) { first, _ in first }
  }

  mutating func match(_ record: RecordReader) throws(BinaryReader.Damage) -> RecordMatch {
    var record = record
    typealias Found = (number: Int, difference: RecordMatch.Difference?)
    let recordedPacks = try record.packs {
      record, identifier, fileCount throws(BinaryReader.Damage) -> Found? in
      let number = numbers.removeValue(forKey: identifier)
      if let number { return (number, try match(fileCount, of: &record, with: number)) }
      for _ in 0..<fileCount { _ = try record.file(path: &path) }
      return nil
    }
    var packs: [RecordMatch.Pack?] = Array(repeating: nil, count: plan.packs.count)
    for (found, recorded) in recordedPacks {
      if let found {
        packs[found.number] = RecordMatch.Pack(recorded: recorded, difference: found.difference)
      }
    }
    return RecordMatch(head: record.head, list: try record.end(), packs: packs, files: files)
  }

  /// Matches the recorded files that follow with a pack's; both are in byte order of their paths.
  private mutating func match(
    _ fileCount: Int, of record: inout RecordReader, with number: Int
  ) throws(BinaryReader.Damage) -> RecordMatch.Difference? {
    let numbers = plan.packs[number].files
    var next = 0
    var difference: RecordMatch.Difference?
    var removed: RecordMatch.Difference?
    for _ in 0..<fileCount {
      let old = try record.file(path: &path)
      var order = 1
      while next < numbers.count {
        let number = numbers[next]
        let packPath = plan.tree.files.packPath(at: number)
        order = path.withBytes { ByteOrder.compare(packPath, $0) }
        if order > 0 { break }
        if order == 0 && old.size == plan.tree.files.size(at: number) {
          files[number] = RecordMatch.File(
            packed: old.packed, hasContentFinding: old.hasContentFinding,
            isUnchanged: old.proves(plan.tree.files.stamp(at: number), scannedAt: record.head.scanTime))
        } else if difference == nil {
          difference = .init(place: next, reason: order == 0 ? .changed(packPath) : .added(packPath))
        }
        next += 1
        if order == 0 { break }
      }
      if order != 0 && removed == nil {
        removed = .init(place: nil, reason: .removed(String(decoding: path.array(), as: UTF8.self)))
      }
    }
    if next < numbers.count && difference == nil {
      difference = .init(place: next, reason: .added(plan.tree.files[numbers[next]].packPath))
    }
    return difference ?? removed
  }
}
