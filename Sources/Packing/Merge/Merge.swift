import Archiving
package import Formats
package import Model
import Pipeline
import System

/// A request to merge the shards of a build into one output folder.
package struct MergeRequest: Sendable {
  /// The folders of the shards as the user typed them.
  package var shards: [String]
  /// The path of the release's manifest, for shards of manifests that describe only some packs; otherwise nil.
  package var manifest: String?
  package var output: String
  /// Whether to keep packs that are not in the new index.
  package var keepsOld = false
  /// Whether the output folder keeps the lock and the build cache after the merge.
  package var state = OutputState.kept
  /// The signature settings; nil for a release without a signature.
  package var signing: Signing?
  package var lockWait = OutputLock.WaitPolicy.fails
  /// The number of threads to use.
  package var jobs: Int

  package init(shardFolders shards: [String], output: String, jobs: Int) {
    self.shards = shards
    self.output = output
    self.jobs = jobs
  }
}

/// The result of a merge.
package struct MergeResult: Sendable {
  /// The release in the output folder; nil if the merge was refused.
  package let release: Release?
  package let changes: OutputChanges
  package let findings: [Diagnostic]
  /// The release's manifest; nil if the shards contain all data, or if the manifest cannot be read.
  package let manifest: Manifest?
  /// The path of the output folder, as messages show it.
  package let output: String
}

extension MergeRequest {
  /// Merges the shards: reads them, joins their plans, checks the result, copies the archives, and publishes.
  ///
  /// The published files have the same bytes as the files of a build of the whole plan. The merge reads no
  /// assets.
  ///
  /// - Throws: if the system fails. If shards do not belong together, the result contains findings about
  ///   this.
  package func run(_ policy: Policy = Policy()) throws -> MergeResult {
    let reading = try manifest.map { path throws(SystemError) in
      try ManifestSource.manifest.read(path, choice: ProjectChoice(), scope: .settings)
    }
    var findings = reading?.findings ?? []
    let policy = policy.adding(reading?.manifest)
    func refused(_ more: [Diagnostic]) -> MergeResult {
      MergeResult(
        release: nil, changes: OutputChanges(), findings: findings + more, manifest: reading?.manifest,
        output: trimmed(output))
    }
    guard policy.accepts(findings) else { return refused([]) }
    do {
      // If several shards have mistakes, the mistake of the first shard is reported, whichever thread ends
      // first.
      let read = onThreads(jobs, each: shards) { folder in Result { try ShardContents(in: folder) } }
      let shards = try read.map { try $0.get() }
      let parts =
        if let manifest = reading?.manifest { try MergedShards(shards, of: manifest) } else {
          try MergedShards(shards)
        }
      if reading != nil {
        findings += try parts.plan.findingsWithoutFiles(jobs: jobs)
        guard policy.accepts(findings) else { return refused([]) }
      }
      let layout = try parts.layout(signing, leaving: state)
      let target = BuildTarget(
        plan: parts.plan, settings: parts.settings, output: OutputFolder(output, files: layout.files))
      let onOutput =
        try target.output.findings(about: parts.plan, root: nil) + target.output.findings(replacedBy: signing)
      if !onOutput.isEmpty { return refused(onOutput) }
      let staging = try Staging(in: target.output, under: nil, lockWait: lockWait)
      let build = StagedPacks(
        target: target, packs: try parts.stagePacks(for: target.output, jobs: jobs), scanTime: 0,
        pathsWithFindings: [], isRecordCurrent: false, jobs: jobs)
      let outcome = try build.publish(
        from: staging, by: layout, outdated: keepsOld ? .kept : .removed)
      try target.output.finish(with: state)
      return MergeResult(
        release: outcome.release, changes: outcome.changes, findings: findings, manifest: reading?.manifest,
        output: target.output.path)
    } catch let mistake as Refusal {
      return refused([mistake.diagnostic])
    }
  }
}

extension MergedShards {
  /// Copies the archives of all shards into the staging folder and verifies each archive.
  ///
  /// Returns the packs in the plan's order. Archives are copied instead of hard-linked. Otherwise, anyone who
  /// can write to a shard could change a published pack later.
  fileprivate func stagePacks(for output: OutputFolder, jobs: Int) throws -> [FinishedPack] {
    let sync = PackSync()
    let copied: [(number: Int, pack: FinishedPack)]
    do {
      let largestFirst = packs.indices.sorted { plan.packs[$0].size > plan.packs[$1].size }
      copied = try onThreads(jobs, each: largestFirst) { number in
        let pack = try copyPack(number, into: output)
        if !pack.isFolder { sync.add(pack.stagedPath) }
        return (number, pack)
      }
    } catch {
      sync.abandon()
      throw error
    }
    try sync.finish()
    if copied.contains(where: \.pack.isFolder) { try output.syncStagedFolders() }
    return copied.sorted { $0.number < $1.number }.map(\.pack)
  }

