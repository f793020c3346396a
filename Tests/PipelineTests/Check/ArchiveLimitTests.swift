@testable import Formats
@testable import Model
import Pipeline
import System
import Testing

/// Tests the limit for the total size of all packs with Background Assets.
///
/// For this limit, the store counts archives.
@Suite struct ArchiveLimitTests {
  /// Returns a release with one pack.
  ///
  /// The size of the pack and, if it is known, the size of the archive are in GB.
  private static func release(_ size: Int64, archive: Int64?) -> Release {
    let published = archive.map {
      PublishedPack(
        digest: .zero,
        archive: PublishedFile(path: "a", file: WrittenFile(size: $0 * 1_000_000_000, digest: .zero)))
    }
    let pack = Release.Pack(
      id: "a", name: "a", tags: ["a"], delivery: .onDemand, priority: nil, fileCount: 1,
      size: size * 1_000_000_000, published: published)
    return Release(
      bundleIdentifier: "com.example.game", profile: LimitProfile.backgroundAssets.name, packs: [pack],
      tags: [.init(name: "a", delivery: .onDemand, packs: [0], size: pack.size)], order: [.onDemand: [0]],
      untagged: FileCount(), contents: nil)
  }

  private static func finding(_ release: Release, _ profile: LimitProfile = .backgroundAssets) -> Diagnostic?
  {
    var manifest = Manifest(text: SourceText(path: "Manifest.json", bytes: []), folder: ".")
    manifest.limits.profile = profile
    let input = PackCheck.Input(release, manifest: manifest)
    return PackCheck.limits.flatMap { $0.find(input) }.first { $0.check == .totalSize }
  }

  @Test func `archives count where they are known`() throws {
    #expect(Self.finding(Self.release(300, archive: 150)) == nil)
    let over = try #require(Self.finding(Self.release(300, archive: 250)))
    #expect(over.severity == .warning && over.severityRule == .breaksStoreLimit)
  }

  /// Without archive sizes, it is uncertain whether the store rejects the release.
  @Test func `files alone break no limit`() throws {
    let over = try #require(Self.finding(Self.release(300, archive: nil)))
    #expect(over.severity == .warning && over.severityRule == .adjustable)
    // If the archive is as large as the files, the packs may be folders, which are not compressed.
    #expect(Self.finding(Self.release(300, archive: 300))?.severityRule == .adjustable)
  }

  /// For On-Demand Resources, the store counts files.
  @Test func `on demand resources count files`() {
    #expect(Self.finding(Self.release(30, archive: 10), .appStore)?.severityRule == .breaksStoreLimit)
  }

  /// Only the limit for all packs is about archives.
  @Test func `own limits of other sizes count files`() throws {
    var manifest = Manifest(text: SourceText(path: "Manifest.json", bytes: []), folder: ".")
    manifest.limits.profile = .backgroundAssets
    manifest.limits.overrides[.packSize] = .init(.exactly(200_000_000_000), at: 0)
    manifest.limits.overrides[.initialInstallSize] = .init(.exactly(200_000_000_000), at: 0)
    let old = Self.release(300, archive: 150)
    let pack = Release.Pack(
      id: "a", name: "a", tags: ["a"], delivery: .initialInstall, priority: 1, fileCount: 1,
      size: old.packs[0].size, published: old.packs[0].published)
    let release = Release(
      bundleIdentifier: "com.example.game", profile: LimitProfile.backgroundAssets.name, packs: [pack],
      tags: [],
      order: [.initialInstall: [0]], untagged: FileCount(), contents: nil)
    let found = PackCheck.limits.flatMap { $0.find(PackCheck.Input(release, manifest: manifest)) }
    for check in [Check.packSize, .initialInstallSize] {
      let finding = try #require(found.first { $0.check == check })
      #expect(finding.measurement == .init(300_000_000_000, limit: 200_000_000_000))
      #expect(finding.severityRule == .breaksStoreLimit)
    }
    #expect(!found.contains { $0.check == .totalSize })
  }
}
