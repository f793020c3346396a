import Archiving
package import Findings
package import Formats
package import PackKit
package import System

/// The `index.json` of a built folder.
package struct PublishedIndex: Sendable {
  /// The text to which offsets refer.
  package let text: SourceText
  package internal(set) var bundleIdentifier = ""
  /// The name of the limit profile of the build.
  package internal(set) var limits = Located("", at: 0)
  /// The packs in the order of the index, which is by identifier in a valid one.
  package internal(set) var packs: [Pack] = []
  package internal(set) var tags: [Tag] = []
  package internal(set) var deliveries: [Delivery: DownloadOrder] = [:]
  /// The list of all files.
  package internal(set) var contents = PublishedFile(path: "", file: WrittenFile(size: 0, digest: .zero))
  package internal(set) var untagged = FileCount()
  /// The devices that the build is for; nil for all.
  package internal(set) var device: ReleaseDevice?
  /// The number and the expiry of a signed release; nil without.
  package internal(set) var edition: Release.Edition?
  /// The lists of patches, each with the digest of the earlier release's index.
  package internal(set) var patches: [(from: Digest, list: PublishedFile)] = []
  /// The offset of the list of packs.
  package internal(set) var packsOffset = 0
  /// The offset of the first byte that a build would not have written; nil if there is none.
  package internal(set) var firstOddByte: Int?

  /// One pack.
  package struct Pack: Sendable {
    package let id: String
    package let name: String
    package let tags: [String]
    package let delivery: Delivery
    package let priority: Double?
    package let fileCount: Int64
    /// The size of the files in bytes.
    package let size: Int64
    /// The digest of the contents and the archive.
    package let published: PublishedPack
    /// The offset of the pack in the index.
    package let offset: Int

    package var digest: Digest { published.digest }
    package var archive: PublishedFile { published.archive }
  }

  /// The packs that a request for one tag downloads.
  package struct Tag: Sendable {
    package let name: String
    package let delivery: Delivery
    /// The identifiers of the packs.
    package let packs: [String]
    /// The size of all its packs in bytes.
    package let size: Int64
    /// The offset of the tag in the index.
    package let offset: Int
  }

  /// The packs of one delivery in the order in which devices download them.
  package struct DownloadOrder: Sendable {
    /// The identifiers of the packs.
    package let packs: [String]
    /// The size of all its packs in bytes.
    package let size: Int64
    /// The offset of the list in the index.
    package let offset: Int
  }

  /// The number and the bytes of all packs' files, as the index says.
  package var total: (files: Int64, size: Int64) {
    (packs.saturatingSum(\.fileCount), packs.saturatingSum(\.size))
  }

  /// The place of an offset in the index.
  package func place(at offset: Int) -> Place { text.place(at: offset) }

  /// The release that the index describes, without references to packs that it lacks.
  package var release: Release { release([]) }

  /// Whether a build in a layout without an index left it beside its record, where no device fetches it.
  package var isLeft: Bool { text.path.hasSuffix("/\(PublishedNames.leftIndex)") }

  /// Bytes of the index as `serve` sends it; nil where it is not published.
  package var sentSize: Int64? { isLeft ? nil : ContentCoding.sentSize(of: text.bytes) }

  /// The digest of the index itself.
  package var digest: Digest { SHA256.digest(of: text.bytes) }

  /// The same with its patches, and the packed sizes of the files of each pack, by its place in the index.
  package func release(_ patches: [PatchSet], packedSizes: (Int) -> [Int64]? = { _ in nil }) -> Release {
    let numbers = Dictionary(zip(packs.map(\.id), 0...)) { first, _ in first }
    return Release(
      bundleIdentifier: bundleIdentifier, profile: limits.value,
      packs: packs.enumerated().map { $1.releasePack(packedSizes($0)) },
      tags: tags.map { tag in
        Release.Tag(
          name: tag.name, delivery: tag.delivery, packs: tag.packs.compactMap { numbers[$0] }, size: tag.size)
      },
      order: deliveries.mapValues { $0.packs.compactMap { numbers[$0] } }, untagged: untagged,
      contents: contents, device: device, patches: patches, indexDigest: digest, edition: edition)
  }
}

extension PublishedIndex.Pack {
  fileprivate func releasePack(_ packedSizes: [Int64]?) -> Release.Pack {
    Release.Pack(
      id: id, name: name, tags: tags, delivery: delivery, priority: priority, fileCount: fileCount,
      size: size,
      published: PublishedPack(
        digest: published.digest, archive: published.archive, isElsewhere: published.isElsewhere,
        packedSizes: packedSizes))
  }
}

extension PatchSet {
  /// Bytes of the list as `serve` sends it.
  package var sentSize: Int64 { Self.bytes(from: from, packs).withBytes { ContentCoding.sentSize($0) } }
}