  private func copyPack(_ number: Int, into output: OutputFolder) throws -> FinishedPack {
    let (folder, shardPack) = packs[number]
    let pack = plan.packs[number]
    let staged = joined(output.stagingPath, "\(number)")
    let files = pack.files.map { plan.tree.files[$0] }
    let digests = digests(of: files, in: shardPack)
    let archive = settings.container == .folder ? nil : shardPack.published.archive.file
    func written(_ sizes: [Int64]?) -> FinishedPack {
      let packed = digests.enumerated().map { PackedFile(digest: $1, packedSize: sizes?[$0]) }
      return FinishedPack(files, packedFiles: packed, archive: archive, stagedPath: staged)
    }
    let expected = written(nil)
    // The path is computed and not read from the shard's description, because a path in the description could
    // lead to any other file.
    let path = output.files.path(of: pack, archive: expected.archive, in: settings.container)
    let source = joined(folder, path)
    if archive == nil { try copyFolder(source, to: staged) } else { try copyFile(source, to: staged) }
    let published = PublishedPack(
      digest: expected.digest, archive: PublishedFile(path: staged, file: expected.archive))
    guard expected.digest == shardPack.published.digest,
      try OutputFolder(".", files: output.files).isIntact(published, infoPlist: settings.info(of: pack))
    else {
      throw Refusal(
        shard: folder,
        message:
          "\(quoted(source)) does not match its description in \(quoted(folder)); build the shard again")
    }
    return written(try packedSizes(of: files, at: staged))
  }

  private func digests(of files: [AssetFile], in pack: ShardContents.Pack) -> [Digest] {
    let digests = Dictionary(pack.files.map { (ByteKey($0.path), $0.digest) }) { first, _ in first }
    return files.map { digests[ByteKey($0.packPath)] ?? .zero }
  }

  /// Returns the compressed sizes that the file list will contain; nil if the layout or the container has no
  /// list with compressed sizes.
  private func packedSizes(of files: [AssetFile], at path: String) throws -> [Int64]? {
    guard settings.container == .zip, settings.layout.hasIndex else { return nil }
    do {
      var layout = StrictZipReader(try InputFile(path))
      let entries = try layout.checkEntries(count: files.count) {
        StrictZipReader.Expected(name: Array(files[$0].packPath.utf8)[...], size: files[$0].size)
      }
      return entries.map(\.compressedSize)
    } catch let mistake as ArchiveFormatError {
      if let cause = mistake.cause { throw cause }
      throw Refusal(
        shard: path, message: "\(quoted(path)) is damaged: \(mistake.reason); build the shard again")
    }
  }

  private func copyFile(_ source: String, to staged: String) throws {
    switch try FileOperations.statusIfThere(source, symlinks: RunScope.current.symlinks)?.kind {
    case .file: break
    case nil, .link:
      throw Refusal(shard: source, message: "\(quoted(source)) is missing; build the shard again")
    default: throw Refusal(shard: source, message: "\(quoted(source)) is not a file")
    }
    do throws(SystemError) {
      try FileOperations.copy(source, toNew: staged, symlinks: RunScope.current.symlinks)
    } catch {
      guard error.isMissing || error.isLink else { throw error }
      throw Refusal(shard: source, message: "\(quoted(source)) is missing; build the shard again")
    }
    try FileOperations.publish(file: staged)
  }

  private func copyFolder(_ source: String, to staged: String) throws {
    let symlinks = RunScope.current.symlinks
    guard let status = try FileOperations.statusIfThere(source, symlinks: symlinks), status.kind == .folder
    else {
      throw Refusal(shard: source, message: "\(quoted(source)) is missing; build the shard again")
    }
    try FileOperations.makeFolder(staged)
    try FileOperations.publish(folder: staged)
    var folders = [(path: staged, modified: status.modified)]
    var walk = FolderWalk(try Folder(source, symlinks: symlinks), symlinks: symlinks)
    while let entry = try walk.next() {
      guard let name = String(validating: entry.path, as: UTF8.self) else {
        throw Refusal(
          shard: source, message: "the folder \(quoted(source)) contains a file whose name is not UTF-8")
      }
      let (path, target) = ("\(source)/\(name)", "\(staged)/\(name)")
      if entry.status.kind == .folder {
        try FileOperations.makeFolder(target)
        try FileOperations.publish(folder: target)
        folders.append((target, entry.status.modified))
      } else {
        try copyFile(path, to: target)
      }
    }
    // Times of folders are set after their files have been written, because writing changes them.
    for folder in folders.reversed() {
      try FileOperations.setModificationTime(of: folder.path, nanoseconds: folder.modified)
    }
  }
}

