import Formats
import Model
import Pipeline
import System

extension LayoutDescription {
  static let xcode = LayoutDescription(
    summary: "what an Xcode build leaves", hintOnVariants: hint(onVariantsIn: .xcode),
    profile: nil, code: .refused, sharesPaths: false, reasonAgainstParts: nil,
    indexName: PublishedNames.onDemandResources, madeFolders: [], cleanedFolders: [],
    buildMarks: [PublishedNames.onDemandResourcesFolder],
    naming: .xcode, container: .folder, compression: nil, extras: .info, usesXcodeSettings: true,
    foreignFile: { output throws(SystemError) in try output.misleadingIndex },
    leftovers: { _, _, _ in [] })

  static let hosted = LayoutDescription(
    summary: "zipped packs for a web server", hintOnVariants: hint(onVariantsIn: .hosted),
    profile: nil, code: .refused, sharesPaths: false, reasonAgainstParts: nil,
    indexName: PublishedNames.assetPackManifest, madeFolders: [], cleanedFolders: [],
    buildMarks: [PublishedNames.assetPackManifest],
    naming: .xcode, container: .zip,
    // A device unpacks a pack while it downloads it. This is only possible if the entries are stored without
    // compression.
    compression: .store, extras: .streaming, usesXcodeSettings: true,
    foreignFile: { output throws(SystemError) in try output.misleadingIndex },
    leftovers: { _, _, _ in [] })

  /// Returns the advice about variant files for a layout whose packs are for all devices.
  static func hint(onVariantsIn layout: Layout) -> String {
    "packs in the layout \(quoted(layout.rawValue)) are for all devices: put the variants into an asset catalog, "
      + "or give each variant its own path"
  }
}

/// The two Apple layouts: packs and property lists with fixed names, which devices and Apple's tools read.
///
/// The layout `xcode` is the output of an Xcode build: folders of packs, `OnDemandResources.plist` and the
/// manifest of packs. The layout `hosted` contains zipped packs for streaming from a web server, and the
/// manifest that devices read.
struct AppleLayout: PackLayout {
  let files: LayoutFiles
  private let settings: PackSettings

  init(_ settings: PackSettings) {
    files = LayoutFiles(settings.layout)
    self.settings = settings
  }

  private var isHosted: Bool { settings.layout == .hosted }

  /// The names of lists that the layout publishes only with other settings.
  ///
  /// Such lists are outdated now.
  private var staleNames: [String] {
    if !isHosted && settings.xcode.hasOwnManifest { return PublishedNames.assetPackManifests }
    return PublishedNames.assetPackManifests.filter { $0 != settings.xcode.location.manifestName }
      + (isHosted ? [PublishedNames.onDemandResources] : [])
  }

  func adjusted(_ plan: PackPlan) -> PackPlan { plan }

  func findings(about plan: PackPlan) -> [Diagnostic] { settings.xcode.location.findings(about: plan) }

  func publish(_ build: StagedPacks) throws -> PublishResult {
    let packs = try build.packRenames()
    let lists = try lists(of: build.plan, packs: packs.packs, changed: Set(packs.written), in: build.output)
    var publication = try build.publish(packs, lists: lists)
    publication.staleNames = staleNames
    let markerName = PublishedNames.ownManifest
    publication.laterChanges = [
      lacksManifest ? .replace(markerName, with: ByteBuffer()) : .remove(markerName)
    ]
    return publication
  }

  /// Whether the build has no manifest of packs, because the app contains its own.
  private var lacksManifest: Bool { !isHosted && settings.xcode.hasOwnManifest }

  func isPublished(
    _ release: Release, of plan: PackPlan, in folder: OutputFolder
  ) throws(SystemError) -> Bool {
    for name in staleNames where try folder.exists(joined(folder.path, name)) { return false }
    if try folder.exists(joined(folder.path, PublishedNames.ownManifest)) != lacksManifest { return false }
    let lists = try lists(of: plan, packs: release.packs.compactMap(\.published), changed: [], in: folder)
    return lists.allSatisfy { FileOperations.contents(of: joined(folder.path, $0.name), equal: $0.bytes) }
  }

