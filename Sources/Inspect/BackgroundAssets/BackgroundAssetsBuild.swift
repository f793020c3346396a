package import Formats
package import Model
import Pipeline
package import System

/// The packs of a build, read from the built folder.
package struct PackedRelease: Sendable {
  package let release: Release
  /// The digest of each pack's contents.
  package let packDigests: [Digest]
  /// The files in byte order of their paths, each with the index of the pack that contains it.
  package let files: [(file: PackListing.File, pack: Int)]
}

/// The number of packs, and the number and total size of their files.
package struct PackCount: Sendable {
  package let packs: Int
  package let files: Int64
  /// The total size of the files in bytes.
  package let size: Int64
}

/// Checks that the packs, manifests and lists of a folder in the `background-assets` layout agree with one
/// another.
package struct BackgroundAssetsBuild: Sendable {
  /// The path as the user would type it.
  package let path: String
  package private(set) var count = PackCount(packs: 0, files: 0, size: 0)
  /// The packs and their files; nil if there are errors.
  package private(set) var release: PackedRelease?
  /// All findings, in the order of the report.
  package private(set) var diagnostics: [Diagnostic] = []

  /// The path of the file that a build writes last.
  package var indexPath: String { joined(path, PublishedNames.tags) }

  /// Reads the folder's lists and all packs, on several threads.
  ///
  /// If `profile` is not nil, it replaces the limit profile of Background Assets. `ledger` is the path of the
  /// version lockfile.
  ///
  /// - Throws: if the disk fails.
  package init(at argument: String, profile: LimitProfile?, ledgerPath ledger: String? = nil, jobs: Int)
    throws(SystemError)
  {
    path = trimmed(argument)
    guard case .bytes(let bytes) = try FileContents(of: indexPath, limit: TagsFormat.maxSize) else {
      diagnostics = [
        Diagnostic(
          .missingIndex, message: "\(quoted(indexPath)) is not a regular file, or is too long",
          at: Place(indexPath))
      ]
      return
    }
    let downloads = try DownloadManifest(reading: joined(path, PublishedNames.downloadManifest))
    let host: AssetPackHost = downloads == nil ? .apple : .ownServer
    let tags = PublishedTags(SourceText(path: indexPath, bytes: bytes), host: host)
    let folder = path
    let nameBudget = NameBudget()
    let packs = try onThreads(jobs, each: tags.packs) { pack throws(SystemError) in
      try BackgroundPack(pack, text: tags.text, in: folder, budget: nameBudget, host: host)
    }
    var found = FindingList(tags.diagnostics)
    for pack in packs { found.add(pack.diagnostics) }
    found.add(sharedNames(of: packs))
    found.add(try unlistedFileFindings(packs))
    if let downloads { found.add(findings(on: downloads, packs: packs)) }
    if let ledger { found.add(try findings(on: tags, downloads: downloads, against: ledger)) }
    if !found.findings.hasErrors {
      let release = release(of: packs, tags: tags, downloads: downloads)
      let files = packs.enumerated().flatMap { number, pack in pack.files.map { ($0, number) } }
      self.release = PackedRelease(
        release: release, packDigests: tags.packs.compactMap(\.digest),
        files: files.sorted { $0.0.path.precedesInBytes($1.0.path) })
      found.add(limits(packs, tags: tags, profile: profile))
    }
    count = PackCount(
      packs: packs.count, files: packs.saturatingSum { Int64($0.files.count) },
      size: packs.saturatingSum { $0.size })
    diagnostics = found.findings.ordered(manifest: indexPath)
  }

  /// Returns findings about files that are not in any list, and about missing files.
  private func unlistedFileFindings(_ packs: [BackgroundPack]) throws(SystemError) -> [Diagnostic] {
    let files = [PublishedNames.tags, PublishedNames.tagsSource, PublishedNames.packageScript]
    let folders = [
      PublishedNames.packsFolder, PublishedNames.manifestsFolder, PublishedNames.archivesFolder,
      PublishedNames.recordFolder,
    ]
    var named = Set(files + folders + [PublishedNames.downloadManifest])
    for pack in packs {
      named.insert(PublishedNames.folderPath(ofPack: pack.id))
      named.insert(PublishedNames.manifestPath(ofPack: pack.id))
      if let archive = pack.archivePath { named.insert(archive) }
    }
    let ids = Set(packs.map(\.id))
    var found: [Diagnostic] = []
    for folder in ["."] + folders.dropLast() {
      for name in try names(inFolder: joined(path, folder)) where !named.contains(joined(folder, name)) {
        let place = Place(joined(path, joined(folder, name)))
        let pack = folder == PublishedNames.archivesFolder ? PublishedNames.pack(ofArchive: name) : nil
        let isStale = pack.map(ids.contains) == true
        let message =
          isStale
          ? "the archive does not match the pack \(quoted(pack ?? "")); remove the archive, and run \"package.sh\""
          : "\"tags.json\" does not list \(quoted(joined(folder, name)))"
        found.append(Diagnostic(.notInIndex, message: message, at: place))
      }
    }
    for name in files.dropFirst() where try !FileOperations.exists(joined(path, name)) {
      found.append(
        Diagnostic(
          .damagedIndex, message: "\(quoted(name)) is missing; build again", at: Place(joined(path, name))))
    }
    return found
  }

  private func release(
    of packs: [BackgroundPack], tags: PublishedTags, downloads: DownloadManifest?
  ) -> Release {
    let listed = zip(packs, tags.packs).map { pack, tagged in
      let size = downloads?.pack(pack.id)?.downloadSize ?? pack.archiveSize
      let published = tagged.digest.flatMap { digest in
        size.map {
          PublishedPack(
            digest: digest,
            archive: PublishedFile(
              path: pack.archivePath ?? pack.path, file: WrittenFile(size: $0, digest: digest)))
        }
      }
      return Release.Pack(
        id: pack.id, name: pack.id, tags: tagged.tags, delivery: pack.delivery, priority: nil,
        fileCount: Int64(pack.files.count), size: pack.size, published: published,
        version: downloads?.pack(pack.id)?.version, language: pack.language.isEmpty ? nil : pack.language)
    }
    let numbers = Dictionary(zip(listed.map(\.id), 0...)) { first, _ in first }
    let named = tags.tags.map { tag -> Release.Tag in
      let packs = tag.ids.compactMap { numbers[$0] }.sorted()
      let delivery = Delivery.allCases.first { packs.map { listed[$0].delivery }.contains($0) }
      return Release.Tag(
        name: tag.tag, delivery: delivery ?? .onDemand, packs: packs,
        size: packs.saturatingSum { listed[$0].size })
    }
    return Release(
      bundleIdentifier: "", profile: LimitProfile.backgroundAssets.name, packs: listed, tags: named,
      order: Dictionary(grouping: listed.indices) { listed[$0].delivery }, untagged: FileCount(),
      contents: nil)
  }

  /// Returns findings about a download manifest whose packs differ from the packs in the folder.
  private func findings(on downloads: DownloadManifest, packs: [BackgroundPack]) -> [Diagnostic] {
    let place = Place(downloads.path)
    func finding(_ message: String) -> Diagnostic { Diagnostic(.wrongContents, message: message, at: place) }
    let ids = Set(packs.map(\.id))
    var found = downloads.diagnostics
    for pack in downloads.packs where !ids.contains(pack.id) {
      found.append(
        finding("the download manifest lists \(quoted(pack.id)), which is not in \"tags.json\"; build again"))
    }
    for pack in packs {
      guard let listed = downloads.pack(pack.id) else {
        found.append(
          finding("the download manifest does not contain the pack \(quoted(pack.id)); build again"))
        continue
      }
      if let policy = pack.policy, listed.policy.text != policy.json.text {
        found.append(
          finding(
            "the pack \(quoted(pack.id)) has a different download policy in its own manifest; build again"))
      }
      if let size = pack.archiveSize, size != listed.downloadSize {
        found.append(
          finding(
            "the pack \(quoted(pack.id)) has the download size \(grouped(listed.downloadSize)), but its "
              + "archive has \(counted(size, of: "byte")); build again, or run package.sh"))
      }
    }
    return found
  }

  /// Returns findings about packs whose versions differ from the version lockfile.
  private func findings(
    on tags: PublishedTags, downloads: DownloadManifest?, against path: String
  ) throws(SystemError) -> [Diagnostic] {
    let ledger = try PackLockfile(ledger: path)
    guard let downloads, ledger.diagnostics.isEmpty else {
      let message = "the build has no versions; build with the settings layout.selfHosted and layout.ledger"
      return ledger.diagnostics.isEmpty
        ? [Diagnostic(.wrongVersion, message: message, at: Place(indexPath))] : ledger.diagnostics
    }
    return tags.packs.compactMap { pack in
      let (entry, version) = (ledger.packs[pack.id], downloads.pack(pack.id)?.version)
      if let entry, entry.version == version, entry.digest == pack.digest { return nil }
      let isBehind = entry.map { version ?? 0 < $0.version } ?? false
      let own = version.map { "the version \($0)" } ?? "no version"
      let isOther = entry.map { $0.version == version } ?? false
      let kept = entry.map { "the version \($0.version)\(isOther ? " of different contents" : "")" }
      let message =
        "the pack \(quoted(pack.id)) has \(own) in the download manifest, and \(kept ?? "no version") in the "
        + "version lockfile"
      // Later builds update the lockfile, but they do not change this folder. So a version that is older than
      // the lockfile's version is only a warning.
      return Diagnostic(
        .wrongVersion, message: message, at: Place(downloads.path), severity: isBehind ? .warning : nil)
    }
  }

  /// Returns findings about limits.
  ///
  /// The store counts the sizes of archives. So the findings use these sizes if packtool knows all of them.
  private func limits(
    _ packs: [BackgroundPack], tags: PublishedTags, profile: LimitProfile?
  ) -> [Diagnostic] {
    let release = release(of: packs, tags: tags, downloads: nil)
    var manifest = Manifest(text: tags.text, folder: ".")
    manifest.limits = LimitSettings(profile: profile ?? .backgroundAssets, overrides: tags.ownLimits)
    let input = PackCheck.Input(release, manifest: manifest)
    return PackCheck.limits.flatMap { $0.find(input) }
  }
}

