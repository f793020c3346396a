package import Formats
package import Model
package import System

/// Converts manifests of `ba-package` into one packtool manifest.
///
/// Each pack becomes a tag whose name is the pack's id.
package struct BackgroundImporter {
  /// The manifest; nil if the input cannot be converted.
  private var manifest: Manifest?
  private var findings = FindingList()
  /// The versions of packs on the developer's own server, and the packs' data for the app.
  package private(set) var versions: [String: PackLockfile.Entry] = [:]
  private let keepsVersions: Bool
  /// The platforms of the packs; empty for all platforms.
  package private(set) var platforms: [AssetPlatform] = []
  /// Whether some packs have a language.
  package var hasLanguages: Bool { manifest?.languages.isEmpty == false }
  /// The texts of all manifests that were read, joined into one text.
  private var text: SourceText?
  /// The result in the form that all manifest sources return.
  package var reading: ManifestSource.Reading {
    ManifestSource.Reading(
      manifest: manifest, findings: findings.findings, text: text, settingsWithoutKey: [])
  }

  /// The id of each pack, keyed by the pack's tag.
  package var ids: [String: String] {
    Dictionary((manifest?.rules ?? []).flatMap { $0.tags.map { ($0.value, $0.value) } }) { first, _ in first }
  }

  /// The placeholder for the app's bundle identifier, because a `ba-package` manifest does not contain the
  /// identifier.
  package static let placeholder = "com.example.app"

  /// Whether an argument is a manifest of `ba-package` or a download manifest.
  ///
  /// These are JSON files that contain a pack's id or a list of packs.
  package static func isOne(_ argument: String) throws(SystemError) -> Bool {
    guard argument.hasSuffix(".json"),
      case .bytes(let bytes) = try FileContents(of: argument, limit: BackgroundManifestReader.maxSize)
    else { return false }
    let text = SourceText(path: argument, bytes: bytes, hasComments: true)
    let value = JSONReader.read(text).value
    return value?.member("assetPackID") != nil || value?.member("assetPacks") != nil
  }

  /// Reads manifests.
  ///
  /// If a manifest has no source root, its selectors are relative to `folder`. If one of the files is a
  /// download manifest, the packs are on the developer's own server, and this file states their versions.
  package init(
    manifestsAt paths: [String], selectorsRelativeTo folder: String, keepsVersions: Bool = false
  ) throws(SystemError) {
    self.keepsVersions = keepsVersions
    var packs: [ImportedPack] = []
    var files: [String] = []
    for path in paths where try !readVersions(path) { files.append(path) }
    for path in files {
      if let pack = try read(path, folder: folder) { packs.append(pack) }
    }
    reportCollisions(of: packs)
    if findings.findings.hasErrors || packs.isEmpty { return }
    let isOwnServer = !versions.isEmpty
    for pack in packs where isOwnServer || pack.manifest.userInfo != nil {
      versions[pack.id, default: PackLockfile.Entry(version: 0)].userInfo = pack.manifest.userInfo
    }
    try makeManifest(of: packs)
  }

  /// Reports packs whose ids are equal or differ only in case, because an id is the name of a folder.
  private mutating func reportCollisions(of packs: [ImportedPack]) {
    var first: [String: ImportedPack] = [:]
    for pack in packs {
      guard let other = first.updateValue(pack, forKey: pack.id.lowercased()) else { continue }
      let message =
        other.id.isSameInBytes(as: pack.id)
        ? "\(quoted(other.path)) also has the id \(quoted(pack.id)); give one of the packs another id"
        : "the id \(quoted(pack.id)) differs from \(quoted(other.id)) in \(quoted(other.path)) only in case, "
          + "but ids are also the names of folders; give one of the packs another id"
      report(.identifierCollision, message: message, at: place(pack.manifest.places.id, in: pack))
    }
  }

  /// Reads the versions in a download manifest; returns false if the file is not a download manifest.
  private mutating func readVersions(_ path: String) throws(SystemError) -> Bool {
    guard case .bytes(let bytes) = try FileContents(of: path, limit: DownloadManifest.maxSize),
      JSONReader.read(SourceText(path: path, bytes: bytes)).value?.member("assetPacks") != nil,
      let downloads = try DownloadManifest(reading: path)
    else { return false }
    findings.add(downloads.diagnostics)
    for pack in downloads.packs {
      if let mistake = AssetPackID.mistake(in: pack.id, host: .ownServer) {
        report(.invalidPackID, message: "the id \(quoted(pack.id)) \(mistake)", at: Place(path))
      }
      var entry = PackLockfile.Entry(version: pack.version)
      (entry.downloadSize, entry.userInfo) = (pack.downloadSize, pack.userInfo)
      versions[pack.id] = entry
    }
    return true
  }

  private mutating func read(_ path: String, folder: String) throws(SystemError) -> ImportedPack? {
    guard case .bytes(let bytes) = try FileContents(of: path, limit: BackgroundManifestReader.maxSize) else {
      report(
        .missingManifest,
        message:
          "\(quoted(path)) is not a regular file, or is too long", at: Place(path))
      return nil
    }
    let own = SourceText(path: path, bytes: bytes, hasComments: true)
    let reader = BackgroundManifestReader(text: own, packHost: versions.isEmpty ? .apple : .ownServer)
    let start = text?.append(own) ?? 0
    if text == nil { text = own }
    findings.add(reader.diagnostics.map { $0.check == .invalidPackID ? $0.with(severity: .warning) : $0 })
    guard let manifest = reader.manifest else { return nil }
    let base = manifest.sourceRoot.map { joined(folderPath(of: path), $0) } ?? folder
    guard try FileOperations.statusIfThere(base)?.kind == .folder else {
      let message = "the folder \(quoted(base)), which the selectors are relative to, does not exist"
      report(.invalidPath, message: message, at: Place(path))
      return nil
    }
    let real = try FileOperations.realPath(of: base).split(separator: UInt8(ascii: "/"))
    return ImportedPack(
      path: path, manifest: manifest, base: base, folders: real.map { String(decoding: $0, as: UTF8.self) },
      start: start)
  }

  private mutating func makeManifest(of packs: [ImportedPack]) throws(SystemError) {
    let shared = commonPrefix(of: packs.map(\.folders))
    var manifest = Manifest(text: text ?? SourceText(path: packs[0].path, bytes: []), folder: ".")
    manifest.sources = packs.map(\.path)
    manifest.bundleIdentifier = Self.placeholder
    manifest.root = Located(root(of: packs, shared: shared), at: 0)
    var rules = ImportedRules()
    for pack in packs {
      manifest.firstOffsets[pack.id] = pack.start + pack.manifest.places.id
      try add(pack, rootDepth: shared.count, to: &manifest, rules: &rules)
    }
    manifest.rules = rules.rules
    // Packs with languages do not get this profile. In layouts that do not write languages, this profile
    // would reject packs that differ only in their language.
    if manifest.languages.isEmpty { manifest.limits.profile = .backgroundAssets }
    let lists = packs.map { Set($0.manifest.platforms) }
    if !lists.contains(where: \.isEmpty) {
      platforms = AssetPlatform.allCases.filter { platform in
        lists.contains { $0.contains(platform.rawValue) }
      }
    }
    manifest.layout.name = .backgroundAssets
    manifest.layout.platforms = platforms
    if !manifest.languages.isEmpty { manifest.layout.bundleVersion = .v27 }
    reportLosses(in: packs, into: &manifest)
    if !findings.findings.hasErrors { self.manifest = manifest }
  }

  /// Returns the folder that contains all files, as the user would type it.
  private func root(of packs: [ImportedPack], shared: [String]) -> String {
    if let pack = packs.first(where: { $0.folders.count == shared.count }) { return pack.base }
    let up = packs[0].folders.count - shared.count
    return joined(packs[0].base, Array(repeating: "..", count: up).joined(separator: "/"))
  }

  private mutating func add(
    _ pack: ImportedPack, rootDepth: Int, to manifest: inout Manifest, rules: inout ImportedRules
  ) throws(SystemError) {
    let places = pack.manifest.places
    let tag = Located(pack.id, at: pack.start + places.id)
    switch pack.manifest.policy.delivery {
    case .initialInstall: manifest.initialInstallTags.append(tag)
    case .prefetch: manifest.prefetchTagOrder.append(tag)
    case .onDemand: break
    }
    manifest.languages[tag.value] = pack.manifest.language.map {
      Located($0, at: pack.start + places.language)
    }
    let prefix = pack.folders.dropFirst(rootDepth).joined(separator: "/")
    for selector in pack.manifest.selectors {
      let offset = pack.start + selector.offset
      try warn(about: selector, of: pack)
      do throws(NoPath) {
        if selector.kind == .fileExclusion {
          manifest.excludes.append(try glob(selector.path, below: prefix))
          manifest.excludeOffsets.append(offset)
        } else {
          let rule = try selector.rule(Located(pack.id, at: offset), at: offset, below: prefix)
          if let other = rules.add(rule) { report(conflict: rule, with: other, of: pack) }
        }
      } catch {
        report(
          .invalidPath,
          message: "the selector \(quoted(error.path)) matches nothing below \(quoted(pack.base))",
          at: place(selector.offset, in: pack))
      }
    }
  }

  /// Warns about a selector of the wrong kind: a file selector for a folder, or a folder selector for a file.
  ///
  /// packtool uses such a selector as if it had the right kind.
  private mutating func warn(
    about selector: BackgroundManifest.Selector, of pack: ImportedPack
  ) throws(SystemError) {
    guard let isForFolders = selector.kind.isForFolders, (try? RelativePath(selector.path)) != nil,
      let status = try FileOperations.statusIfThere(joined(pack.base, selector.path)),
      (status.kind == .folder) != isForFolders
    else { return }
    let (what, other) = isForFolders ? ("a file", "file") : ("a folder", "directory")
    report(
      .wrongSelector,
      message:
        "\(quoted(selector.path)) is \(what), but \(quoted(selector.kind.rawValue)) cannot select \(what); "
        + "write \(quoted(selector.destination == nil ? other : "\(other)Source"))",
      at: place(selector.offset, in: pack))
  }

  /// Reports two selectors that put the same files at different paths.
  private mutating func report(conflict rule: ResourceRule, with other: ResourceRule, of pack: ImportedPack) {
    let first = manifestPlace(other.text.offset)
    findings.add(
      Diagnostic(
        .twoDestinations,
        message:
          "the pack \(quoted(pack.id)) puts \(quoted(rule.text.value)) at \(rule.shownDestination), but the "
          + "pack \(quoted(other.tags[0].value)) puts it at \(other.shownDestination); in a manifest, a file "
          + "has the same path in all its packs",
        at: manifestPlace(rule.text.offset),
        notes: [Diagnostic.AttachedLine("the other selector is here", at: first)]
      ))
  }

  /// Reports settings that packtool's manifest cannot express.
  private mutating func reportLosses(in packs: [ImportedPack], into manifest: inout Manifest) {
    note(
      "the imported packs do not contain the bundle identifier of the app; replace "
        + "\(quoted(Self.placeholder)) in the manifest with it",
      at: Place(packs[0].path))
    carryEvents(of: packs, into: &manifest)
    reportPlatforms(of: packs)
    for pack in packs where pack.manifest.userInfo != nil && !keepsVersions {
      note(
        "the manifest cannot contain the data in \"userInfo\"; for self-hosted packs, the version lockfile keeps this "
          + "data",
        at: place(pack.manifest.places.userInfo, in: pack))
    }
    if packs.count > 1, let offset = manifest.excludeOffsets.first {
      note("the exclusions of each pack now apply to the files of all packs", at: manifestPlace(offset))
    }
  }

  private mutating func carryEvents(of packs: [ImportedPack], into manifest: inout Manifest) {
    let withEvents = packs.filter { !$0.manifest.policy.events.isEmpty }
    manifest.downloadsOnUpdate = withEvents.contains {
      $0.manifest.policy.events.contains(.subsequentUpdate)
    }
    if Set(withEvents.map(\.manifest.policy.events)).count > 1, let pack = withEvents.first {
      note(
        "the packs have different download events, but \"onUpdate\" in the manifest applies to all packs",
        at: place(pack.manifest.places.policy, in: pack))
    }
    for pack in withEvents where pack.manifest.policy.events == [.subsequentUpdate] {
      note(
        "the pack \(quoted(pack.id)) is downloaded only at \"subsequentUpdate\", which a manifest cannot "
          + "express; a build also writes \"firstInstallation\"",
        at: place(pack.manifest.places.policy, in: pack))
    }
  }

  private mutating func reportPlatforms(of packs: [ImportedPack]) {
    let groups = Dictionary(grouping: packs) { Set($0.manifest.platforms) }
    func names(_ platforms: Set<String>) -> String {
      platforms.isEmpty ? "all platforms" : platforms.sorted().joined(separator: ",")
    }
    if groups.count == 1 { return }
    let lists = groups.map { platforms, packs in
      "\(listed(packs.map(\.id).sorted { $0.precedesInBytes($1) }, atMost: 3)) for \(names(platforms))"
    }
    let pack = packs.first { Set($0.manifest.platforms) != Set(packs[0].manifest.platforms) } ?? packs[0]
    findings.add(
      Diagnostic(
        .uncarriedSetting,
        message:
          "the packs are for different platforms (\(lists.sorted().joined(separator: "; "))), but a build is "
          + "for one list of platforms; import the packs of each list into a separate manifest",
        at: place(pack.manifest.places.platforms, in: pack), severity: .warning))
  }

  private func place(_ offset: Int, in pack: ImportedPack) -> Place { manifestPlace(pack.start + offset) }

  private func manifestPlace(_ offset: Int) -> Place { text?.place(at: offset) ?? Place("") }

  private mutating func note(_ message: String, at place: Place) {
    report(.uncarriedSetting, message: message, at: place)
  }

  private mutating func report(_ check: Check, message: String, at place: Place) {
    findings.add(Diagnostic(check, message: message, at: place))
  }
}

