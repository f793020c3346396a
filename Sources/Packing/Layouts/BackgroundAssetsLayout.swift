import Findings
import Formats
import PackKit
import System

/// Packs for Background Assets: folders of files, a manifest for `ba-package` each, and the tags that lead to them.
struct BackgroundAssetsLayout: PackLayout {
  let kind = Layout.backgroundAssets
  let packsFolder = PublishedNames.packsFolder
  let indexName = PublishedNames.tags
  let replacesInPlace = true
  let leavesIndex = true
  let folders = [PublishedNames.manifestsFolder]
  let otherFolders = [PublishedNames.archivesFolder]

  private let choice: BackgroundAssetsChoice
  /// The map as it was read; nil where none is kept.
  private let idMap: IDMapFile?
  /// The ids of the plan's packs; nil for a layout that only tells where files are.
  private let ids: AssetPackIDs?

  /// The layout without a plan, which only tells where files are.
  init() {
    choice = BackgroundAssetsChoice()
    idMap = nil
    ids = nil
  }

  /// The layout of a plan's packs.
  ///
  /// - Throws: if the id map exists but cannot be read.
  init(_ choice: BackgroundAssetsChoice, _ plan: PackPlan) throws(SystemError) {
    self.choice = choice
    var map: IDMapFile?
    if let path = choice.idMap { map = try IDMapFile(path) }
    idMap = map
    ids = AssetPackIDs(of: plan, map: map?.ids)
  }

  /// The id of a pack.
  func id(of pack: AssetPack) -> String { ids?.id(of: pack) ?? AssetPackID.made(of: pack.tags) }

  func container(_ chosen: Container) -> Container { .folder }
  func compression(_ chosen: Compression) -> Compression { .default }
  func key(for manifest: Manifest) -> [SettingsKey.Part] { [] }

  func arranged(_ plan: PackPlan) -> PackPlan {
    guard plan.manifest.hasPackPrefix, let ids else { return plan }
    return plan.prefixed(by: ids)
  }

  func fileName(of pack: AssetPack, digest: String, in container: Container) -> String { id(of: pack) }
  func mayBePack(_ name: String) -> Bool { AssetPackID.isName(name) }
  func mayBeFolder(_ name: String) -> Bool { true }

  func stands(in folder: OutputFolder) throws(SystemError) -> Bool {
    guard try folder.exists(joined(folder.path, indexName)) else { return false }
    return try folder.exists(joined(folder.path, PublishedNames.manifestsFolder))
  }

  func foreignFile(in folder: OutputFolder) throws(SystemError) -> String? {
    if try folder.hasRecordFolder { return nil }
    if try folder.exists(folder.indexPath) {
      let bytes = try InputFile(folder.indexPath).contents(limit: TagsFormat.longest)
      let value = bytes.flatMap { JSONReader.read(SourceText(path: folder.indexPath, bytes: $0)).value }
      let isOwn = ["formatVersion", "tags", "packs"].allSatisfy { value?.member($0) != nil }
      return isOwn ? nil : folder.indexPath
    }
    for path in [PublishedNames.tagsSource, PublishedNames.packageScript].map({ joined(folder.path, $0) })
    where try folder.exists(path) {
      let bytes = try InputFile(path).contents(limit: TagsFormat.longest) ?? []
      if !String(decoding: bytes.prefix(80), as: UTF8.self).contains(PackageScript.mark) { return path }
    }
    return nil
  }

  func findings(about plan: PackPlan) -> [Diagnostic] {
    (idMap?.diagnostics ?? []) + (ids?.diagnostics ?? []) + BackgroundAssetsCheck(plan).findings
  }

  func publishedPaths(in folder: OutputFolder) throws(SystemError) -> [String] {
    try folder.recordedPacks.map(\.archive.path) + folder.notedPacks
  }

  func leftovers(
    of removed: [String], except release: Release, in folder: OutputFolder
  ) throws(SystemError) -> [String] {
    var paths: [String] = []
    for pack in removed {
      let path = PublishedNames.manifestPath(ofPack: lastName(of: pack))
      if try folder.exists(joined(folder.path, path)) { paths.append(path) }
    }
    return try paths + archives(of: Set(removed.map(lastName)), in: folder)
  }

  /// Writes and syncs everything before the first rename; `tags.json` is renamed last.
  func publish(_ build: UnpublishedBuild) throws -> Publication {
    var renames: [PendingRename] = []
    let (packs, written) = try build.stagedPacks { renames.append($0) }
    let record = try build.draftRecord()
    let release = Release(of: build.plan, packs: packs)
    let manifests = manifests(of: build.plan)
    let lists = manifests.map(\.file) + lists(beside: manifests, of: release, build.plan)
    try build.output.note(written)
    try completeMap(for: build.plan)
    let (last, isListWritten) = try build.output.publish(renames, lists)
    let current = Set(archives(of: manifests, release))
    for path in try archives(of: Set(manifests.map(\.id)), in: build.output) where !current.contains(path) {
      try FileOperations.removeFile(joined(build.output.path, path))
    }
    return Publication(
      release: release, packs: packs,
      changes: OutputChanges(written: written, isListWritten: isListWritten), list: last, record: record)
  }

  /// The archives that `ba-package` has made of some packs, in any state.
  private func archives(of ids: Set<String>, in folder: OutputFolder) throws(SystemError) -> [String] {
    let path = joined(folder.path, PublishedNames.archivesFolder)
    guard try FileOperations.statusIfThere(path, following: false)?.kind == .folder else { return [] }
    return try FileOperations.names(in: path)
      .filter { PublishedNames.pack(ofArchive: $0).map(ids.contains) == true }
      .map { joined(PublishedNames.archivesFolder, $0) }
  }

