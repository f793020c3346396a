import Formats
import Model
import Pipeline
import System

/// The previous build compared with a plan, which shows the unchanged files and packs.
struct LastBuild: Sendable {
  let plan: PackPlan
  var match: RecordMatch
  /// The state of each archive, by the index of the plan's pack.
  var archives: [PublishedState]
  var list = PublishedState.other
  /// The files whose digests were compared, by their index in the tree.
  var compared: Set<Int> = []
  /// The identifiers of packs whose entries in the build cache must not be used.
  var damaged: Set<String> = []

  /// Whether a published file is still the file that the previous build wrote.
  enum PublishedState: Sendable {
    case missing
    /// The file's times differ.
    ///
    /// Its bytes also differ, or they have not been compared.
    case other
    case untouched
    /// The file's times differ, but its bytes are the same.
    case sameBytes

    var isSame: Bool { self == .untouched || self == .sameBytes }
  }
}

extension LastBuild {
  /// Compares a target with the build cache in a locked folder; nil without a cache of this version.
  ///
  /// Without the lock, another build could publish between the reading of the cache and the check of its
  /// files.
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

  /// The settings and versions with which the packs were made.
  var key: SettingsKey { match.head.key }

  /// The cache entry of a file; nil if the file might have changed.
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

  /// The list of all files; nil if it has changed since it was published, or if the number of packs is
  /// different.
  var intactList: PublishedFile? {
    list.isSame && match.head.packCount == plan.packs.count ? match.list.published : nil
  }

  /// Whether all times are equal to those in the build cache, so that a new cache would not make the next
  /// build faster.
  var isRecordCurrent: Bool {
    compared.isEmpty && list == .untouched && archives.allSatisfy { $0 == .untouched }
  }

  /// The known contents of unchanged files, which checks need not read.
  var unchanged: UnchangedFiles {
    UnchangedFiles(digest: { file($0)?.packed.digest }, hasContentFinding: { file($0)?.hasContentFinding })
  }
}