extension BackgroundImporter {
  /// Returns warnings about files that several packs share.
  ///
  /// The plan of the new manifest makes separate packs for such files.
  package func sharedFileFindings(in plan: PackPlan) -> [Diagnostic] {
    plan.packs.filter { $0.tags.count > 1 }.map { pack in
      let paths = pack.files.map { plan.tree.files[$0].path }
      let more = paths.count > 1 ? " and \(counted(paths.count - 1, of: "other file"))" : ""
      let places = pack.tags.compactMap { plan.manifest.firstOffsets[$0] }
      let message =
        "the packs \(listed(pack.tags)) all select \(quoted(paths.first ?? ""))\(more); a build never puts a "
        + "file into two packs, so shared files get a separate pack with its own id"
      return Diagnostic(
        .sharedFile, message: message, at: plan.manifest.text.place(at: places.last ?? 0),
        notes: places.dropLast().map {
          Diagnostic.AttachedLine("the other pack is here", at: plan.manifest.text.place(at: $0))
        })
    }
  }
}

/// A manifest of `ba-package` that has been read.
private struct ImportedPack {
  let path: String
  let manifest: BackgroundManifest
  /// The folder that the manifest's selectors are relative to, as the user would type it.
  let base: String
  /// The components of the same folder's absolute path, with symlinks resolved.
  let folders: [String]
  /// The offset of the manifest's text in the combined text.
  let start: Int

