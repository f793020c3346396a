import Formats
import Model
import Pipeline
import System

/// Packs named by their digest in `packs`, with `index.json` and a list of all files.
struct PacktoolLayout: PackLayout {
  let kind = Layout.packtool
  let packsFolder = PublishedNames.packsFolder
  let indexName = PublishedNames.index
  let replacesInPlace = false
  let leavesIndex = false
  let otherFolders = [PublishedNames.patchesFolder]
  /// How the index is signed; nil for one without a signature.
  var signing: Signing?

  func container(_ chosen: Container) -> Container { chosen }
  func key(for manifest: Manifest) -> [SettingsKey.Part] { [] }

  func fileName(of pack: AssetPack, digest: String, in container: Container) -> String {
    PublishedNames.fileName(ofPack: pack.identity.name, digest: digest, in: container)
  }

  func mayBePack(_ name: String) -> Bool {
    Container.allCases.contains { container in
      name.hasSuffix(container.suffix) && endsInDigest(name.dropLast(container.suffix.count))
    }
  }

  func mayBeFolder(_ name: String) -> Bool {
    Container.allCases.allSatisfy { $0.suffix.isEmpty || !name.hasSuffix($0.suffix) }
  }

  func mayBeList(_ name: String) -> Bool {
    ["contents.", "elsewhere."].contains(where: name.hasPrefix) && name.hasSuffix(".json")
      && endsInDigest(name.dropLast(5))
  }

  func leftovers(
    of removed: [String], except release: Release, in folder: OutputFolder
  ) throws(SystemError) -> [String] {
    let sets = release.patches
    return try folder.patches(
      except: Set(sets.map(\.list.path) + sets.flatMap { $0.packs.map(\.patch.path) }))
  }

  private func endsInDigest(_ name: Substring) -> Bool { ends(name, in: 16, behind: ".") }

  func stands(in folder: OutputFolder) throws(SystemError) -> Bool {
    guard try folder.exists(joined(folder.path, indexName)) else { return false }
    return try folder.exists(joined(folder.path, packsFolder))
  }

  func foreignFile(in folder: OutputFolder) throws(SystemError) -> String? {
    guard try folder.exists(folder.indexPath) else { return nil }
    // The index may be damaged; the record folder next to it shows who made it.
    if try folder.hasRecordFolder { return nil }
    if try folder.holdsPacks { return nil }
    let isOwn = try index(in: folder)?.hasMembers(["formatVersion", "bundleIdentifier", "packs"]) == true
    return isOwn ? nil : folder.indexPath
  }

  func bundleIdentifier(in folder: OutputFolder) throws(SystemError) -> String? {
    try index(in: folder)?.member("bundleIdentifier")?.string
  }

  func publishedPaths(in folder: OutputFolder) throws(SystemError) -> [String] {
    try publishedFiles(in: folder).compactMap { $0.member("path")?.string }
  }

  func publishedDigests(in folder: OutputFolder) throws(SystemError) -> [String: Digest] {
    var digests: [String: Digest] = [:]
    for file in try publishedFiles(in: folder) {
      guard let path = file.member("path")?.string, digests[path] == nil else { continue }
      digests[path] = file.member("digest")?.digest
    }
    return digests
  }

  /// The files that the index names.
  private func publishedFiles(in folder: OutputFolder) throws(SystemError) -> [JSONValue] {
    let index = try index(in: folder)
    let packs = index?.member("packs")?.elements?.map { $0.member("archive") } ?? []
    return (packs + [index?.member("contents")]).compactMap(\.self)
  }

  private func index(in folder: OutputFolder) throws(SystemError) -> JSONValue? {
    try JSONValue(written: folder.indexPath, limit: IndexFormat.longest)
  }

