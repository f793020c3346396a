import Formats
import Model
import Pipeline
import System
import Testing

/// The sum of all packs of Background Assets, of which the store counts archives.
@Suite struct ArchiveLimitTests {
  /// A release of one pack with a size, and that of its archive where it is known, both in GB.
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
    #expect(over.severity == .warning && over.standing == .breaksStoreLimit)
  }

  /// Without archives, too many bytes of files are no sure reason for the store to refuse them.
  @Test func `files alone break no limit`() throws {
    let over = try #require(Self.finding(Self.release(300, archive: nil)))
    #expect(over.severity == .warning && over.standing == .adjustable)
    // The folders of a build are not compressed.
    #expect(Self.finding(Self.release(300, archive: 300))?.standing == .adjustable)
  }

  /// On-Demand Resources count files.
  @Test func `on demand resources count files`() {
    #expect(Self.finding(Self.release(30, archive: 10), .appStore)?.standing == .breaksStoreLimit)
  }
}