  var id: String { manifest.id }
}

/// The rules of a manifest, one for each pattern.
private struct ImportedRules {
  private(set) var rules: [ResourceRule] = []
  private var numbers: [Key: Int] = [:]

  private struct Key: Hashable {
    let kind: String
    let pattern: ByteKey
  }

  /// Adds a rule, or adds its tags to an existing rule for the same files.
  ///
  /// If the existing rule puts the files at another path, the function changes nothing and returns the
  /// existing rule.
  mutating func add(_ rule: ResourceRule) -> ResourceRule? {
    let key = Key(kind: rule.pattern.key, pattern: ByteKey(rule.text.value))
    guard let number = numbers[key] else {
      numbers[key] = rules.count
      rules.append(rule)
      return nil
    }
    guard rules[number].shownDestination.isSameInBytes(as: rule.shownDestination) else {
      return rules[number]
    }
    for tag in rule.tags where !rules[number].tags.contains(where: { $0.value == tag.value }) {
      rules[number].tags.append(tag)
    }
    return nil
  }
}

extension ResourceRule {
  /// The path of the rule's files inside a pack, for messages.
  fileprivate var shownDestination: String {
    destination.map { quoted($0.path.text) } ?? "its own path"
  }
}

extension BackgroundManifest.Selector.Kind {
  /// Whether the rule selects a folder (true) or one file (false); nil if the rule is a pattern.
  fileprivate var isForFolders: Bool? {
    switch self {
    case .file, .fileSource: false
    case .directory, .directorySource: true
    case .filePattern, .fileExclusion: nil
    }
  }
}

