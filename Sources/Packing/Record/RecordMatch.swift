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

  /// Matches a plan with a record; nil without a whole record.
  init?(of plan: PackPlan, with record: RecordReader?) {
    guard let record else { return nil }
    var matching = Matching(plan, record)
    guard let match = try? matching.run() else { return nil }
    self = match
  }

  fileprivate init(_ head: BuildRecord.Head, _ list: BuildRecord.List, _ packs: [Pack?], _ files: [File?]) {
    self.head = head
    self.list = list
    self.packs = packs
    self.files = files
  }
}

/// The state while a record is read.
private struct Matching {
  private let plan: PackPlan
  private var reader: RecordReader
  private var files: [RecordMatch.File?]
  /// The indices of the plan's packs by identifier; each is matched once.
  private var numbers: [String: Int]
  /// The path of the recorded file that was read last.
  private var path = ByteBuffer()

  init(_ plan: PackPlan, _ record: RecordReader) {
    self.plan = plan
    reader = record
    files = Array(repeating: nil, count: plan.tree.files.count)
    numbers = Dictionary(zip(plan.packs.map(\.identity.identifier), 0...)) { first, _ in first }
  }

  mutating func run() throws(BinaryReader.Damage) -> RecordMatch {
    let head = reader.head
    var found: [(number: Int, difference: RecordMatch.Difference?)?] = []
    for _ in 0..<head.packCount {
      let (identifier, fileCount) = try reader.beginPack()
      if let number = numbers.removeValue(forKey: identifier) {
        found.append((number, try match(fileCount, with: number)))
      } else {
        for _ in 0..<fileCount { _ = try reader.file(path: &path) }
        found.append(nil)
      }
    }
    var packs: [RecordMatch.Pack?] = Array(repeating: nil, count: plan.packs.count)
    for found in found {
      let recorded = try reader.pack()
      if let found {
        packs[found.number] = RecordMatch.Pack(recorded: recorded, difference: found.difference)
      }
    }
    let list = try reader.list()
    try reader.end()
    return RecordMatch(head, list, packs, files)
  }

  /// Matches the recorded files that follow with a pack's; both are in byte order of their paths.
  private mutating func match(
    _ fileCount: Int, with number: Int
  ) throws(BinaryReader.Damage) -> RecordMatch.Difference? {
    let numbers = plan.packs[number].files
    var next = 0
    var difference: RecordMatch.Difference?
    var removed: RecordMatch.Difference?
    for _ in 0..<fileCount {
      let old = try reader.file(path: &path)
      var order = 1
      while next < numbers.count {
        let number = numbers[next]
        let packPath = plan.tree.files.packPath(at: number)
        order = path.withBytes { ByteOrder.compare(packPath, $0) }
        if order > 0 { break }
        if order == 0 && old.size == plan.tree.files.size(at: number) {
          files[number] = RecordMatch.File(
            packed: old.packed, hasContentFinding: old.hasContentFinding,
            isUnchanged: old.proves(plan.tree.files.stamp(at: number), scannedAt: reader.head.scanTime))
        } else if difference == nil {
          difference = .init(place: next, reason: order == 0 ? .changed(packPath) : .added(packPath))
        }
        next += 1
        if order == 0 { break }
      }
      if order != 0 && removed == nil { removed = .init(place: nil, reason: .removed(path.text)) }
    }
    if next < numbers.count && difference == nil {
      difference = .init(place: next, reason: .added(plan.tree.files[numbers[next]].packPath))
    }
    return difference ?? removed
  }
}

extension ByteBuffer {
  fileprivate var text: String { String(decoding: array(), as: UTF8.self) }
}
