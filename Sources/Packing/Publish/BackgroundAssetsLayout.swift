import Formats
import Model
import Pipeline
import System

extension LayoutDescription {
  static let backgroundAssets = LayoutDescription(
    summary: "packs for Background Assets", hintOnVariants: hint(onVariantsIn: .backgroundAssets),
    profile: .backgroundAssets,
    // The platforms of the packs decide, in `LayoutChoice.rules`.
    code: nil, sharesPaths: true,
    reasonAgainstParts:
      "its packs are copies of the files, so shards save no time; build without shards, and "
      + "distribute the calls of ba-package in package.sh over several machines",
    indexName: PublishedNames.tags, madeFolders: [PublishedNames.manifestsFolder],
    cleanedFolders: [PublishedNames.archivesFolder],
    buildMarks: [PublishedNames.tags, PublishedNames.manifestsFolder],
    naming: .assetPackID, container: .folder, compression: .default, extras: .none, usesXcodeSettings: false,
    foreignFile: { output throws(SystemError) in try output.foreignTags },
    leftovers: { output, removed, _ throws(SystemError) in
      try output.manifestsAndArchives(ofPacks: removed.map(lastName))
    })
}

/// The layout of packs for Background Assets.
///
/// It consists of a folder of files for each pack, a manifest for `ba-package` for each pack, and lists of
/// tags.
struct BackgroundAssetsLayout: PackLayout {
  let files: LayoutFiles
  private let choice: BackgroundAssetsChoice
  /// The ID lockfile as it was read; nil if there is no ID lockfile.
  private let idMap: PackLockfile?
  /// The version lockfile as it was read; nil for packs that Apple hosts.
  private let ledger: PackLockfile?
  /// The ids of the plan's packs.
  private let ids: AssetPackIDs
  /// Findings about the previous build in the output folder.
  private var lastFindings: [Diagnostic] = []

  /// Creates the layout for a plan's packs.
  ///
  /// If `output` is nil, the previous build is unknown.
  ///
  /// - Throws: if a lockfile exists but cannot be read.
  init(_ choice: BackgroundAssetsChoice, plan: PackPlan, in output: String?) throws(SystemError) {
    self.choice = choice
    // The manifest must be read before the version lockfile, because another build extends the lockfile
    // before it publishes the manifest.
    var lastManifest: DownloadManifest?
    var digests: [String: Digest] = [:]
    if choice.isSelfHosted, let output {
      lastManifest = try DownloadManifest(
        reading: joined(output, PublishedNames.downloadManifest), from: .output)
      if lastManifest != nil { digests = try Self.digests(in: joined(output, PublishedNames.tags)) }
    }
    idMap = try choice.file(choice.idMap, of: plan)
    ledger = try choice.file(choice.ledger, of: plan)
    ids = AssetPackIDs(of: plan, map: idMap?.ids)
    files = LayoutFiles(.backgroundAssets, ids: ids)
    if let lastManifest { lastFindings = findings(on: lastManifest, digests: digests, plan: plan) }
  }

  /// Returns the digests of the packs in a list of tags.
  private static func digests(in path: String) throws(SystemError) -> [String: Digest] {
    guard let packs = try JSONValue(outputPath: path, limit: TagsFormat.maxSize)?.member("packs") else {
      return [:]
    }
    return JSONMembers(parent: packs).reduce(into: [:]) { $0[$1.key] = $1.value.member("digest")?.digest }
  }

  /// Returns findings about published packs of the previous build that contradict the version lockfile.
  private func findings(
    on last: DownloadManifest, digests: [String: Digest], plan: PackPlan
  ) -> [Diagnostic] {
    guard let ledger, ledger.diagnostics.isEmpty else { return [] }
    let present = Set(plan.packs.map(id))
    let gone = last.packs.filter { !present.contains($0.id) }.map { pack in
      let message =
        "the new download manifest does not list the pack \(quoted(pack.id)), so devices delete it; to keep "
        + "ids when tags change, use --id-map"
      return Diagnostic(.obsoletePack, message: message, at: Place(last.path))
    }
    return ledger.findings(comparedWith: last, digests: digests) + gone
  }

  private func id(of pack: AssetPack) -> String { ids.id(of: pack) }

  func adjusted(_ plan: PackPlan) -> PackPlan { plan.manifest.hasPackPrefix ? plan.prefixed(by: ids) : plan }

