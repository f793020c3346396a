import Archiving
package import Formats
package import Model
package import System

/// The `index.json` of a built folder.
package struct PublishedIndex: Sendable {
  /// The text to which offsets refer.
  package let text: SourceText
  package internal(set) var bundleIdentifier = ""
  /// The name of the limit profile of the build.
  package internal(set) var limits = Located("", at: 0)
  /// The manifest's limits that override the limits of the profile.
  package internal(set) var ownLimits: LimitSettings.Overrides = [:]
  /// The packs in the order of the index.
  ///
  /// In a valid index, they are sorted by identifier.
  package internal(set) var packs: [Pack] = []
  package internal(set) var tags: [Tag] = []
  /// The packs of each delivery mode, in the order in which devices download them.
  package internal(set) var deliveries: [Delivery: Tag] = [:]
  /// The manifest's lists of tags; nil if an earlier version of packtool wrote the index without these lists.
  package internal(set) var lists: TagLists?
  /// The list of all files.
  package internal(set) var contents = PublishedFile(path: "", file: WrittenFile(size: 0, digest: .zero))
  package internal(set) var untagged = FileCount()
  /// The devices for which the build was made; nil for all devices.
  package internal(set) var device: ReleaseDevice?
  /// The number and the expiry of a signed release; nil for an unsigned release.
  package internal(set) var edition: Release.Edition?
  /// The lists of patches, each with the digest of the earlier release's index.
  package internal(set) var patches: [(from: Digest, list: PublishedFile)] = []
  /// The offset of the list of packs in the text.
  package internal(set) var packsOffset = 0
  /// The offset of the first byte that a build would write differently; nil if there is no such byte.
  package internal(set) var firstOddByte: Int?
  /// The layout of the build, which the folder of the first pack shows.
  ///
  /// If the build's layout has no index, it is not known here.
  package var layout: Layout {
    packs.first.map { Layout(indexingPacksIn: folderPath(of: $0.archive.path)) } ?? .packtool
  }

  package struct Pack: Sendable {
    package let id: String
    package let name: String
    package let tags: [String]
    package let delivery: Delivery
    package let priority: Double?
    package let fileCount: Int64
    /// The size of the files in bytes.
    package let size: Int64
    /// The digest of the contents, and the archive.
    package let published: PublishedPack
    /// The offset of the pack in the index.
    package let offset: Int
    /// The language of the devices that get the pack; nil if all devices get the pack.
    package internal(set) var language: String?

    package var digest: Digest { published.digest }
    package var archive: PublishedFile { published.archive }
  }

  /// The packs that a request for one tag downloads.
  package struct Tag: Sendable {
    package let name: String
    package let delivery: Delivery
    /// The identifiers of the packs.
    package let packs: [String]
    /// The total size of the tag's packs in bytes.
    package let size: Int64
    /// The offset of the tag in the index.
    package let offset: Int
  }

  /// The number of files in all packs and their total size in bytes, as stated in the index.
  package var total: (files: Int64, size: Int64) {
    (packs.saturatingSum(\.fileCount), packs.saturatingSum(\.size))
  }

  /// Returns the line and column of an offset in the index.
  package func place(at offset: Int) -> Place { text.place(at: offset) }

  /// The release that the index describes.
  ///
  /// References to packs that are not in the index are left out.
  package var release: Release { release(withPatches: []) }

  /// Whether the index is next to the build cache.
  ///
  /// A build writes the index there if the layout itself has no such index. Devices do not download it from
  /// there.
  package var isSidecar: Bool { text.path.hasSuffix("/\(PublishedNames.sidecarIndex)") }

  /// The number of bytes that `serve` sends for the index; nil if the index is not published.
  package var sentSize: Int64? { isSidecar ? nil : ContentCoding.sentSize(of: text.bytes) }

  /// The digest of the index itself.
  package var digest: Digest { SHA256.digest(of: text.bytes) }

  /// Returns the release with the given patches and the compressed sizes of files.
  ///
  /// `packedSizes` is called with the position of a pack in the index.
  package func release(withPatches patches: [PatchSet], packedSizes: (Int) -> [Int64]? = { _ in nil })
    -> Release
  {
    let numbers = Dictionary(zip(packs.map(\.id), 0...)) { first, _ in first }
    return Release(
      bundleIdentifier: bundleIdentifier, profile: limits.value, ownLimits: ownLimits,
      packs: packs.enumerated().map { number, pack in
        Release.Pack(
          id: pack.id, name: pack.name, tags: pack.tags, delivery: pack.delivery, priority: pack.priority,
          fileCount: pack.fileCount, size: pack.size,
          published: PublishedPack(
            digest: pack.digest, archive: pack.archive, isElsewhere: pack.published.isElsewhere,
            packedSizes: packedSizes(number)), language: pack.language)
      },
      tags: tags.map { tag in
        Release.Tag(
          name: tag.name, delivery: tag.delivery, packs: tag.packs.compactMap { numbers[$0] }, size: tag.size)
      },
      order: deliveries.mapValues { $0.packs.compactMap { numbers[$0] } }, lists: lists, untagged: untagged,
      contents: contents, device: device, patches: patches, indexDigest: digest, edition: edition)
  }
}

extension PatchSet {
  /// The number of bytes that `serve` sends for the list of patches.
  package var sentSize: Int64 {
    Self.bytes(fromIndex: from, packs: packs).withBytes { ContentCoding.sentSize($0) }
  }
}