/// The plan and settings of all shards of a build.
struct MergedShards: Sendable {
  let plan: PackPlan
  let settings: PackSettings
  /// For each pack in the plan's order, its description and the folder of its shard.
  let packs: [(folder: String, pack: ShardContents.Pack)]

  /// Combines the shards of a build.
  ///
  /// - Throws: `Refusal` if shards are from different builds, or if one is missing.
  init(_ shards: [ShardContents]) throws {
    guard let first = shards.first else { throw Refusal(shard: ".", message: "there are no shards to merge") }
    if first.shard == .manifest {
      throw Refusal(
        shard: first.folder,
        message:
          "\(quoted(first.folder)) is a shard of a manifest for some packs; name the manifest of the release "
          + "with --manifest")
    }
    try Self.expectSameBuild(shards)
    try Self.expectAllShards(shards)
    let all = shards.flatMap { shard in shard.packs.map { (folder: shard.folder, pack: $0) } }
    guard let profile = LimitProfile.named(first.limits) else {
      throw Refusal(
        shard: first.folder,
        message:
          "\(quoted(first.folder)) was built with the limits \(quoted(first.limits)), which this packtool "
          + "does not know"
      )
    }
    var manifest = first.manifest
    manifest.limits.profile = profile
    plan = PackPlan(grouping: Self.tree(of: all.map(\.pack), untagged: first.untagged), of: manifest)
    settings = first.settings
    let found = Dictionary(all.map { ($0.pack.identifier, $0) }) { first, _ in first }
    packs = plan.packs.compactMap { found[$0.identity.identifier] }
    guard plan.digest == first.plan, packs.count == plan.packs.count, all.count == plan.packs.count else {
      throw Refusal(
        shard: first.folder,
        message: "the shards together are not the whole build that they are parts of; build all shards again")
    }
    let changes = settings.key(for: manifest).changes(since: first.key)
    if !changes.isEmpty { throw Refusal(shard: first.folder, otherSettings: changes) }
  }

  /// Combines the shards of manifests that describe only some packs, for the release of another manifest.
  ///
  /// - Throws: `Refusal` if shards have different settings or the same packs.
  init(_ shards: [ShardContents], of manifest: Manifest) throws {
    guard let first = shards.first else { throw Refusal(shard: ".", message: "there are no shards to merge") }
    try Self.expectPacks(shards, of: manifest)
    let all = shards.flatMap { shard in shard.packs.map { (folder: shard.folder, pack: $0) } }
    try Self.expectDifferentPacks(all)
    var manifest = manifest
    manifest.layoutRules = LayoutChoice(layout: first.settings.layout).rules
    manifest.layoutRules.add(manifest.limits.profile)
    plan = PackPlan(grouping: Self.tree(of: all.map(\.pack), untagged: FileCount()), of: manifest)
    settings = first.settings
    let found = Dictionary(all.map { ($0.pack.identifier, $0) }) { first, _ in first }
    packs = plan.packs.compactMap { found[$0.identity.identifier] }
    guard packs.count == plan.packs.count, all.count == plan.packs.count else {
      throw Refusal(
        shard: first.folder,
        message: "the identifiers of packs do not match their tags; build the shards again"
      )
    }
    let changes = settings.key(for: manifest).changes(since: first.key)
    if !changes.isEmpty { throw Refusal(shard: first.folder, otherSettings: changes) }
  }

  /// Returns the layout that publishes the merged build.
  ///
  /// Only layouts with an index support signatures.
  fileprivate func layout(_ signing: Signing?, leaving state: OutputState) throws -> any PackLayout {
    if signing != nil, !settings.layout.hasIndex {
      let layout = quoted(settings.layout.rawValue)
      throw Refusal(
        shard: packs.first?.folder ?? ".",
        message: "the shards have the layout \(layout), which cannot be signed")
    }
    return try LayoutChoice(layout: settings.layout).packLayout(
      for: plan, settings: settings.leaving(state), signing: signing, output: nil)
  }

  /// Throws unless all shards have packs of the same app with the same settings, and are not parts of a plan.
  private static func expectPacks(_ shards: [ShardContents], of manifest: Manifest) throws {
    for shard in shards {
      if case .part(let part) = shard.shard {
        throw Refusal(
          shard: shard.folder,
          message:
            "\(quoted(shard.folder)) is shard \(part.number) of \(part.count) of one manifest; merge such "
            + "shards without --manifest")
      }
      let own = shard.manifest.bundleIdentifier
      if own != manifest.bundleIdentifier {
        throw Refusal(
          shard: shard.folder,
          message:
            "\(quoted(shard.folder)) has packs of \(quoted(own)), not of \(quoted(manifest.bundleIdentifier))"
        )
      }
      try expectSameSettings(shards[0], as: shard)
      if shard.shared != shards[0].shared {
        throw Refusal(
          shard: shard.folder,
          message:
            "\(quoted(shards[0].folder)) and \(quoted(shard.folder)) were made with different settings of "
            + "the layout, such as layout.embedPacks or layout.urlPrefix; build both with the same flags")
      }
    }
  }