  func findings(about plan: PackPlan) -> [Diagnostic] {
    let ofLedger = choice.ledger == choice.idMap ? [] : ledger?.diagnostics ?? []
    return (idMap?.diagnostics ?? []) + ofLedger + ids.diagnostics + lastFindings
      + (ledger?.exhaustedVersions(of: plan.packs.map(id)) ?? [])
      + emptyPacks(of: plan) + lostFindings(about: plan) + languageFindings(plan)
      + prefixFindings(about: plan)
  }

  private func prefixFindings(about plan: PackPlan) -> [Diagnostic] {
    guard choice.isSelfHosted, let base = choice.base else { return [] }
    let exampleURL = choice.url(ofPack: plan.packs.first.map(id) ?? "")
    return PackLocation.prefix(base.asFolder).findings(about: plan, example: exampleURL)
  }

  private func emptyPacks(of plan: PackPlan) -> [Diagnostic] {
    plan.packs.filter { $0.size == 0 }.map { pack in
      let message =
        "the pack of \(setNotation(pack.tags)) contains only empty files; add content to a file, or exclude "
        + "the files"
      return Diagnostic(.emptyPack, message: message, at: plan.place(ofTags: pack.tags))
    }
  }

  /// Returns the note about features of the plan that Background Assets does not support.
  private func lostFindings(about plan: PackPlan) -> [Diagnostic] {
    if plan.packs.isEmpty { return [] }
    let prefetched = plan.order(of: .prefetch).count
    let order = prefetched > 1 ? "the order of the \(grouped(prefetched)) prefetched packs, " : ""
    let message =
      "Background Assets does not support \(order)preservation priorities or slices for devices; the app "
      + "itself must remove packs that it no longer needs"
    return [
      Diagnostic(
        .lostInBackgroundAssets, message: message, at: plan.manifest.text.place(at: plan.manifest.rulesOffset)
      )
    ]
  }

  /// Returns findings about languages that `ba-package` does not accept.
  private func languageFindings(_ plan: PackPlan) -> [Diagnostic] {
    let manifest = plan.manifest
    func finding(_ message: String, language: Located<String>, severity: Severity? = nil) -> Diagnostic {
      Diagnostic(
        .invalidLanguage, message: message, at: manifest.text.place(at: language.offset), severity: severity)
    }
    var found = manifest.languages.values.sorted { $0.offset < $1.offset }.filter {
      !BackgroundManifest.isLanguage($0.value)
    }.map {
      finding(
        "\(quoted($0.value)) is not a language code; expected a language with an optional script and "
          + "region, such as \"pt-BR\"",
        language: $0)
    }
    for pack in plan.packs {
      let languages = manifest.languages(of: pack.tags)
      guard languages.count > 1 else { continue }
      let message =
        "the pack of \(setNotation(pack.tags)) has several languages, but a pack can have only one: "
        + listed(languages.map(\.value))
      found.append(finding(message, language: languages[1]))
    }
    guard let first = manifest.languages.values.min(by: { $0.offset < $1.offset }) else { return found }
    if choice.version == .v26 {
      found.append(
        finding(
          "manifests for version 26 cannot contain languages; build with --bundle-version 27",
          language: first,
          severity: .warning)
      )
    } else if choice.isSelfHosted {
      found.append(
        finding(
          "Apple describes languages only for packs that Apple hosts, not for self-hosted packs",
          language: first, severity: .warning)
      )
    }
    return found
  }

  /// Publishes the build.
  ///
  /// The last of the files that must agree with each other is `tags.json`.
  func publish(_ build: StagedPacks) throws -> PublishResult {
    let (plan, output) = (build.plan, build.output)
    let packs = try build.packRenames()
    let release = Release(of: plan, packs: packs.packs)
    try output.journal(packs.written)
    if let idMap, ids.hasNew {
      try complete(idMap, of: plan) { try $0.add(ids, of: plan) }
    }
    var ledger = ledger
    if let known = ledger {
      ledger = try complete(known, of: plan) { present in
        try present.require(known)
        try assignVersions(to: &present, release: release, plan: plan, in: output)
      }
    }
    let manifests = manifests(of: plan, ledger: ledger)
    let lists = manifests.map(\.file) + lists(nextTo: manifests, of: release, plan: plan, ledger: ledger)
    var publication = try build.publish(packs, lists: lists)
    let downloads = downloadsChange(for: plan, ledger: ledger)
    if case .replace(let name, let bytes) = downloads,
      !FileOperations.contents(of: joined(output.path, name), equal: bytes)
    {
      publication.changes.isListWritten = true
    }
    let current = Set(archives(of: manifests, release: release))
    let outdated = try output.packagedArchives(ofPacks: Set(manifests.map(\.id))).filter {
      !current.contains($0)
    }
    publication.laterChanges = [downloads] + outdated.map { .remove($0) }
    return publication
  }

