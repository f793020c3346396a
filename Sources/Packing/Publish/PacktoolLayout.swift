import Formats
import Model
import Pipeline
import System

extension LayoutDescription {
  static let packtool = LayoutDescription(
    summary: "an index with packs",
    hintOnVariants: "choose the device class to build for with --device",
    profile: nil, code: nil, sharesPaths: false, reasonAgainstParts: nil,
    indexName: PublishedNames.index, madeFolders: [], cleanedFolders: [PublishedNames.patchesFolder],
    buildMarks: [PublishedNames.index, PublishedNames.packsFolder],
    naming: .digest, container: nil, compression: nil, extras: .none, usesXcodeSettings: false,
    foreignFile: { output throws(SystemError) in try output.foreignIndex },
    leftovers: { output, _, release throws(SystemError) in try output.patches(except: release) })
}

/// packtool's own layout.
///
/// It has packs in the folder `packs` that are named after their digest, an `index.json`, and a list of all
/// files.
struct PacktoolLayout: PackLayout {
  let files: LayoutFiles
  /// The signature settings; nil for an index without a signature.
  var signing: Signing?

  func adjusted(_ plan: PackPlan) -> PackPlan { plan }

  func findings(about plan: PackPlan) -> [Diagnostic] { [] }

  func publish(_ build: StagedPacks) throws -> PublishResult {
    let packs = try build.packRenames()
    for rename in packs.renames { try rename.perform() }
    let (contents, record) = try publishLists(of: build)
    let patches = try publishPatches(of: build)
    let unsigned = Release(
      of: build.plan, packs: packs.packs, contents: contents.file, patches: build.patches?.sets ?? [])
    let release = try signing?.numbered(unsigned, in: build.output) ?? unsigned
    let isIndexWritten = try publish(release, in: build.output)
    let changes = OutputChanges(
      written: packs.written, isListWritten: isIndexWritten || contents.isWritten, patches: patches)
    return PublishResult(
      release: release, packs: packs.packs, changes: changes, list: contents.file, record: record,
      patchRecord: build.patches?.record)
  }

  /// Publishes staged patches, and the lists of all patches.
  ///
  /// - Returns: the paths of patches that were written.
  private func publishPatches(of build: StagedPacks) throws(SystemError) -> [String] {
    guard let patches = build.patches else { return [] }
    let output = build.output
    try FileOperations.makeFolder(joined(output.path, PublishedNames.patchesFolder))
    var written: [String] = []
    for (staged, patch) in patches.staged {
      guard
        let rename = try output.pendingRename(from: staged, to: patch.path, written: patch.file, kind: .file)
      else {
        continue
      }
      try rename.perform()
      written.append(patch.path)
    }
    for (number, set) in patches.sets.enumerated() where !output.isSame(set.list) {
      let staged = joined(output.stagingPath, "patches.\(number).json")
      try FileOperations.write(PatchSet.bytes(fromIndex: set.from, packs: set.packs), toNew: staged)
      try FileOperations.sync(staged)
      try FileOperations.rename(staged, to: joined(output.path, set.list.path))
    }
    try FileOperations.sync(joined(output.path, PublishedNames.patchesFolder))
    return written.sorted()
  }

  /// Publishes the list of all files.
  ///
  /// In the same pass, it also writes the build cache.
  private func publishLists(
    of build: StagedPacks
  ) throws -> (contents: PublishedContentsList, record: RecordDraft) {
    let list = Monitor<PublishedContentsList?>(nil)
    let record = Monitor<RecordDraft?>(nil)
    let tasks: [@Sendable () throws -> Void] = [
      {
        let contents = try build.publishContents()
        list.change { $0 = contents }
      },
      {
        let draft = try build.draftRecord()
        record.change { $0 = draft }
      },
    ]
    try onThreads(build.jobs, each: tasks) { try $0() }
    guard let list = list.change({ $0 }), let record = record.change({ $0 }) else {
      preconditionFailure("both are done or one has failed")
    }
    return (list, record)
  }

  /// Publishes the index of the build.
  ///
  /// The rename of the index comes last and is the only change that readers see. Returns false if the same
  /// index is already published. The signature is renamed just before the index. If a build is killed between
  /// the two renames, the signature of the new index is next to the old index. Clients ignore such a
  /// signature, and the next build repairs it.
  private func publish(_ release: Release, in output: OutputFolder) throws(SystemError) -> Bool {
    var renames: [PendingRename] = []
    for file in lists(of: release)
    where !FileOperations.contents(of: joined(output.path, file.name), equal: file.bytes) {
      let staged = joined(output.stagingPath, file.name)
      try FileOperations.write(file.bytes, toNew: staged)
      try FileOperations.sync(staged)
      let target = joined(output.path, file.name)
      let replaces = file.name == files.indexName ? false : try output.exists(target)
      renames.append(PendingRename(staged: staged, target: target, replaces: replaces, isFolder: false))
    }
    if renames.isEmpty { return false }
    // All files that the index refers to must be on the disk before the index is.
    try output.syncFolders()
    try output.perform(renames)
    return true
  }

  /// Returns the files to publish: the list of packs in other folders and the signature, if they exist, and
  /// then the index.
  private func lists(of release: Release) -> [NamedBytes] {
    let index = IndexFormat.bytes(of: release)
    var lists = ElsewhereFormat.list(of: release).map { [NamedBytes(name: $0.name, bytes: $0.bytes)] } ?? []
    if let signing, let edition = release.edition {
      lists.append(
        NamedBytes(name: PublishedNames.signature, bytes: signing.signature(of: index, edition: edition)))
    }
    return lists + [NamedBytes(name: files.indexName, bytes: index)]
  }

  func isPublished(
    _ release: Release, of plan: PackPlan, in folder: OutputFolder
  ) throws(SystemError) -> Bool {
    var release = release
    if let signing {
      guard let same = try signing.republished(release, in: folder) else { return false }
      release = same
    }
    return lists(of: release).allSatisfy {
      FileOperations.contents(of: joined(folder.path, $0.name), equal: $0.bytes)
    }
  }
}
