import Formats
import Model
import Pipeline
import System

/// Packs and property lists under fixed names, which devices and Apple's tools read.
///
/// `xcode` is the output of Xcode: folders of packs, `OnDemandResources.plist` and the manifest of packs. `hosted` is
/// zipped packs for streaming from a web server, with the manifest that devices read.
struct AppleLayout: PackLayout {
  let kind: Layout
  let settings: XcodeSettings
  let replacesInPlace = true
  let leavesIndex = true

  private var isHosted: Bool { kind == .hosted }
  var packsFolder: String { isHosted ? "." : PublishedNames.onDemandResourcesFolder }
  var indexName: String { isHosted ? PublishedNames.assetPackManifest : PublishedNames.onDemandResources }
  var reservedNames: [String] {
    [PublishedNames.packInfo] + (isHosted ? [PublishedNames.zipMetadataFolder] : [])
  }
  var keepsTimes: Bool { settings.keepsTimes }

  var staleNames: [String] {
    if !isHosted && settings.hasOwnManifest { return PublishedNames.assetPackManifests }
    return PublishedNames.assetPackManifests.filter { $0 != settings.location.manifestName }
      + (isHosted ? [PublishedNames.onDemandResources] : [])
  }

  func container(_ chosen: Container) -> Container { isHosted ? .zip : .folder }
  // A device unpacks entries during the download, which only works for stored ones.
  func compression(_ chosen: Compression) -> Compression { isHosted ? .store : chosen }
  func info(of pack: AssetPack) -> ByteBuffer? { isHosted ? nil : pack.info }
  func frame(of pack: AssetPack, _ files: [AssetFile]) -> HostedFrame? {
    isHosted ? HostedFrame(of: pack, files) : nil
  }

  func mayBeFolder(_ name: String) -> Bool { !isHosted }
  func findings(about plan: PackPlan) -> [Diagnostic] { settings.location.findings(about: plan) }

  func stands(in folder: OutputFolder) throws(SystemError) -> Bool {
    try folder.exists(joined(folder.path, isHosted ? indexName : packsFolder))
  }

  /// An `index.json` by somebody else, which `verify` and `serve` would take for that of the folder.
  func foreignFile(in folder: OutputFolder) throws(SystemError) -> String? {
    let index = joined(folder.path, PublishedNames.index)
    return try folder.exists(index) ? index : nil
  }

  /// Includes the lists of tags, which decide the priority in an Info.plist.
  func key(for manifest: Manifest) -> [SettingsKey.Part] {
    func text(_ list: [Located<String>]) -> String { list.map(\.value).joined(separator: "/") }
    return [
      .init(name: "times of files", value: keepsTimes ? "their own" : "fixed"),
      .init(name: "initial install tags", value: text(manifest.initialInstallTags)),
      .init(name: "prefetch order", value: text(manifest.prefetchTagOrder)),
    ]
  }

  func fileName(of pack: AssetPack, digest: String, in container: Container) -> String {
    pack.identity.name + PublishedNames.packSuffix
  }

  func mayBePack(_ name: String) -> Bool {
    let suffix = PublishedNames.packSuffix
    return name.hasSuffix(suffix) && ends(name.dropLast(suffix.count), in: 32, behind: "-")
  }

  func publishedPaths(in folder: OutputFolder) throws(SystemError) -> [String] {
    folder.recordedPacks.map(\.archive.path)
  }

  func publish(_ build: UnpublishedBuild) throws -> Publication {
    var publication = try build.publish { release, written in
      let packs = release.packs.compactMap(\.published)
      return try lists(of: build.plan, packs, changed: Set(written), build.settings, in: build.output)
    }
    publication.follow = {
      let mark = joined(build.output.path, PublishedNames.ownManifest)
      if lacksManifest {
        try FileOperations.replace(mark, by: ByteBuffer())
      } else {
        try FileOperations.removeFile(mark)
      }
      return false
    }
    return publication
  }

  /// Whether the build has no list of packs, since the app brings its own.
  private var lacksManifest: Bool { !isHosted && settings.hasOwnManifest }

