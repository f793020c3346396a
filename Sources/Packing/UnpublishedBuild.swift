import Findings
import PackKit
import System

/// A build whose packs are whole and wait for their names.
struct UnpublishedBuild: Sendable {
  let plan: PackPlan
  let settings: PackSettings
  let output: OutputFolder
  let jobs: Int
  /// For each pack of the plan.
  let packs: [FinishedPack]
  /// When files began to be looked at, as the file system tells time, in nanoseconds since 1970.
  let scanTime: Int64
  /// The paths below the root of files in which inspecting their contents found something.
  let pathsWithFindings: Set<String>

  /// Stages every pack and lets `take` say when each gets its name; nil is a pack that has it already.
  func stagedPacks(
    _ take: (PublishedPack, PendingRename?) throws -> PublishedPack
  ) throws -> [PublishedPack] {
    try zip(plan.packs, packs).map { pack, finished in
      switch finished {
      case .kept(let published, _): return published
      case .written(let written):
        let (published, rename) = try output.stage(
          written, named: pack.identity.name, in: settings.container)
        return try take(published, rename)
      }
    }
  }

  /// Writes what the next build will know of the files; not yet where it looks for it.
  func draftRecord() throws(SystemError) -> RecordDraft {
    var draft = try RecordWriter(
      creating: joined(output.stagingPath, "record"), key: settings.key(for: plan.manifest),
      scanTime: scanTime, fileCount: packs.reduce(0) { $0 + $1.files.count })
    for (pack, finished) in zip(plan.packs, packs) {
      for (number, packed) in zip(pack.files, finished.files) {
        let file = plan.tree.files[number]
        try draft.add(
          BuildRecord.File(
            packPath: file.packPath, size: file.size, stamp: file.stamp, packed: packed,
            hasContentFinding: !pathsWithFindings.isEmpty && pathsWithFindings.contains(file.path)))
      }
    }
    return RecordDraft(draft)
  }
}

/// A pack that is whole.
enum FinishedPack: Sendable {
  case written(WrittenPack)
  /// As the last build left it, with what packing showed of its files then.
  case kept(PublishedPack, [PackedFile])

  /// What packing showed of each file, in the pack's order.
  var files: [PackedFile] {
    switch self {
    case .written(let pack): pack.files
    case .kept(_, let files): files
    }
  }
}

/// A published build whose clean-up is still to come.
struct Publication {
  let release: Release
  /// Where the packs stand, in the plan's order.
  let packs: [PublishedPack]
  /// The file that the next build knows this one by.
  let list: PublishedFile?
  /// What the next build will know of the files; not yet where it looks for it.
  let record: RecordDraft
}