/// One pack of a build for Background Assets: its folder and its manifest, compared with `tags.json`.
struct BackgroundPack: Sendable {
  let id: String
  /// The download policy; nil if the manifest cannot be read.
  private(set) var policy: BackgroundManifest.Policy?
  /// The language of the devices that download the pack; empty for all languages.
  private(set) var language = ""
  var delivery: Delivery { policy?.delivery ?? .onDemand }
  /// The files that are in the pack's folder.
  private(set) var files: [PackListing.File] = []
  /// The path of the pack's archive, relative to the build's folder; nil if the path is not known.
  private(set) var archivePath: String?
  /// The size of the archive that `ba-package` made; nil if there is no archive.
  private(set) var archiveSize: Int64?
  var diagnostics: [Diagnostic] { findings.findings }
  private var findings = FindingList()
  let path: String
  private let manifestPath: String

  /// The size of the files in bytes.
  var size: Int64 { files.saturatingSum { $0.size } }

  init(
    _ pack: PublishedTags.Pack, text: SourceText, in folder: String, budget: NameBudget, host: AssetPackHost
  ) throws(SystemError) {
    id = pack.id
    path = joined(folder, PublishedNames.folderPath(ofPack: id))
    manifestPath = joined(folder, PublishedNames.manifestPath(ofPack: id))
    try readFiles(pack, budget: budget)
    try readManifest(pack.digest, host: host)
    if let archivePath, let status = try FileOperations.statusIfThere(joined(folder, archivePath)),
      status.kind == .file
    {
      archiveSize = status.size
    }
  }

