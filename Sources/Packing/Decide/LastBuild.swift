import Formats
import Model
import Pipeline
import System

/// The previous build, compared with a plan.
///
/// The comparison shows which files and packs are unchanged.
struct LastBuild: Sendable {
  let plan: PackPlan
  var match: RecordMatch
  /// The state of each pack's archive, by the pack's index in the plan.
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
    /// The file's bytes also differ, or have not been compared yet.
    case other
    case untouched
    /// The file's times differ, but its bytes are the same.
    case sameBytes

    var isSame: Bool { self == .untouched || self == .sameBytes }
  }
}

extension LastBuild {
  /// Compares a target with the build cache in a locked folder; nil if there is no cache of this version.
  ///
  /// Without the lock, another build could publish after this build has read the cache and before it has
  /// checked the files that the cache lists.
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

  /// The settings and versions with which the previous build made its packs.
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

  /// The list of all files; nil if it has changed since it was published, or if the plan has a different
  /// number of packs.
  var intactList: PublishedFile? {
    list.isSame && match.head.packCount == plan.packs.count ? match.list.published : nil
  }

  /// Whether all times are equal to those in the build cache, so that a new cache would not make the next
  /// build faster.
  var isRecordCurrent: Bool {
    compared.isEmpty && list == .untouched && archives.allSatisfy { $0 == .untouched }
  }

  /// The known contents of unchanged files.
  ///
  /// Checks do not have to read these files.
  var unchanged: UnchangedFiles {
    UnchangedFiles(digest: { file($0)?.packed.digest }, hasContentFinding: { file($0)?.hasContentFinding })
  }
}
