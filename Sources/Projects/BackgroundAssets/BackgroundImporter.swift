package import BackgroundAssets
import Findings
import Formats
import PackKit
package import System

/// Makes a manifest of the manifests that `ba-package` takes: each pack becomes a tag with the name of its id.
package struct BackgroundImporter {
  /// The manifest; nil if nothing can be made of it.
  private var manifest: Manifest?
  private var findings = FindingList()
  /// The versions of packs on a server of one's own, with the data for the app.
  package private(set) var versions: [String: PackLedger.Entry] = [:]
  private let keepsVersions: Bool
  /// The texts that were read.
  private var text: SourceText?
  /// The same as the reading of a source.
  package var reading: ManifestSource.Reading {
    ManifestSource.Reading(manifest: manifest, findings: findings.findings, text: text, uncarried: [])
  }

  /// The id of each pack, by its tag.
  package var ids: [String: String] {
    Dictionary((manifest?.rules ?? []).flatMap { $0.tags.map { ($0.value, $0.value) } }) { first, _ in first }
  }

  /// The identifier of the app, which no such manifest has.
  package static let placeholder = "com.example.app"

  /// Whether an argument is such a manifest, or one of downloads: a JSON file with an id of a pack, or with several packs.
  package static func isOne(_ argument: String) throws(SystemError) -> Bool {
    guard argument.hasSuffix(".json"),
      case .bytes(let bytes) = try FileContents(of: argument, limit: BackgroundManifestReader.longest)
    else { return false }
    let text = SourceText(path: argument, bytes: bytes, hasComments: true)
    let value = JSONReader.read(text).value
    return value?.member("assetPackID") != nil || value?.member("assetPacks") != nil
  }

  /// Reads manifests; selectors of those without a source root are relative to `folder`.
  ///
  /// A download manifest among them says that packs are self-hosted, and their versions.
  package init(
    _ paths: [String], selectorsIn folder: String, keepsVersions: Bool = false
  ) throws(SystemError) {
    self.keepsVersions = keepsVersions
    var sources: [ImportedPack] = []
    var ids: [String: String] = [:]
    var files: [String] = []
    for path in paths where try !readVersions(path) { files.append(path) }
    for path in files {
      guard let source = try read(path, folder) else { continue }
      if let other = ids.updateValue(path, forKey: source.manifest.id) {
        report(
          .identifierCollision, "\(quoted(other)) has the id \(quoted(source.manifest.id)) too", at: path)
      }
      sources.append(source)
    }
    if findings.findings.hasErrors || sources.isEmpty { return }
    for source in sources {
      if versions.isEmpty && source.manifest.userInfo == nil { continue }
      versions[source.manifest.id, default: PackLedger.Entry(version: 0)].userInfo = source.manifest.userInfo
    }
    try makeManifest(of: sources)
  }

  /// Takes the versions of a download manifest; false for any other file.
  private mutating func readVersions(_ path: String) throws(SystemError) -> Bool {
    guard case .bytes(let bytes) = try FileContents(of: path, limit: DownloadManifest.longest),
      JSONReader.read(SourceText(path: path, bytes: bytes)).value?.member("assetPacks") != nil,
      let downloads = try DownloadManifest(reading: path)
    else { return false }
    findings.add(downloads.diagnostics)
    for pack in downloads.packs {
      if let mistake = AssetPackID.mistake(in: pack.id, isSelfHosted: true) {
        report(.invalidPackID, "the id \(quoted(pack.id)) \(mistake)", at: path)
      }
      var entry = PackLedger.Entry(version: pack.version)
      (entry.downloadSize, entry.userInfo) = (pack.downloadSize, pack.userInfo)
      versions[pack.id] = entry
    }
    return true
  }

  private mutating func read(_ path: String, _ folder: String) throws(SystemError) -> ImportedPack? {
    guard case .bytes(let bytes) = try FileContents(of: path, limit: BackgroundManifestReader.longest) else {
      report(.missingManifest, "\(quoted(path)) is no file, or too long", at: path)
      return nil
    }
    let text = SourceText(path: path, bytes: bytes, hasComments: true)
    let reader = BackgroundManifestReader(text: text, isSelfHosted: !versions.isEmpty)
    if self.text == nil { self.text = text } else { self.text?.append(text) }
    findings.add(reader.diagnostics.map { $0.check == .invalidPackID ? $0.with(severity: .warning) : $0 })
    guard let manifest = reader.manifest else { return nil }
    let base = manifest.sourceRoot.map { joined(folderPath(of: path), $0) } ?? folder
    guard try FileOperations.statusIfThere(base)?.kind == .folder else {
      let message = "the folder \(quoted(base)), which the selectors are relative to, does not exist"
      report(.invalidPath, message, at: path)
      return nil
    }
    let real = try FileOperations.realPath(of: base).split(separator: UInt8(ascii: "/"))
    return (path, manifest, base, real.map { String(decoding: $0, as: UTF8.self) })
  }

  private mutating func makeManifest(of sources: [ImportedPack]) throws(SystemError) {
    let shared = commonFront(of: sources.map { $0.folders })
    var manifest = Manifest(text: text ?? SourceText(path: sources[0].path, bytes: []), folder: ".")
    manifest.sources = sources.map { $0.path }
    manifest.bundleIdentifier = Self.placeholder
    manifest.root = Located(root(of: sources, shared), at: 0)
    for source in sources { add(source, below: shared.count, to: &manifest) }
    noteLosses(in: sources, of: &manifest)
    for rule in manifest.rules { for tag in rule.tags { manifest.firstPlaces[tag.value] = 0 } }
    if !findings.findings.hasErrors { self.manifest = manifest }
  }

  /// The folder that contains all files, as the user would type it.
  private func root(of sources: [ImportedPack], _ shared: [String]) -> String {
    if let source = sources.first(where: { $0.folders.count == shared.count }) { return source.base }
    let up = sources[0].folders.count - shared.count
    return joined(sources[0].base, Array(repeating: "..", count: up).joined(separator: "/"))
  }

  private mutating func add(_ source: ImportedPack, below depth: Int, to manifest: inout Manifest) {
    let tag = Located(source.manifest.id, at: 0)
    switch source.manifest.policy.delivery {
    case .initialInstall: manifest.initialInstallTags.append(tag)
    case .prefetch: manifest.prefetchTagOrder.append(tag)
    case .onDemand: break
    }
    manifest.languages[tag.value] = source.manifest.language.map { Located($0, at: 0) }
    let prefix = source.folders.dropFirst(depth).joined(separator: "/")
    for selector in source.manifest.selectors {
      do throws(NoPath) {
        if selector.kind == .fileExclusion {
          manifest.excludes.append(try glob(selector.path, below: prefix))
        } else {
          manifest.rules.append(try selector.rule(tag, below: prefix))
        }
      } catch {
        report(
          .invalidPath, "the selector \(quoted(error.path)) leads nowhere below \(quoted(source.base))",
          at: source.path)
      }
    }
  }

  /// Reports what packtool's manifest does not have.
  private mutating func noteLosses(in sources: [ImportedPack], of manifest: inout Manifest) {
    let path = sources[0].path
    note(
      "no pack says which app it is of; replace the bundle identifier \(quoted(Self.placeholder))", at: path)
    let events = Set(sources.map { $0.manifest.policy.events }.filter { !$0.isEmpty })
    manifest.downloadsOnUpdate = events.contains { $0.contains(.subsequentUpdate) }
    if events.count > 1 || events.contains([.subsequentUpdate]) {
      note("packs are downloaded at different events; \"onUpdate\" is for all of them", at: path)
    }
    let platforms = Set(sources.map { $0.manifest.platforms })
    for names in platforms.map({ $0.joined(separator: ",") }).sorted() where !names.isEmpty {
      note("packs are for some platforms; build them with --platforms \(ShellForm.escaped(names))", at: path)
    }
    for source in sources {
      if source.manifest.userInfo != nil && !keepsVersions {
        note(
          "the data in \"userInfo\" is not carried; --ledger keeps that of self-hosted packs", at: source.path
        )
      }
    }
    if sources.count > 1, !manifest.excludes.isEmpty {
      note("exclusions of one pack are for all files of the manifest", at: path)
    }
  }

  private mutating func note(_ message: String, at path: String) {
    report(.uncarriedSetting, message, at: path)
  }

  private mutating func report(_ check: Check, _ message: String, at path: String) {
    findings.add(Diagnostic(check, message, at: Place(path)))
  }
}