  func isPublished(
    _ release: Release, _ plan: PackPlan, _ settings: PackSettings, in folder: OutputFolder
  ) throws(SystemError) -> Bool {
    for name in staleNames where try folder.exists(joined(folder.path, name)) { return false }
    if try folder.exists(joined(folder.path, PublishedNames.ownManifest)) != lacksManifest { return false }
    let lists = try lists(
      of: plan, release.packs.compactMap(\.published), changed: [], settings, in: folder)
    return lists.allSatisfy { FileOperations.holds(joined(folder.path, $0.name), $0.bytes) }
  }

  /// The property lists of packs in the order in which they are published; those packs at the paths `changed` are not
  /// published yet.
  private func lists(
    of plan: PackPlan, _ packs: [PublishedPack], changed: Set<String>, _ settings: PackSettings,
    in output: OutputFolder
  ) throws(SystemError) -> [NamedBytes] {
    let hashes = try contentHashes(of: plan, packs, changed: changed, settings, in: output)
    let resources = try resources(of: plan, hashes, in: output)
    let bytes = DownloadedPack.manifest(of: resources, isExport: isHosted)
    let manifest = NamedBytes(name: self.settings.location.manifestName, bytes: bytes)
    if isHosted { return [manifest] }
    let list = NamedBytes(name: indexName, bytes: plan.onDemandResources)
    return self.settings.hasOwnManifest ? [list] : [list, manifest]
  }

  private func resources(
    of plan: PackPlan, _ hashes: [String], in output: OutputFolder
  ) throws(SystemError) -> [DownloadedPack] {
    var folder: [UInt8] = []
    if settings.location == .buildFolder {
      folder = try FileOperations.realPath(of: output.path) + Array("/\(packsFolder)".utf8)
    }
    return zip(plan.packs, hashes).map { pack, hash in
      DownloadedPack(
        identifier: pack.identity.identifier,
        url: settings.location.url(
          ofPackFolder: pack.identity.name + PublishedNames.packSuffix, in: folder),
        contentHash: hash,
        size: pack.size.saturatingSum(with: Int64(pack.info.count)), priority: pack.priority)
    }
  }

  private func contentHashes(
    of plan: PackPlan, _ packs: [PublishedPack], changed: Set<String>, _ settings: PackSettings,
    in output: OutputFolder
  ) throws(SystemError) -> [String] {
    if self.settings.contentHash == .sha256 { return packs.map(\.digest.prefixed) }
    if let date = self.settings.sourceDate {
      return packs.map { _ in UTCTime.text(ofSeconds: date, digits: 3) }
    }
    let published = try publishedTimes(in: output)
    return zip(plan.packs, packs).map { pack, staged in
      let newest = settings.newestTime(of: pack.files.map { plan.tree.files[$0] }).floored(by: 1_000_000)
      guard let old = published[pack.identity.identifier] else { return timeText(of: newest.quotient) }
      // Files that join or leave a pack may be older than those that stay: their newest time would not change.
      return timeText(of: changed.contains(staged.archive.path) ? max(newest.quotient, old + 1) : old)
    }
  }
}

/// The times in milliseconds since 1970 by which the manifest in a folder shows that packs have changed; none where no
/// manifest can be read.
private func publishedTimes(in output: OutputFolder) throws(SystemError) -> [String: Int64] {
  var times: [String: Int64] = [:]
  for name in PublishedNames.assetPackManifests {
    guard
      case .bytes(let bytes) = try FileContents(
        written: joined(output.path, name), limit: PropertyList.longest),
      let list = try? PropertyList.read(bytes)
    else { continue }
    for resource in list["resources"]?.elements ?? [] {
      guard let key = resource["bundleKey"]?.string,
        let hash = resource["primaryContentHash"]?["hash"]?.string
      else { continue }
      times[key] = milliseconds(ofTime: hash)
    }
  }
  return times
}

/// A time in milliseconds since 1970 as Xcode writes it in a manifest: `2026-11-21T12:00:00.000Z`.
func timeText(of milliseconds: Int64) -> String {
  let (seconds, rest) = milliseconds.floored(by: 1000)
  return UTCTime.text(ofSeconds: seconds, fraction: rest, digits: 3)
}

/// The milliseconds since 1970 of a text in that form with a year of four digits; nil for any other text.
func milliseconds(ofTime text: String) -> Int64? {
  UTCTime.time(of: text, digits: 3).map { $0.seconds * 1000 + $0.fraction }
}