  /// Returns the paths of the archives that `ba-package` makes from a release's packs.
  private func archives(of manifests: [(id: String, file: NamedBytes)], release: Release) -> [String] {
    zip(manifests, release.packs).map { manifest, pack in
      PublishedNames.archivePath(
        ofPack: manifest.id, contentsDigest: pack.published?.digest ?? .zero,
        manifestBytes: manifest.file.bytes.array())
    }
  }

  /// Reads a lockfile again and changes it under a lock, because other builds can also change it.
  @discardableResult private func complete(
    _ known: PackLockfile, of plan: PackPlan, change: (inout PackLockfile) throws -> Void
  ) throws -> PackLockfile {
    let folder = folderPath(of: known.path)
    try FileOperations.makeFolder(folder)
    let lock = try FileLock(folder: folder)
    defer { withExtendedLifetime(lock) {} }
    guard var file = try choice.file(known.path, of: plan) else { return known }
    let messages = Set(known.diagnostics.map(\.message))
    guard file.diagnostics.allSatisfy({ messages.contains($0.message) }) else {
      throw ChangedLedger(path: known.path)
    }
    try change(&file)
    if !FileOperations.contents(of: file.path, equal: file.bytes) {
      try OutputFiles.write(file.bytes, to: file.path, as: .product)
    }
    return file
  }

  /// Returns the change that replaces or removes the manifest which devices read.
  ///
  /// The change is made after everything that the manifest refers to has been published.
  ///
  /// Therefore, when a version is published, the list of tags already has the digest of that version's
  /// contents.
  private func downloadsChange(for plan: PackPlan, ledger: PackLockfile?) -> LaterChange {
    let name = PublishedNames.downloadManifest
    return ledger.map { .replace(name, with: downloads(of: plan, ledger: $0).json.bytes()) } ?? .remove(name)
  }

  /// Assigns a version to each pack of a release.
  private func assignVersions(
    to ledger: inout PackLockfile, release: Release, plan: PackPlan, in folder: OutputFolder
  ) throws(SystemError) {
    let manifests = manifests(of: plan, ledger: ledger)
    for (pack, (manifest, archive)) in zip(
      release.packs, zip(manifests, archives(of: manifests, release: release)))
    {
      let made = try FileOperations.statusIfThere(joined(folder.path, archive), symlinks: .notFollowed)
      ledger.assignVersion(
        toPack: manifest.id, digest: pack.published?.digest ?? .zero, size: pack.size,
        downloadSize: made?.kind == .file ? made?.size : nil)
    }
  }

  private func downloadManifest(in folder: OutputFolder) -> String {
    joined(folder.path, PublishedNames.downloadManifest)
  }

  func isPublished(
    _ release: Release, of plan: PackPlan, in folder: OutputFolder
  ) throws(SystemError) -> Bool {
    if idMap != nil, ids.hasNew { return false }
    var ledger = ledger
    if ledger != nil { try assignVersions(to: &ledger!, release: release, plan: plan, in: folder) }
    if let ledger {
      let bytes = downloads(of: plan, ledger: ledger).json.bytes()
      guard FileOperations.contents(of: ledger.path, equal: ledger.bytes),
        FileOperations.contents(of: downloadManifest(in: folder), equal: bytes)
      else { return false }
    } else if try folder.exists(downloadManifest(in: folder)) {
      return false
    }
    let manifests = manifests(of: plan, ledger: ledger)
    return (manifests.map(\.file) + lists(nextTo: manifests, of: release, plan: plan, ledger: ledger))
      .allSatisfy {
        FileOperations.contents(of: joined(folder.path, $0.name), equal: $0.bytes)
      }
  }

  /// Returns the manifest of each pack.
  private func manifests(of plan: PackPlan, ledger: PackLockfile?) -> [(id: String, file: NamedBytes)] {
    plan.packs.map { pack in
      let id = id(of: pack)
      var manifest = manifest(of: pack, id: id, in: plan)
      manifest.userInfo = ledger?.packs[id]?.userInfo
      let bytes = manifest.json.bytes()
      return (id, NamedBytes(name: PublishedNames.manifestPath(ofPack: id), bytes: bytes))
    }
  }