  /// The paths of the archives that `ba-package` makes of a release's packs.
  private func archives(of manifests: [(id: String, file: NamedBytes)], _ release: Release) -> [String] {
    zip(manifests, release.packs).map { manifest, pack in
      PublishedNames.archivePath(
        ofPack: manifest.id, pack.published?.digest ?? .zero, manifest: manifest.file.bytes.array())
    }
  }

  /// Adds new ids to the map as it is by now, since other builds may have added theirs.
  private func completeMap(for plan: PackPlan) throws {
    guard let idMap, let ids, ids.hasNew else { return }
    let folder = folderPath(of: idMap.path)
    try FileOperations.makeFolder(folder)
    let lock = try FileLock(folder: folder)
    defer { withExtendedLifetime(lock) {} }
    let present = try IDMapFile(idMap.path)
    let merged = AssetPackIDs(of: plan, map: present.ids)
    let known = Set(idMap.diagnostics.map(\.message))
    guard present.diagnostics.allSatisfy({ known.contains($0.message) }),
      plan.packs.allSatisfy({ merged.id(of: $0) == ids.id(of: $0) })
    else { throw ChangedIDMap(path: idMap.path) }
    try FileOperations.replace(idMap.path, by: IDMapFile.bytes(merged.map))
  }

  func isPublished(
    _ release: Release, _ plan: PackPlan, _ settings: PackSettings, in folder: OutputFolder
  ) throws(SystemError) -> Bool {
    if let ids, idMap != nil, ids.hasNew { return false }
    let manifests = manifests(of: plan)
    return (manifests.map(\.file) + lists(beside: manifests, of: release, plan)).allSatisfy {
      FileOperations.holds(joined(folder.path, $0.name), $0.bytes)
    }
  }

  /// The manifest of each pack.
  private func manifests(of plan: PackPlan) -> [(id: String, file: NamedBytes)] {
    plan.packs.map { pack in
      let id = id(of: pack)
      let bytes = manifest(of: pack, id, in: plan).json.bytes()
      return (id, NamedBytes(name: PublishedNames.manifestPath(ofPack: id), bytes: bytes))
    }
  }

  /// The files beside packs and manifests, in the order in which they are published.
  private func lists(
    beside manifests: [(id: String, file: NamedBytes)], of release: Release, _ plan: PackPlan
  ) -> [NamedBytes] {
    let ids = manifests.map(\.id)
    let archives = archives(of: manifests, release)
    let script = PackageScript(
      packs: Delivery.allCases.flatMap(plan.order).map { (ids[$0], archives[$0]) },
      batchSize: LimitProfile.backgroundAssets.packsPerSubmission ?? 10)
    var source = ByteBuffer()
    source.append(SwiftTags(release).backgroundAssets(ids: ids, choice.version))
    return [
      NamedBytes(name: PublishedNames.tagsSource, bytes: source),
      NamedBytes(name: PublishedNames.packageScript, bytes: script.bytes),
      NamedBytes(name: PublishedNames.tags, bytes: TagsFormat.json(of: release, ids: ids).bytes()),
    ]
  }

  private func manifest(of pack: AssetPack, _ id: String, in plan: PackPlan) -> BackgroundManifest {
    let paths = pack.files.map { plan.tree.files[$0].packPath }
    let policy = BackgroundManifest.Policy(pack.delivery, onUpdate: plan.manifest.downloadsOnUpdate)
    var manifest = BackgroundManifest(
      id: id, policy: policy,
      selectors: paths.map { choice.version == .v26 ? .file($0) : .fileSource($0, destination: $0) })
    manifest.platforms = choice.platforms.map(\.rawValue)
    if choice.version == .v27 { manifest.sourceRoot = PublishedNames.sourceRoot(ofPack: id) }
    return manifest
  }
}

/// Another program has changed the ids of a build's packs, or taken them for others.
struct ChangedIDMap: Error, CustomStringConvertible {
  let path: String

  var description: String {
    "the id map \(quoted(path)) was changed during the build, and gives other ids now; build again"
  }
}

/// The checks of a plan that only Background Assets need.
struct BackgroundAssetsCheck {
  private let plan: PackPlan

  init(_ plan: PackPlan) { self.plan = plan }

  var findings: [Diagnostic] { emptyPacks + lost }

  private var emptyPacks: [Diagnostic] {
    plan.packs.compactMap { pack in
      if pack.size > 0 { return nil }
      let message =
        "the pack of \(setNotation(pack.tags)) has no byte; give its files content, or exclude them"
      return Diagnostic(.emptyPack, message, at: plan.place(ofTags: pack.tags))
    }
  }

  private var lost: [Diagnostic] {
    if plan.packs.isEmpty { return [] }
    var lost: [String] = []
    let prefetched = plan.order(of: .prefetch).count
    if prefetched > 1 { lost.append("the order of the \(grouped(prefetched)) prefetched packs") }
    lost.append("preservation priorities")
    lost.append("slices for devices")
    let list = lost.dropLast().joined(separator: ", ") + " and " + (lost.last ?? "")
    let message = "Background Assets do not have \(list); an app removes packs itself"
    return [
      Diagnostic(
        .lostInBackgroundAssets, message, at: plan.manifest.text.place(at: plan.manifest.rulesOffset))
    ]
  }
}
