import Findings
import Formats
import PackKit
import System

/// A layout that devices and Apple's tools read: packs and property lists under fixed names.
protocol AppleLayout: PackLayout {
  var settings: XcodeSettings { get }
  /// The property lists in the order in which they are published.
  func lists(_ manifest: NamedBytes, of plan: PackPlan) -> [NamedBytes]
}

/// A file name with the content to be written.
struct NamedBytes: Sendable {
  let name: String
  let bytes: ByteBuffer
}

/// How a manifest shows devices that a pack has changed; the raw value is its name in flags.
package enum ContentHash: String, Sendable, CaseIterable {
  /// The newest modification time of the pack's files, as in Xcode.
  case modtime
  /// A digest of the contents, independent of modification times.
  case sha256
}

/// Settings of the Apple layouts.
package struct XcodeSettings: Sendable {
  package var location: PackLocation
  package var contentHash: ContentHash
  /// Replaces the time of every file, in seconds since 1970; nil if files keep their own.
  package var sourceDate: Int64?

  package init(
    location: PackLocation = .buildFolder, contentHash: ContentHash = .modtime, sourceDate: Int64? = nil
  ) {
    self.location = location
    self.contentHash = contentHash
    self.sourceDate = sourceDate
  }

  /// Whether files in packs keep the times of their sources.
  var keepsTimes: Bool { sourceDate == nil && contentHash == .modtime }
}

extension AppleLayout {
  var replacesInPlace: Bool { true }
  var keepsTimes: Bool { settings.keepsTimes }

  /// Includes the lists of tags, which decide the priority in an Info.plist.
  func key(for manifest: Manifest) -> [SettingsKey.Part] {
    func text(_ list: [Located<String>]) -> String { list.map(\.value).joined(separator: "/") }
    return [
      .init(name: "times of files", value: keepsTimes ? "their own" : "fixed"),
      .init(name: "initial install tags", value: text(manifest.initialInstallTags)),
      .init(name: "prefetch order", value: text(manifest.prefetchTagOrder)),
    ]
  }

  func fileName(ofPack name: String, digest: String, in container: Container) -> String {
    name + PublishedNames.packSuffix
  }

  func mayBePack(_ name: String) -> Bool {
    let suffix = PublishedNames.packSuffix
    return name.hasSuffix(suffix) && ends(name.dropLast(suffix.count), in: 32, behind: "-")
  }

  func isForeign(_ folder: OutputFolder) throws(SystemError) -> Bool { false }

  func publishedPaths(in folder: OutputFolder) throws(SystemError) -> [String] {
    folder.recordedPacks.map(\.archive.path)
  }

  var staleManifests: [String] {
    PublishedNames.assetPackManifests.filter { $0 != settings.location.manifestName }
  }

  /// Writes and syncs everything before the first rename; the manifest is renamed last.
  func publish(_ build: UnpublishedBuild) throws -> Publication {
    var renames: [PendingRename] = []
    let (packs, written) = try build.stagedPacks { renames.append($0) }
    let record = try build.draftRecord()
    let lists = try lists(of: build.plan, packs, build.settings, in: build.output)
    let (last, isListWritten) = try build.output.publish(renames, lists)
    return Publication(
      release: Release(of: build.plan, packs: packs.map(\.published)), packs: packs,
      changes: OutputChanges(written: written, isListWritten: isListWritten), list: last, record: record)
  }

  func isPublished(
    _ release: Release, _ packs: [BuiltPack], _ plan: PackPlan, _ settings: PackSettings,
    in folder: OutputFolder
  ) throws(SystemError) -> Bool {
    for name in staleNames where try folder.exists(joined(folder.path, name)) { return false }
    return try lists(of: plan, packs, settings, in: folder).allSatisfy {
      FileOperations.holds(joined(folder.path, $0.name), $0.bytes)
    }
  }

  private func lists(
    of plan: PackPlan, _ packs: [BuiltPack], _ settings: PackSettings, in output: OutputFolder
  ) throws(SystemError) -> [NamedBytes] {
    let manifest = AssetPackManifest(resources: try resources(of: plan, packs, settings, in: output))
    return lists(NamedBytes(name: self.settings.location.manifestName, bytes: manifest.bytes), of: plan)
  }

  private func resources(
    of plan: PackPlan, _ packs: [BuiltPack], _ settings: PackSettings, in output: OutputFolder
  ) throws(SystemError) -> [AssetPackManifest.Resource] {
    var folder: [UInt8] = []
    if self.settings.location == .buildFolder {
      folder = try FileOperations.realPath(of: output.path) + Array("/\(packsFolder)".utf8)
    }
    return zip(plan.packs, packs).map { pack, built in
      AssetPackManifest.Resource(
        identifier: pack.identity.identifier,
        url: self.settings.location.url(
          ofPackFolder: pack.identity.name + PublishedNames.packSuffix, in: folder),
        contentHash: contentHash(of: built),
        size: pack.size.saturatingSum(with: Int64(PackInfo(of: pack).bytes.count)), priority: pack.priority)
    }
  }

  private func contentHash(of built: BuiltPack) -> String {
    if settings.contentHash == .sha256 { return built.published.digest.prefixed }
    if let date = settings.sourceDate { return ModificationTime(seconds: date).text }
    return ModificationTime(nanoseconds: built.modified).text
  }
}

extension PackSettings {
  /// The newest modification time of a pack's files, in nanoseconds since 1970.
  func newestTime(of files: [AssetFile]) -> Int64 {
    if layout.keepsTimes, let newest = files.map(\.stamp.modified).max() { return newest }
    // Nanoseconds overflow after the year 2262.
    let (nanoseconds, overflows) = modified.multipliedReportingOverflow(by: 1_000_000_000)
    return overflows ? .max : nanoseconds
  }
}