  /// Returns the property lists about packs in the order in which they are published.
  ///
  /// The packs at the paths in `changed` are not published yet.
  private func lists(
    of plan: PackPlan, packs: [PublishedPack], changed: Set<String>, in output: OutputFolder
  ) throws(SystemError) -> [NamedBytes] {
    let hashes = try contentHashes(of: plan, packs: packs, changed: changed, in: output)
    let resources = try resources(of: plan, hashes: hashes, in: output)
    let bytes = DownloadedPack.manifest(of: resources, asWrittenBy: isHosted ? .export : .build)
    let manifest = NamedBytes(name: settings.xcode.location.manifestName, bytes: bytes)
    if isHosted { return [manifest] }
    let list = NamedBytes(name: files.indexName, bytes: plan.onDemandResources)
    return settings.xcode.hasOwnManifest ? [list] : [list, manifest]
  }

  private func resources(
    of plan: PackPlan, hashes: [String], in output: OutputFolder
  ) throws(SystemError) -> [DownloadedPack] {
    var folder = Array("/\(files.packsFolder)".utf8)
    if settings.xcode.location == .buildFolder {
      folder = try FileOperations.realPath(of: output.path) + folder
    }
    return zip(plan.packs, hashes).map { pack, hash in
      DownloadedPack(
        identifier: pack.identity.identifier,
        url: settings.xcode.location.url(
          ofPackFolder: pack.identity.name + PublishedNames.packSuffix, parentPath: folder),
        contentHash: hash,
        size: pack.size.saturatingSum(with: Int64(pack.info.count)), priority: pack.priority)
    }
  }

  private func contentHashes(
    of plan: PackPlan, packs: [PublishedPack], changed: Set<String>, in output: OutputFolder
  ) throws(SystemError) -> [String] {
    if settings.xcode.contentHash == .sha256 { return packs.map(\.digest.prefixed) }
    if let date = settings.xcode.sourceDate {
      return packs.map { _ in UTCTime.text(ofSeconds: date, fractionDigits: 3) }
    }
    let published = try publishedTimes(in: output)
    return zip(plan.packs, packs).map { pack, staged in
      let newest = settings.newestTime(of: pack.files.map { plan.tree.files[$0] }).floored(by: 1_000_000)
      guard let old = published[pack.identity.identifier] else { return timeText(of: newest.quotient) }
      // If a file is added to a pack or removed from it, and the file is older than the other files, the
      // newest time does not change. Therefore a later time is used.
      return timeText(of: changed.contains(staged.archive.path) ? max(newest.quotient, old + 1) : old)
    }
  }
}

/// Returns the time of each pack in the manifest that a folder contains, in milliseconds since 1970.
///
/// The new time of a changed pack must differ from this time. The result is empty if no manifest can be read.
private func publishedTimes(in output: OutputFolder) throws(SystemError) -> [String: Int64] {
  var times: [String: Int64] = [:]
  for name in PublishedNames.assetPackManifests {
    guard
      case .bytes(let bytes) = try FileContents(
        outputPath: joined(output.path, name), limit: PropertyList.maxSize),
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

/// Returns a time in the form that Xcode writes in a manifest: `2026-11-21T12:00:00.000Z`.
func timeText(of milliseconds: Int64) -> String {
  let (seconds, rest) = milliseconds.floored(by: 1000)
  return UTCTime.text(ofSeconds: seconds, fraction: rest, fractionDigits: 3)
}

/// Parses a time that Xcode wrote in a manifest, with a four-digit year, and returns it in milliseconds since
/// 1970; nil for any other string.
func milliseconds(ofTime text: String) -> Int64? {
  UTCTime.time(of: text, fractionDigits: 3).map { $0.seconds * 1000 + $0.fraction }
}