  func publish(_ build: UnpublishedBuild) throws -> Publication {
    let (packs, written) = try build.stagedPacks { try $0.perform() }
    let (contents, record) = try publishLists(of: build)
    let patched = try publishPatches(of: build)
    let unsigned = Release(
      of: build.plan, packs: packs, contents: contents.list, patches: build.patches?.sets ?? [])
    let release = try signing?.numbered(unsigned, in: build.output) ?? unsigned
    let isIndexWritten = try publish(release, in: build.output)
    let changes = OutputChanges(
      written: written, isListWritten: isIndexWritten || contents.isWritten, patches: patched)
    return Publication(
      release: release, packs: packs, changes: changes, list: contents.list, record: record,
      patchRecord: build.patches?.record)
  }

  /// Publishes staged patches and the lists of all.
  ///
  /// - Returns: the paths of patches that were written.
  private func publishPatches(of build: UnpublishedBuild) throws(SystemError) -> [String] {
    guard let patches = build.patches else { return [] }
    let output = build.output
    try FileOperations.makeFolder(joined(output.path, PublishedNames.patchesFolder))
    var written: [String] = []
    for (staged, patch) in patches.staged {
      guard let rename = try output.pending(staged, as: patch.path, patch.file, isFolder: false) else {
        continue
      }
      try rename.perform()
      written.append(patch.path)
    }
    for (number, set) in patches.sets.enumerated() where !output.isSame(set.list) {
      let staged = joined(output.stagingPath, "patches.\(number).json")
      try FileOperations.write(PatchSet.bytes(from: set.from, set.packs), toNew: staged)
      try FileOperations.sync(staged)
      try FileOperations.rename(staged, to: joined(output.path, set.list.path))
    }
    try FileOperations.sync(joined(output.path, PublishedNames.patchesFolder))
    return written.sorted()
  }

  /// Publishes the list of all files while it writes the record for the next build.
  private func publishLists(
    of build: UnpublishedBuild
  ) throws -> (contents: (list: PublishedFile, isWritten: Bool), record: RecordDraft) {
    let list = Monitor<(list: PublishedFile, isWritten: Bool)?>(nil)
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

  /// Makes the build current by the last rename, which is all that readers see; false if it is already.
  ///
  /// Just before it the signature is renamed: a build that is killed between the two leaves the old index with the
  /// signature of the new one, which clients pass over, and which the next build mends.
  private func publish(_ release: Release, in output: OutputFolder) throws(SystemError) -> Bool {
    var renames: [PendingRename] = []
    for file in lists(of: release) where !FileOperations.holds(joined(output.path, file.name), file.bytes) {
      let staged = joined(output.stagingPath, file.name)
      try FileOperations.write(file.bytes, toNew: staged)
      try FileOperations.sync(staged)
      let target = joined(output.path, file.name)
      let replaces = file.name == indexName ? false : try output.exists(target)
      renames.append(PendingRename(staged: staged, target: target, replaces: replaces, isFolder: false))
    }
    if renames.isEmpty { return false }
    // Everything that the index names must be on the disk before the index is.
    try output.syncFolders()
    try output.perform(renames)
    return true
  }

  /// The list of packs in other folders and the signature, where there are any, and the index.
  private func lists(of release: Release) -> [NamedBytes] {
    let index = IndexFormat.bytes(of: release)
    var lists = ElsewhereFormat.list(of: release).map { [NamedBytes(name: $0.name, bytes: $0.bytes)] } ?? []
    if let signing, let edition = release.edition {
      lists.append(NamedBytes(name: PublishedNames.signature, bytes: signing.signature(of: index, edition)))
    }
    return lists + [NamedBytes(name: indexName, bytes: index)]
  }

  func isPublished(
    _ release: Release, _ plan: PackPlan, _ settings: PackSettings,
    in folder: OutputFolder
  ) throws(SystemError) -> Bool {
    var release = release
    if let signing {
      guard let same = try signing.republished(release, in: folder) else { return false }
      release = same
    }
    return lists(of: release).allSatisfy { FileOperations.holds(joined(folder.path, $0.name), $0.bytes) }
  }
}