/// A manifest of `ba-package` with the folder of its selectors, as typed and as names from the top without links.
private typealias ImportedPack = (path: String, manifest: BackgroundManifest, base: String, folders: [String])

/// A path that leads out of the root.
private struct NoPath: Error {
  let path: String
}

extension BackgroundManifest.Selector {
  /// The rule that gives its files a tag; `prefix` leads from the root to the folder that its path is relative to.
  fileprivate func rule(_ tag: Located<String>, below prefix: String) throws(NoPath) -> ResourceRule {
    if kind == .filePattern {
      let glob = try glob(path, below: prefix)
      return ResourceRule(
        pattern: .glob(glob), text: Located(glob.text, at: 0), tags: [tag],
        destination: prefix.isEmpty ? nil : (path: try fixedPart(of: path), isFolder: true))
    }
    guard let own = try? RelativePath(path),
      let whole = try? RelativePath(prefix.isEmpty ? own.text : joined(prefix, own.text))
    else { throw NoPath(path: path) }
    var rule = ResourceRule(pattern: .path(whole), text: Located(whole.text, at: 0), tags: [tag])
    guard let target = destination ?? (prefix.isEmpty ? nil : path) else { return rule }
    let isFolder = kind == .directory || kind == .directorySource
    let place = isFolder ? target + "/" : target
    guard let destination = try? RelativePath(place) else { throw NoPath(path: place) }
    // A rule without a destination says the same.
    if destination != whole { rule.destination = (path: destination, isFolder: false) }
    return rule
  }
}

/// The part of a glob in front of its first wildcard, which a destination replaces.
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
