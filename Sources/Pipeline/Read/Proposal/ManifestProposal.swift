package import Formats
package import Model
package import System

/// A manifest that a person might write for a folder of assets.
///
/// The user is expected to read and improve it.
package struct ManifestProposal: Sendable {
  /// The manifest.
  ///
  /// It has no text and no positions, because it was not read from a file.
  package private(set) var manifest: Manifest
  package private(set) var rules: [ProposedRule]
  /// Folders that get no tags, with the reason for each folder.
  package private(set) var kept: [KeptFolder]
  /// A tag that an app can start with if no name shows what it needs first; nil if there are no tags.
  var firstTag: String?
  /// The largest tag of files that are not a part of a family; nil if there is none.
  private let mainTag: String?
  /// The paths, relative to the root, of files that are excluded because they would cause errors.
  package private(set) var leftOut: [String] = []

  /// The number and total size of the files that are in the scanned folder but outside the proposed root.
  package let outside: (count: Int, size: Int64)

  /// The file suffixes of image and 3D editors.
  ///
  /// Apps do not read such source files.
  private static let sourceSuffixes = ["psd", "xcf", "kra", "blend", "blend1", "aseprite", "ai", "fla"]
  /// A game engine.
  private struct Engine {
    let name: String
    /// The name of the file that identifies a project of this engine.
    let mark: String
    /// The folders that contain files which the engine can generate again.
    let caches: [String]
  }

  private static let engines = [
    Engine(
      name: "Unity", mark: "ProjectSettings/ProjectVersion.txt",
      caches: ["Library", "Temp", "Logs", "UserSettings", "ProjectSettings"]),
    Engine(name: "Godot", mark: "project.godot", caches: [".godot", ".import"]),
    Engine(
      name: "Unreal", mark: ".uproject", caches: ["DerivedDataCache", "Intermediate", "Saved", "Binaries"]),
  ]
  /// The name of the game engine if the folder is a project of an engine; otherwise nil.
  package private(set) var engine: String?

  private static let maxLeftOut = 100

  /// Proposes a manifest for the files below a folder; nil if no rule can be proposed.
  ///
  /// `start` is the path of the folder relative to the manifest.
  package init?(
    folder: String, manifestPath: String, folderPathFromManifest start: String = ".",
    bundleIdentifier: String, jobs: Int
  ) throws(SystemError) {
    let empty = SourceText(path: manifestPath, bytes: [])
    let scan = try AssetScan(
      of: Manifest(text: empty, folder: folder), leavingOut: nil, jobs: jobs, untagged: .listed)
    var files = (scan.tree?.untaggedFiles ?? []).filter { $0.path != lastName(of: manifestPath) }
    let engine = Self.engines.first { engine in files.contains { $0.isMark(engine.mark) } }
    let caches = engine?.caches ?? []
    files.removeAll { file in caches.contains { file.path.hasPrefix("\($0)/") } }
    let unpacked = Self.foldersThatAreNotAssets(in: files).union(
      try Self.folderLinks(below: folder))
    files.removeAll { file in unpacked.contains { file.path.hasPrefix("\($0)/") } }
    let root = Self.rootPath(of: files)
    let front = root.isEmpty ? "" : root + "/"
    var below = files.filter { $0.path.hasPrefix(front) }.map {
      UntaggedFile(path: String($0.path.dropFirst(front.count)), size: $0.size)
    }
    let size = files.reduce(0) { $0 + $1.size } - below.reduce(0) { $0 + $1.size }
    outside = (files.count - below.count, size)
    let unused = Set(below.map { names(in: $0.path)[0] }.filter(TagWords.isUnused))
    below.removeAll { file in unused.contains { file.path.hasPrefix("\($0)/") } }
    // The argument can be ".", so the name is that of the folder itself.
    let real = try FileOperations.realPath(of: folder)
    let name = root.isEmpty ? lastName(of: String(decoding: real, as: UTF8.self)) : lastName(of: root)
    let proposal = RuleProposal(
      FolderTree(of: below), of: below,
      noun: TagWords.isGeneric(name) || TagWords.singular(name) == TagWords.title(name)
        ? "Part" : TagWords.singular(name))
    if proposal.rules.isEmpty { return nil }
    rules = proposal.rules
    kept = proposal.kept
    mainTag = proposal.mainTag
    var manifest = Manifest(text: empty, folder: folderPath(of: manifestPath))
    manifest.bundleIdentifier = bundleIdentifier
    manifest.root = Located(joined(start, root), at: 0)
    manifest.rules = proposal.rules.map(\.rule)
    let suffixes = Set(below.compactMap { $0.path.split(separator: ".").last?.lowercased() })
    manifest.excludes = Self.sourceSuffixes.filter(suffixes.contains).compactMap { try? Glob("**/*.\($0)") }
    let hidden =
      unpacked.filter { $0.hasPrefix(front) }.map { String($0.dropFirst(front.count)) } + unused
    manifest.excludes += hidden.sorted().prefix(Self.maxLeftOut).compactMap { Glob.escaping($0) }
    for cache in caches where root.isEmpty {
      if let glob = try? Glob("\(cache)/**"),
        try FileOperations.exists(joined(folder, cache), symlinks: .notFollowed)
      {
        manifest.excludes.append(glob)
      }
    }
    self.engine = engine?.name
    manifest.initialInstallTags = proposal.initialInstallTags.map { Located($0, at: 0) }
    manifest.prefetchTagOrder = proposal.prefetchTagOrder.map { Located($0, at: 0) }
    for tag in proposal.initialInstallTags + proposal.prefetchTagOrder { manifest.firstOffsets[tag] = 0 }
    self.manifest = manifest
  }

  /// The paths of folders that never contain assets of an app: products of builds, caches of programs, and the
  /// documentation and icons of an installed program.
  private static func foldersThatAreNotAssets(in files: [UntaggedFile]) -> Set<String> {
    var found: Set<String> = []
    let isProject = files.contains { file in TagWords.marksProject(names(in: file.path)[0]) }
    for file in files {
      let folders = names(in: file.path).dropLast()
      for (depth, name) in folders.enumerated()
      where TagWords.isCache(name)
        || (depth == 0 && isProject && TagWords.isBuildProduct(name))
        || (depth > 0 && folders[depth - 1] == "share" && TagWords.accompaniesAssets(name))
      {
        found.insert(folders.prefix(depth + 1).joined(separator: "/"))
        break
      }
    }
    return found
  }

  /// The paths of symlinks to folders that are also below the scanned folder.
  ///
  /// A rule for the folder above would otherwise pack the same files again. Folders that cannot be read contain no
  /// such symlinks; the scan reports these folders.
  private static func folderLinks(below folder: String) throws(SystemError) -> Set<String> {
    let whole = try RealPath(of: folder)
    var links: Set<String> = []
    var walk = FolderWalk(try Folder(folder))
    while let entry = try? walk.next() {
      let path = String(decoding: entry.path, as: UTF8.self), place = joined(folder, path)
      if entry.status.kind == .link, let target = try? FileOperations.statusIfThere(place),
        target.kind == .folder, let real = try? RealPath(of: place), whole.contains(real)
      {
        links.insert(path)
      }
    }
    return links
  }

  /// The path of the root: in a project with sources, the folder with its assets; otherwise the folder below
  /// which almost all files are.
  private static func rootPath(of files: [UntaggedFile]) -> String {
    guard let assets = assetFolder(of: files) else { return FolderTree(of: files).rootPath }
    let front = assets + "/"
    let below = files.filter { $0.path.hasPrefix(front) }.map {
      UntaggedFile(path: String($0.path.dropFirst(front.count)), size: $0.size)
    }
    let inner = FolderTree(of: below).rootPath
    return inner.isEmpty ? assets : joined(below: assets, rest: inner)
  }

  /// The folder with the assets of a project with sources; nil for other folders.
  private static func assetFolder(of files: [UntaggedFile]) -> String? {
    guard files.contains(where: { TagWords.marksProject(names(in: $0.path)[0]) }) else { return nil }
    var sizes: [String: Int64] = [:]
    for file in files {
      let folders = names(in: file.path).dropLast().prefix(maxAssetDepth)
      guard let depth = folders.firstIndex(where: TagWords.holdsAssets) else { continue }
      let path = folders.prefix(through: depth).joined(separator: "/")
      sizes[path, default: 0] = (sizes[path] ?? 0).saturatingSum(with: file.size)
    }
    return sizes.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
  }

  /// The maximum depth of the folder with the assets of a project.
  private static let maxAssetDepth = 5

  /// Returns the proposal without the files about which there are errors; nil if no files or too many files
  /// have errors.
  package func leavingOut(filesOf errors: [Diagnostic]) -> ManifestProposal? {
    var paths: [String] = []
    for error in errors
    where error.severity == .error && manifest.holdsPath(error.place.path)
      && error.place.path != manifest.text.path
    {
      let path = manifest.pathBelowRoot(error.place.path)
      if !path.isEmpty, !paths.contains(path), !leftOut.contains(path) { paths.append(path) }
    }
    // The order of findings depends on the threads that find them.
    paths.sort { $0.precedesInBytes($1) }
    guard !paths.isEmpty, paths.count + leftOut.count <= Self.maxLeftOut else { return nil }
    var proposal = self
    proposal.leftOut += paths
    for path in paths {
      guard let glob = Glob.escaping(path) else { return nil }
      proposal.manifest.excludes.append(glob)
    }
    return proposal
  }

  /// Returns a proposal without its own findings; nil if there are no findings about the proposal itself.
  ///
  /// `tags` are all tags that files get from the proposal.
  func avoiding(_ findings: [Diagnostic], tags: [String]) -> ManifestProposal? {
    var proposal = self
    var isChanged = false
    for finding in findings {
      switch finding.check {
      case .everythingInitial where proposal.manifest.initialInstallTags.count > 1:
        // One tag is enough for the first screen, and devices download the others immediately afterwards.
        let first = mainTag ?? manifest.initialInstallTags[0].value
        proposal.manifest.prefetchTagOrder.insert(
          contentsOf: manifest.initialInstallTags.filter { $0.value != first }, at: 0)
        proposal.manifest.initialInstallTags.removeAll { $0.value != first }
        isChanged = true
      case .untaggedFolder:
        let path = manifest.pathBelowRoot(finding.place.path)
        if proposal.addToInitialInstall(folder: path) { isChanged = true }
      case .appBundleSize where finding.severity == .note && manifest.initialInstallTags.isEmpty:
        // An app that has all its files in packs needs one of them to start.
        guard proposal.manifest.initialInstallTags.isEmpty, let first = firstTag,
          !manifest.prefetchTagOrder.contains(where: { $0.value == first })
        else { continue }
        proposal.manifest.initialInstallTags = [Located(first, at: 0)]
        proposal.manifest.firstOffsets[first] = 0
        isChanged = true
      case .similarTag:
        if proposal.removeSimilarTag(among: tags) { isChanged = true }
      default: continue
      }
    }
    return isChanged ? proposal : nil
  }

  /// Replaces the tag of one rule that is similar to another tag, and returns whether there was such a tag.
  ///
  /// The rules of folders such as `sound` and `sounds` get the same tag, because a person would not keep these tags
  /// apart. If the other tag is generated from names, the tag of the rule gets another name.
  private mutating func removeSimilarTag(among tags: [String]) -> Bool {
    for (number, rule) in rules.enumerated() {
      guard let tag = rule.rule.tags.first?.value, let form = TagTypo.Form(tag) else { continue }
      let similar = tags.filter { other in
        other != tag && TagTypo.Form(other).map { TagTypo.evidence(form, $0) != nil } == true
      }
      guard let other = similar.first else { continue }
      let isOfRule = rules.contains { $0.rule.tags.first?.value == other }
      replaceTag(ofRule: number, by: isOfRule ? other : "\(tag) Files")
      return true
    }
    return false
  }

  private mutating func replaceTag(ofRule number: Int, by tag: String) {
    guard let old = rules[number].rule.tags.first?.value else { return }
    rules[number] = rules[number].tagged(tag)
    manifest.rules[number] = rules[number].rule
    let isStillUsed = rules.contains { $0.rule.tags.first?.value == old }
    for list in [\Manifest.initialInstallTags, \Manifest.prefetchTagOrder] where !isStillUsed {
      manifest[keyPath: list] = manifest[keyPath: list].map { $0.value == old ? Located(tag, at: 0) : $0 }
    }
    // Both lists can contain the other tag now; a tag is in one list, once.
    var known: Set<String> = []
    manifest.initialInstallTags = manifest.initialInstallTags.filter { known.insert($0.value).inserted }
    manifest.prefetchTagOrder = manifest.prefetchTagOrder.filter { known.insert($0.value).inserted }
    manifest.firstOffsets[tag] = 0
  }

  /// Adds a folder without tags to the initial install, and returns whether this was possible.
  ///
  /// Such a folder among folders with tags looks forgotten. If there is a rule for a folder next to it with a tag in
  /// the initial install, this rule also takes the folder. Otherwise, the folder gets a tag.
  private mutating func addToInitialInstall(folder path: String) -> Bool {
    let initial = Set(manifest.initialInstallTags.map(\.value))
    let (parent, name) = (folderPath(of: path), lastName(of: path))
    let neighbor = rules.indices.last { index in
      guard case .path = rules[index].rule.pattern, let tag = rules[index].rule.tags.first else {
        return false
      }
      let folder = rules[index].rule.text.value
      return initial.contains(tag.value) && folder != "." && folderPath(of: folder) == parent
    }
    let names = neighbor.map { [lastName(of: rules[$0].rule.text.value), name].sorted() } ?? []
    if let neighbor, names.allSatisfy({ Glob.isPlain($0) && !$0.contains(",") }), Glob.isPlain(parent),
      let rule = ProposedRule(
        glob: joined(parent, "{\(names.joined(separator: ","))}/**"), tag: rules[neighbor].rule.tags[0].value,
        reason: "folders")
    {
      rules[neighbor] = rule.except(rules[neighbor].rule.excepts.map(\.value.text))
      manifest.rules[neighbor] = rules[neighbor].rule
    } else {
      let tag = TagWords.title(name)
      guard !rules.contains(where: { $0.rule.tags.contains { $0.value == tag } }),
        let rule = ProposedRule(
          folder: path, tag: tag, reason: kept.first { $0.path == path }?.reason ?? "a folder")
      else { return false }
      rules.append(rule)
      manifest.rules.append(rule.rule)
      manifest.initialInstallTags.append(Located(tag, at: 0))
      manifest.firstOffsets[tag] = 0
    }
    kept.removeAll { $0.path == path }
    return true
  }

  /// Returns the proposal with only these tags in its lists; nil if the lists contain no other tags.
  package func listing(only tags: Set<String>) -> ManifestProposal? {
    let listed = manifest.initialInstallTags + manifest.prefetchTagOrder
    if listed.allSatisfy({ tags.contains($0.value) }) { return nil }
    var proposal = self
    proposal.manifest.initialInstallTags.removeAll { !tags.contains($0.value) }
    proposal.manifest.prefetchTagOrder.removeAll { !tags.contains($0.value) }
    return proposal
  }
}

