import Formats
import Model
import Pipeline
import System

/// The last build compared with a plan: which files and packs are unchanged.
struct LastBuild: Sendable {
  let plan: PackPlan
  var match: RecordMatch
  /// By the index of the plan's pack.
  var archives: [PublishedState]
  var list = PublishedState.other
  /// The files whose digests were compared, by their index in the tree.
  var compared: Set<Int> = []
  /// The identifiers of packs whose record must not be used.
  var damaged: Set<String> = []

  /// Whether a published file is still the recorded one.
  enum PublishedState: Sendable {
    case missing
    /// Its times differ, and its bytes, unless they were not compared.
    case other
    case untouched
    /// Its times differ, its bytes do not.
    case sameBytes

    var isSame: Bool { self == .untouched || self == .sameBytes }
  }
}

extension LastBuild {
  /// Compares what is to be built with the record in a locked folder; nil without a record of this version.
  ///
  /// Without the lock another build could publish between reading the record and inspecting the files that it lists.
  init?(
    of target: BuildTarget, root: Folder, under lock: OutputLock, jobs: Int, readCounter: ReadCounter
  ) throws(SystemError) {
    let key = target.settings.key(for: target.plan.manifest)
    guard let match = RecordMatch(of: target.plan, with: lock.output.record),
      match.head.isWritten(byVersionOf: key)
    else {
      return nil
    }
    let archives = Array(repeating: PublishedState.other, count: target.plan.packs.count)
    self.init(plan: target.plan, match: match, archives: archives)
    if match.head.key == key { try compare(with: root, target: target, readCounter: readCounter, jobs: jobs) }
  }

  /// The settings and versions that the packs were made with.
  var key: SettingsKey { match.head.key }

  /// The record of a file, if the file has not changed.
  func file(_ number: Int) -> RecordMatch.File? {
    guard let file = match.files[number], file.isSame else { return nil }
    return file
  }

  func isDamaged(_ number: Int) -> Bool {
    !damaged.isEmpty && damaged.contains(plan.packs[number].identity.identifier)
  }

  func pack(_ number: Int) -> PublishedPack? { match.packs[number]?.recorded.published }

  func intactPack(_ number: Int) -> PublishedPack? {
    archives[number].isSame && !isDamaged(number) ? pack(number) : nil
  }

  /// The list of all files, if it is as it was published and of as many packs as the plan has.
  var intactList: PublishedFile? {
    list.isSame && match.head.packCount == plan.packs.count ? match.list.published : nil
  }

  /// Whether all times are as recorded, so that the next build would gain nothing from a new record.
  var isRecordCurrent: Bool {
    compared.isEmpty && list == .untouched && archives.allSatisfy { $0 == .untouched }
  }

  /// The known contents of unchanged files, which checks need not read.
  var unchanged: UnchangedFiles {
    UnchangedFiles(digest: { file($0)?.packed.digest }, hasContentFinding: { file($0)?.hasContentFinding })
  }
}