  private mutating func readFiles(_ pack: PublishedTags.Pack, budget: NameBudget) throws(SystemError) {
    guard try FileOperations.statusIfThere(path, symlinks: .notFollowed)?.kind == .folder else {
      return report(
        .missingPack, message: "the pack of \(setNotation(pack.tags)) does not exist; build again", at: path)
    }
    let listing = try PackListing(path, budget: budget)
    files = listing.files
    for file in files where file.problem?.check == .secretKey {
      let place = Place(joined(path, file.path))
      if let finding = file.problem?.finding(about: file.path, at: place, under: .refused) {
        findings.add(finding)
      }
    }
    for reason in listing.damage { report(.damagedPack, message: reason, at: path) }
    if !listing.damage.isEmpty { return }
    if size != pack.size {
      let message =
        "the pack of \(setNotation(pack.tags)) has \(counted(size, of: "byte")), but \"tags.json\" says "
        + "\(grouped(pack.size)); build again"
      return report(.damagedPack, message: message, at: path)
    }
    var digest = ContentsDigest()
    for file in files { digest.add(path: file.path, size: file.size, fileDigest: file.digest) }
    let found = digest.finish()
    if let expected = pack.digest, found != expected {
      let message =
        "the files of the pack of \(setNotation(pack.tags)) differ from \"tags.json\", because they were "
        + "changed after the build; build again"
      report(.damagedPack, message: message, at: path)
    }
  }