  private static func expectDifferentPacks(_ packs: [(folder: String, pack: ShardContents.Pack)]) throws {
    var folders: [String: String] = [:]
    for (folder, pack) in packs {
      guard let other = folders.updateValue(folder, forKey: pack.identifier) else { continue }
      throw Refusal(
        shard: folder,
        message: "\(quoted(other)) and \(quoted(folder)) both have the pack of \(setNotation(pack.tags))")
    }
  }

  private static func expectSameSettings(_ first: ShardContents, as shard: ShardContents) throws {
    let changes = shard.key.changes(since: first.key)
    if changes.isEmpty { return }
    throw Refusal(
      shard: shard.folder,
      message:
        "\(quoted(first.folder)) and \(quoted(shard.folder)) were made with different settings: "
        + "\(changes.map(\.comparison).joined(separator: "; "))")
  }

  private static func expectSameBuild(_ shards: [ShardContents]) throws {
    let first = shards[0]
    for shard in shards.dropFirst() {
      let pair = "\(quoted(first.folder)) and \(quoted(shard.folder))"
      try expectSameSettings(first, as: shard)
      guard shard.plan == first.plan, shard.shared == first.shared else {
        throw Refusal(
          shard: shard.folder,
          message: "\(pair) were made from different plans; build all shards from the same manifest and files"
        )
      }
      if let part = shard.part, let other = first.part, part.count != other.count {
        throw Refusal(
          shard: shard.folder,
          message:
            "\(quoted(first.folder)) is one of \(other.count) shards, but \(quoted(shard.folder)) is "
            + "one of \(part.count) shards"
        )
      }
    }
  }

  private static func expectAllShards(_ shards: [ShardContents]) throws {
    var folders: [Int: String] = [:]
    for shard in shards {
      guard let part = shard.part else { continue }
      if let other = folders.updateValue(shard.folder, forKey: part.number) {
        let message =
          other == shard.folder
          ? "\(quoted(other)) is given twice; give each shard once"
          : "\(quoted(other)) and \(quoted(shard.folder)) are both shard \(part.number) of \(part.count)"
        throw Refusal(shard: shard.folder, message: message)
      }
    }
    let count = shards[0].part?.count ?? 1
    let missing = (1...count).filter { folders[$0] == nil }
    if missing.isEmpty { return }
    let names = missing.prefix(10).map { "\($0)/\(count)" }.joined(separator: ", ")
    let more = missing.count > 10 ? " and \(missing.count - 10) more" : ""
    throw Refusal(
      shard: shards[0].folder,
      message:
        "\(missing.count == 1 ? "shard" : "shards") \(names)\(more) \(missing.count == 1 ? "is" : "are") "
        + "missing"
    )
  }

  private static func tree(of packs: [ShardContents.Pack], untagged: FileCount) -> AssetTree {
    var tagSets = TagSets(of: packs.flatMap(\.tags))
    var files: [AssetFile] = []
    for pack in packs {
      let set = tagSets.id(of: pack.tags)
      // No real file has this stamp, so the next build compares the contents of the files.
      let stamp = FileStamp(
        modified: pack.modified, changed: 0, identity: FileIdentity(device: 0, inode: 0))
      for file in pack.files {
        files.append(
          AssetFile(
            path: file.source ?? file.path, size: file.size, stamp: stamp, tagSet: set,
            destination: file.source == nil ? nil : file.path))
      }
    }
    var tree = AssetTree(files: FileList(files.sorted { $0.path.precedesInBytes($1.path) }), tagSets: tagSets)
    tree.untagged = untagged
    return tree
  }
}

extension ShardContents {
  /// The number of the shard in its plan; nil if the shard is not a part of a plan.
  fileprivate var part: Shard? { if case .part(let part) = shard { part } else { nil } }
}

extension Refusal {
  /// Creates a refusal for shards that this version of packtool, or the release's manifest, does not fit.
  fileprivate init(shard folder: String, otherSettings changes: [SettingsKey.Change]) {
    self.init(
      shard: folder,
      message:
        "the shards were made with settings or versions that are different now: "
        + "\(changes.map(\.words).joined(separator: "; "))")
  }
}
