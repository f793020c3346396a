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

  private func isDamaged(_ number: Int) -> Bool {
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

  func decision(on number: Int, settings: SettingsKey) -> BuildDecision {
    guard let old = match.packs[number] else { return .write(.newPack) }
    if key != settings { return .write(.otherSettings(settings.changes(since: key))) }
    if isDamaged(number) { return .write(.recordDamaged) }
    if archives[number] == .missing { return .write(.archiveChanged) }
    let files = plan.packs[number].files
    let changed = files.indices.first { match.files[files[$0]].map { !$0.isSame } ?? false }
    if let difference = old.difference, difference.fileIndex ?? .max < changed ?? .max || changed == nil {
      return .write(difference.reason)
    }
    if let changed { return .write(.changed(plan.tree.files[files[changed]].packPath)) }
    // Compared only where the files are unchanged.
    if !archives[number].isSame { return .write(.archiveChanged) }
    let isProvedByTimes = archives[number] == .untouched && compared.isDisjoint(with: files)
    return .keep(isProvedByTimes ? .times : .digests)
  }
}

extension OutputFolder {
  /// The identifiers of recorded packs that contradict themselves or the index, in a record that may be forged; they
  /// may not be kept or copied from.
  ///
  /// Only for a build that writes: without changes, the published index shows the same.
  var damagedPacks: Set<String> {
    get throws(SystemError) {
      let digests = try publishedDigests
      var damaged: Set<String> = []
      for (said, recorded) in (try? recordedContents()) ?? [] {
        let pack = recorded.published
        if pack.digest == said.contents, try isProven(pack, digests: digests) { continue }
        damaged.insert(said.pack)
      }
      return damaged
    }
  }

  /// The recorded packs, each by its identifier with the digest of its recorded files.
  private func recordedContents() throws(BinaryReader.Damage) -> [(
    (pack: String, contents: Digest), recorded: BuildRecord.Pack
  )] {
    guard var record else { return [] }
    var path = ByteBuffer()
    return try record.packs { record, identifier, fileCount throws(BinaryReader.Damage) in
      var digest = ContentsDigest()
      for _ in 0..<fileCount {
        let file = try record.file(path: &path)
        digest.add(path.array()[...], size: file.size, file: file.packed.digest)
      }
      return (identifier, digest.finish())
    }
  }

  /// Whether the index, or else the archive itself, shows that a pack is the recorded one.
  private func isProven(_ pack: PublishedPack, digests: [String: Digest]) throws(SystemError) -> Bool {
    if digests.isEmpty && files.replacesInPlace { return true }
    if digests[pack.archive.path] == pack.archive.file.digest { return true }
    return try isSame(pack, info: nil)
  }
}

/// Whether one pack is kept, taken over or written.
package enum BuildDecision: Sendable, Hashable {
  case keep(Proof)
  /// A release publishes the same contents, so the pack is named as it is there and not written.
  case reuse
  case write(Reason)

  /// The evidence that a pack is unchanged.
  package enum Proof: Sendable, Hashable {
    /// All times, sizes and inodes are as recorded.
    case times
    /// Some times are not as recorded, but all digests are.
    case digests
  }

  /// Why a pack is written; paths are inside the pack.
  package enum Reason: Sendable, Hashable {
    case noRecord
    case newPack
    case otherSettings([SettingsKey.Change])
    case archiveChanged
    /// The pack was published under another name.
    case renamed
    /// The record's entry of the pack contradicts itself or the index.
    case recordDamaged
    case added(String)
    case removed(String)
    case changed(String)
  }

  /// Whether the pack is kept.
  package var isKeep: Bool { if case .keep = self { true } else { false } }

  /// Whether the pack is written.
  package var isWrite: Bool { if case .write = self { true } else { false } }
}
