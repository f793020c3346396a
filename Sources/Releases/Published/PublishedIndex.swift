package import Findings
package import Formats
package import PackKit
package import System

/// What the `index.json` of a built folder says.
package struct PublishedIndex: Sendable {
  /// The text that places refer to.
  package let text: SourceText
  package internal(set) var bundleIdentifier = ""
  /// The name of the profile of limits that the build was held against.
  package internal(set) var limits = Located("", at: 0)
  /// In the order of the index, by identifier where it is right.
  package internal(set) var packs: [Pack] = []
  package internal(set) var tags: [Tag] = []
  package internal(set) var deliveries: [Delivery: DownloadOrder] = [:]
  /// The list of all files.
  package internal(set) var contents = PublishedFile(path: "", file: WrittenFile(size: 0, digest: .zero))
  package internal(set) var untagged = FileCount()
  /// The byte at which the list of packs stands.
  package internal(set) var packsOffset = 0
  /// The first byte of the text that a build would write otherwise; nil where all is as a build writes it.
  package internal(set) var firstOddByte: Int?

  /// One pack.
  package struct Pack: Sendable {
    package let id: String
    package let name: String
    package let tags: [String]
    package let delivery: Delivery
    package let priority: Double?
    package let fileCount: Int64
    /// Bytes of the files.
    package let size: Int64
    /// The digest of the contents and the archive.
    package let published: PublishedPack
    /// The byte at which the pack stands in the index.
    package let offset: Int

    package var digest: Digest { published.digest }
    package var archive: PublishedFile { published.archive }
  }

  /// What a request for one tag downloads.
  package struct Tag: Sendable {
    package let name: String
    package let delivery: Delivery
    /// Identifiers.
    package let packs: [String]
    /// Bytes of all its packs.
    package let size: Int64
    /// The byte at which the tag stands in the index.
    package let offset: Int
  }

  /// The packs of one delivery in the order in which devices download them.
  package struct DownloadOrder: Sendable {
    /// Identifiers.
    package let packs: [String]
    /// Bytes of all its packs.
    package let size: Int64
    /// The byte at which the list stands in the index.
    package let offset: Int
  }

  /// The place of a byte of the index.
  package func place(at offset: Int) -> Place { text.place(at: offset) }

  /// The release that the index describes, as far as it names packs that it has.
  package var release: Release {
    let numbers = Dictionary(zip(packs.map(\.id), 0...)) { first, _ in first }
    return Release(
      bundleIdentifier: bundleIdentifier, profile: limits.value, packs: packs.map(\.releasePack),
      tags: tags.map { tag in
        Release.Tag(
          name: tag.name, delivery: tag.delivery, packs: tag.packs.compactMap { numbers[$0] }, size: tag.size)
      },
      order: deliveries.mapValues { $0.packs.compactMap { numbers[$0] } }, untagged: untagged,
      contents: contents)
  }
}

extension PublishedIndex.Pack {
  fileprivate var releasePack: Release.Pack {
    Release.Pack(
      id: id, name: name, tags: tags, delivery: delivery, priority: priority, fileCount: fileCount,
      size: size,
      published: published)
  }
}