  /// Returns the files other than packs and manifests, in the order in which they are published.
  private func lists(
    nextTo manifests: [(id: String, file: NamedBytes)], of release: Release, plan: PackPlan,
    ledger: PackLockfile?
  ) -> [NamedBytes] {
    let ids = manifests.map(\.id)
    let archives = archives(of: manifests, release: release)
    let downloads = ledger.map { self.downloads(of: plan, ledger: $0) }
    let script = PackageScript(
      packs: Delivery.allCases.flatMap(plan.order).map {
        PackageScript.Pack(id: ids[$0], archive: archives[$0])
      },
      batchSize: LimitProfile.backgroundAssets.packsPerSubmission ?? 10,
      downloads: downloads, platform: choice.platforms.first ?? .iOS, base: choice.url(ofPack: ""))
    var source = ByteBuffer()
    source.append(SwiftTags(release).backgroundAssets(ids: ids, backgroundAssetsVersion: choice.version).text)
    return [
      NamedBytes(name: PublishedNames.tagsSource, bytes: source),
      NamedBytes(name: PublishedNames.packageScript, bytes: script.bytes),
      NamedBytes(name: PublishedNames.tags, bytes: TagsFormat.json(of: release, ids: ids).bytes()),
    ]
  }

  /// Returns the download manifest for devices.
  ///
  /// If a pack has no archive yet, its download size is the size of its files.
  private func downloads(of plan: PackPlan, ledger: PackLockfile) -> DownloadManifest {
    DownloadManifest(
      path: PublishedNames.downloadManifest,
      packs: plan.packs.map { pack in
        let entry = ledger.packs[id(of: pack)]
        return DownloadManifest.Pack(
          id: id(of: pack), url: choice.url(ofPack: id(of: pack)), version: entry?.version ?? 0,
          downloadSize: entry?.downloadSize ?? pack.size, policy: policy(of: pack, in: plan).json,
          userInfo: entry?.userInfo)
      })
  }

  private func policy(of pack: AssetPack, in plan: PackPlan) -> BackgroundManifest.Policy {
    BackgroundManifest.Policy(pack.delivery, onUpdate: plan.manifest.downloadsOnUpdate)
  }

  private func manifest(of pack: AssetPack, id: String, in plan: PackPlan) -> BackgroundManifest {
    let paths = pack.files.map { plan.tree.files[$0].packPath }
    var manifest = BackgroundManifest(
      id: id, policy: policy(of: pack, in: plan),
      selectors: paths.map { .file($0, version: choice.version) })
    manifest.platforms = choice.platforms.map(\.rawValue)
    if choice.version == .v27 {
      manifest.sourceRoot = PublishedNames.sourceRoot(ofPack: id)
      manifest.language = plan.manifest.languages(of: pack.tags).first?.value
    }
    return manifest
  }
}

extension BackgroundAssetsChoice {
  /// Reads the file at a path as an ID lockfile or a version lockfile; nil if the path is nil.
  fileprivate func file(_ path: String?, of plan: PackPlan) throws(SystemError) -> PackLockfile? {
    guard let path else { return nil }
    return path == ledger
      ? try PackLockfile(ledger: path, of: plan.manifest.bundleIdentifier)
      : try PackLockfile(idMap: path, host: isSelfHosted ? .ownServer : .apple)
  }
}

extension PackLockfile {
  /// Adds the ids of a build.
  ///
  /// Throws an error if the lockfile now contains other ids for the packs of the build.
  fileprivate mutating func add(_ ids: AssetPackIDs, of plan: PackPlan) throws {
    let merged = AssetPackIDs(of: plan, map: self.ids)
    guard plan.packs.allSatisfy({ merged.id(of: $0) == ids.id(of: $0) }) else {
      throw ChangedLedger(path: path)
    }
    self.ids = merged.map
  }

  /// Checks that nobody has lowered a version in the lockfile since `known` was read.
  fileprivate func require(_ known: PackLockfile) throws {
    let isWhole = known.packs.allSatisfy { id, entry in packs[id].map { $0.version >= entry.version } == true
    }
    if !isWhole { throw ChangedLedger(path: path) }
  }
}

/// The error for a lockfile in which another program changed the ids or versions of a build's packs during
/// the build.
struct ChangedLedger: Error, CustomStringConvertible {
  let path: String

  var description: String {
    "\(quoted(path)) changed during the build, and now contains different ids or versions; build again"
  }
}