/// A proposed manifest as packtool would read it, with the resulting plan and the findings of all checks.
package struct ProposedPlan: Sendable {
  package private(set) var proposal: ManifestProposal
  /// The manifest's text, exactly as packtool writes it to a file.
  package let text: ByteBuffer
  package let source: SourceText
  package private(set) var plan: PackPlan?
  package private(set) var findings: [Diagnostic]
  /// The share of each rule of the proposal.
  package private(set) var shares: [RuleShare] = []

  /// The number and total size of the files to which one rule assigns tags.
  package struct RuleShare: Sendable {
    package fileprivate(set) var tags: Set<String> = []
    package fileprivate(set) var fileCount = 0
    /// The total size of the files in bytes.
    package fileprivate(set) var size: Int64 = 0
  }

  /// The maximum number of rounds in which files are excluded.
  ///
  /// Excluding some files can reveal errors about other files.
  private static let maxRounds = 4

  /// Makes the plan of a proposal, and excludes files that would cause errors.
  package init(_ proposal: ManifestProposal, manifestPath: String, schemaPath: String?, jobs: Int)
    throws(SystemError)
  {
    var round = try ProposedPlan(
      reading: proposal, manifestPath: manifestPath, schemaPath: schemaPath, jobs: jobs)
    for _ in 0..<Self.maxRounds {
      let carried = Set(round.plan?.tags.map(\.name) ?? [])
      guard
        let less = round.proposal.leavingOut(filesOf: round.findings) ?? round.proposal.listing(only: carried)
      else { break }
      round = try ProposedPlan(reading: less, manifestPath: manifestPath, schemaPath: schemaPath, jobs: jobs)
    }
    round.proposal.firstTag = round.plan?.tags.map(\.name).min {
      (TagWords.rankAsFirst($0), $0) < (TagWords.rankAsFirst($1), $1)
    }
    for _ in 0..<Self.maxRounds {
      let tags = round.plan?.tags.map(\.name) ?? []
      guard let better = round.proposal.avoiding(round.findings, tags: tags) else { break }
      round = try ProposedPlan(
        reading: better, manifestPath: manifestPath, schemaPath: schemaPath, jobs: jobs)
    }
    round.shares = round.plan.map { Self.shares(of: round.proposal.rules, in: $0) } ?? []
    self = round
  }

  private init(
    reading proposal: ManifestProposal, manifestPath: String, schemaPath: String?, jobs: Int
  ) throws(SystemError) {
    self.proposal = proposal
    text = proposal.manifest.formatted(root: proposal.manifest.root.value, schema: schemaPath)
    source = SourceText(path: manifestPath, bytes: text.array())
    let reader = ManifestReader(text: source)
    findings = reader.diagnostics
    guard let manifest = reader.manifest else { return }
    let scan = try AssetScan(of: manifest, leavingOut: nil, jobs: jobs)
    findings += scan.diagnostics
    guard let tree = scan.tree, let root = scan.root else { return }
    let plan = PackPlan(grouping: tree, of: manifest)
    self.plan = plan
    findings += try plan.findings(root: root, jobs: jobs) + plan.contentFindings(root: root, jobs: jobs)
  }

  private static func shares(of rules: [ProposedRule], in plan: PackPlan) -> [RuleShare] {
    let index = RuleMatcher(plan.manifest)
    let numbers = Dictionary(rules.enumerated().map { ($1.rule.text.value, $0) }) { first, _ in first }
    var shares = Array(repeating: RuleShare(), count: rules.count)
    for file in plan.tree.files {
      for rule in index.trace(file.path).rules {
        guard let number = numbers[rule.text.value] else { continue }
        shares[number].tags.formUnion(rule.tags.map(\.value) + rule.generatedTags(for: file.path))
        shares[number].fileCount += 1
        shares[number].size = shares[number].size.saturatingSum(with: file.size)
      }
    }
    return shares
  }
}