  private mutating func readManifest(_ contents: Digest?, host: AssetPackHost) throws(SystemError) {
    guard case .bytes(let bytes) = try FileContents(of: manifestPath, limit: BackgroundManifestReader.maxSize)
    else {
      return report(
        .damagedIndex, message: "the manifest \(quoted(manifestPath)) is missing; build again",
        at: manifestPath)
    }
    archivePath = contents.map {
      PublishedNames.archivePath(ofPack: id, contentsDigest: $0, manifestBytes: bytes)
    }
    let reader = BackgroundManifestReader(
      text: SourceText(path: manifestPath, bytes: bytes), packHost: host)
    findings.add(reader.diagnostics.map { $0.check.isManifestError ? $0.of(.damagedIndex) : $0 })
    guard let manifest = reader.manifest else { return }
    policy = manifest.policy
    language = manifest.language?.lowercased() ?? ""
    if manifest.id != id {
      report(
        .wrongContents,
        message: "the manifest belongs to another pack, \(quoted(manifest.id))", at: manifestPath)
    }
    if let root = manifest.sourceRoot, root != PublishedNames.sourceRoot(ofPack: id) {
      report(
        .wrongContents, message: "the source root \(quoted(root)) is not the pack's folder", at: manifestPath)
    }
    compare(manifest)
  }

  /// Compares the selectors of the manifest with the files of the folder.
  private mutating func compare(_ manifest: BackgroundManifest) {
    var named: Set<ByteKey> = []
    for selector in manifest.selectors {
      guard let path = selector.plainFile else {
        let message =
          "the manifest contains a selector that packtool does not write: packtool selects each file with "
          + "its own path"
        return report(.wrongContents, message: message, at: manifestPath)
      }
      named.insert(ByteKey(path))
    }
    for file in files where named.remove(ByteKey(file.path)) == nil {
      report(
        .wrongContents, message: "the manifest does not select the file \(quoted(file.path))",
        at: manifestPath)
    }
    for key in named.map(\.text).sorted() {
      report(
        .wrongContents, message: "the manifest selects \(quoted(key)), which is not in the pack",
        at: manifestPath)
    }
  }

  private mutating func report(_ check: Check, message: String, at path: String) {
    findings.add(Diagnostic(check, message: message, at: Place(path)))
  }
}

/// Returns findings about file paths that occur in two packs.
///
/// Devices put the files of all packs into one folder, so such files would conflict.
private func sharedNames(of packs: [BackgroundPack]) -> [Diagnostic] {
  var first: [String: String] = [:]
  // Packs for all languages come first, because they must not share a path with any other pack.
  return packs.sorted { ($0.language, $0.id) < ($1.language, $1.id) }.flatMap { pack in
    pack.files.compactMap { file in
      let plain = file.path.lowercased()
      let key = pack.language.isEmpty ? plain : "\(plain)\0\(pack.language)"
      guard let other = first[key] ?? first[plain], other != pack.id else {
        first[key] = pack.id
        return nil
      }
      let message =
        "the packs \(quoted(other)) and \(quoted(pack.id)) both contain \(quoted(file.path)), but on a "
        + "device all packs share one folder"
      return Diagnostic(
        .pathInTwoPacks, message: message, at: Place(joined(pack.path, file.path)), severity: .error)
    }
  }
}