/// The error for a path that leads out of the root folder.
private struct NoPath: Error {
  let path: String
}

extension BackgroundManifest.Selector {
  /// Returns the rule that assigns a tag to the selector's files.
  ///
  /// `prefix` is the path from the root to the folder that the selector's path is relative to.
  fileprivate func rule(
    _ tag: Located<String>, at offset: Int, below prefix: String
  ) throws(NoPath) -> ResourceRule {
    if kind == .filePattern {
      let glob = try glob(path, below: prefix)
      return ResourceRule(
        pattern: .glob(glob), text: Located(glob.text, at: offset), tags: [tag],
        destination: prefix.isEmpty ? nil : .init(path: try fixedPart(of: path), isFolder: true))
    }
    guard let own = try? RelativePath(path),
      let whole = try? RelativePath(prefix.isEmpty ? own.text : joined(prefix, own.text))
    else { throw NoPath(path: path) }
    var rule = ResourceRule(pattern: .path(whole), text: Located(whole.text, at: offset), tags: [tag])
    guard let target = destination ?? (prefix.isEmpty ? nil : path) else { return rule }
    let isFolder = kind == .directory || kind == .directorySource
    let place = isFolder ? target + "/" : target
    guard let destination = try? RelativePath(place) else { throw NoPath(path: place) }
    // The rule gets a destination only if the destination differs from the path. Otherwise, a rule without a
    // destination has the same effect.
    if destination != whole { rule.destination = .init(path: destination, isFolder: false) }
    return rule
  }
}

/// Returns the part of a glob before its first wildcard.
///
/// A destination replaces this part.
private func fixedPart(of glob: String) throws(NoPath) -> RelativePath {
  let parts = glob.split(separator: "/")
  let fixed = parts.prefix { part in !part.contains(where: "*?[{".contains) }
  let kept = fixed.count == parts.count ? fixed.dropLast() : fixed
  guard let folder = try? RelativePath(kept.isEmpty ? "." : kept.joined(separator: "/")) else {
    throw NoPath(path: glob)
  }
  return folder
}

private func glob(_ text: String, below prefix: String) throws(NoPath) -> Glob {
  guard (try? RelativePath(text)) != nil,
    let glob = try? Glob(prefix.isEmpty ? text : joined(prefix, text))
  else { throw NoPath(path: text) }
  return glob
}