/// A rule of a proposal, with the reason for it.
package struct ProposedRule: Sendable {
  /// The rule as a manifest would contain it.
  ///
  /// It has no positions, because it was not read from a text.
  package private(set) var rule: ResourceRule
  /// The reason for the rule, worded as the end of an output line.
  package let reason: String

  init?(folder path: String, tag: String, reason: String) {
    guard let path = try? RelativePath(path.isEmpty ? "." : path), StringFormat.tag.mistake(in: tag) == nil
    else {
      return nil
    }
    rule = ResourceRule(pattern: .path(path), text: Located(path.text, at: 0), tags: [Located(tag, at: 0)])
    self.reason = reason
  }

  /// Creates a rule with a glob that has a template or a tag; nil if the glob is not valid.
  init?(glob text: String, template: String? = nil, tag: String? = nil, reason: String) {
    guard let glob = try? Glob(text),
      let rule = ResourceRule(
        glob: glob, text: Located(text, at: 0), tags: tag.map { [Located($0, at: 0)] } ?? [],
        templates: template.map { [Located($0, at: 0)] } ?? [])
    else { return nil }
    self.rule = rule
    self.reason = reason
  }

  /// Returns the rule with this tag instead of its tags.
  func tagged(_ tag: String) -> ProposedRule {
    var rule = self
    rule.rule.tags = [Located(tag, at: 0)]
    return rule
  }

  /// Returns the rule without the files that some globs match.
  func except(_ globs: [String]) -> ProposedRule {
    var rule = self
    let known = Set(self.rule.excepts.map(\.value.text))
    rule.rule.excepts += globs.filter { !known.contains($0) }.compactMap { try? Glob($0) }.map {
      Located($0, at: 0)
    }
    return rule
  }
}

extension UntaggedFile {
  /// Whether the file identifies an engine's project: its path ends with `mark`, and it is in the top folder.
  fileprivate func isMark(_ mark: String) -> Bool {
    path.hasSuffix(mark) && !path.dropLast(mark.utf8.count).contains("/")
  }
}

/// A folder that stays in the app bundle.
package struct KeptFolder: Sendable {
  /// The path relative to the root.
  ///
  /// If it ends in `/*`, it stands only for the files that are directly in the folder.
  package let path: String
  package let fileCount: Int
  /// The size of the files in bytes.
  package let size: Int64
  /// The reason why the folder stays in the app bundle, worded as the end of an output line.
  package let reason: String
}

extension Manifest {
  private var rootPrefix: String { rootPath == "." ? "" : rootPath + "/" }

  /// Whether a path, as findings contain it, is below the root.
  fileprivate func holdsPath(_ path: String) -> Bool { path.hasPrefix(rootPrefix) }

  /// Returns a path below the root, as findings contain it, relative to the root.
  fileprivate func pathBelowRoot(_ path: String) -> String {
    String(path.dropFirst(rootPrefix.count))
  }
}
