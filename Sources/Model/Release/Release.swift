import Formats
package import System

/// A release: packs, tags, download order and sizes.
///
/// It is made from a plan or read from an index.
package struct Release: Sendable {
  package let bundleIdentifier: String
  /// The name of the release's limit profile.
  package let profile: String
  /// The limits that the manifest sets instead of the profile's limits.
  package let ownLimits: LimitSettings.Overrides
  /// The packs, sorted by identifier.
  package private(set) var packs: [Pack]
  /// The tags, sorted by name in byte order.
  package private(set) var tags: [Tag]
  /// The manifest's lists of tags; nil if an earlier version of packtool wrote the index without these lists.
  package let lists: TagLists?
  /// The number and total size of the files that stay in the app bundle.
  package let untagged: FileCount
  /// The list of all files; nil for a plan, and in layouts without such a list.
  package private(set) var contents: PublishedFile?
  /// The devices for which the release was thinned; nil if the release has the packs of all devices.
  package let device: ReleaseDevice?
  /// The patches from earlier releases.
  package let patches: [PatchSet]
  /// The digest of the release's `index.json`; nil for a plan.
  package let indexDigest: Digest?
  /// The release number and expiry of a signed release; nil if the release is not signed.
  package var edition: Edition?
  private let order: [Delivery: [Int]]

  /// The number and the expiry of a signed release.
  package struct Edition: Sendable {
    /// The release number.
    ///
    /// It is higher than the numbers of all earlier releases.
    package let number: Int64
    /// The time in RFC 3339 format after which clients refuse the release; nil if the release never expires.
    package let expiryText: String?

    package init(number: Int64, expiryText: String?) {
      self.number = number
      self.expiryText = expiryText
    }
  }

  /// One asset pack.
  package struct Pack: Sendable {
    package let id: String
    package let name: String
    /// The tags, sorted as Swift strings.
    package let tags: [String]
    package let delivery: Delivery
    /// Xcode's download priority; nil if the pack is on demand.
    package let priority: Double?
    package fileprivate(set) var fileCount: Int64
    /// The uncompressed size of the files in bytes.
    package fileprivate(set) var size: Int64
    /// The published pack; nil for a plan.
    package let published: PublishedPack?
    /// The version of a Background Assets pack on your server; nil for other packs.
    ///
    /// From the version, devices see that the pack has changed.
    package let version: Int64?
    /// The language of the devices that get the pack, in lower case; nil if all devices get the pack.
    package let language: String?

    /// The size of the archive in bytes; nil if the archive is not built.
    package var packedSize: Int64? { published?.archive.file.size }

    package init(
      id: String, name: String, tags: [String], delivery: Delivery, priority: Double?, fileCount: Int64,
      size: Int64, published: PublishedPack?, version: Int64? = nil, language: String? = nil
    ) {
      self.version = version
      self.language = language
      self.id = id
      self.name = name
      self.tags = tags
      self.delivery = delivery
      self.priority = priority
      self.fileCount = fileCount
      self.size = size
      self.published = published
    }
  }

  /// The packs that a request for one tag downloads.
  package struct Tag: Sendable {
    package let name: String
    package let delivery: Delivery
    /// The indices of the packs in `packs`, in ascending order.
    package let packs: [Int]
    /// The size of the packs in bytes.
    package fileprivate(set) var size: Int64

    package init(name: String, delivery: Delivery, packs: [Int], size: Int64) {
      self.name = name
      self.delivery = delivery
      self.packs = packs
      self.size = size
    }
  }

  package init(
    bundleIdentifier: String, profile: String, ownLimits: LimitSettings.Overrides = [:], packs: [Pack],
    tags: [Tag], order: [Delivery: [Int]], lists: TagLists? = nil, untagged: FileCount,
    contents: PublishedFile?,
    device: ReleaseDevice? = nil, patches: [PatchSet] = [],
    indexDigest: Digest? = nil, edition: Edition? = nil
  ) {
    self.edition = edition
    self.patches = patches
    self.indexDigest = indexDigest
    self.device = device
    self.bundleIdentifier = bundleIdentifier
    self.profile = profile
    self.ownLimits = ownLimits
    self.packs = packs
    self.tags = tags
    self.order = order
    self.lists = lists
    self.untagged = untagged
    self.contents = contents
  }

  /// Returns this release with the list of its files added.
  package func listing(_ contents: PublishedFile) -> Release {
    var release = self
    release.contents = contents
    return release
  }

  /// Returns the indices of the packs of a delivery mode, in the order in which devices download them.
  package func order(of delivery: Delivery) -> [Int] { order[delivery] ?? [] }

  /// Returns the patches that a device with an earlier release downloads, keyed by the identifier of the
  /// pack.
  ///
  /// The result is nil if there are no patches from that release.
  package func patches(from old: Release) -> [String: PublishedFile]? {
    let set = patches.first { $0.from == old.indexDigest }
    return set.map { Dictionary($0.packs.map { ($0.id, $0.patch) }) { first, _ in first } }
  }

  /// Returns a text for people about the delivery mode of a tag's packs.
  package func deliveryTitle(of tag: Tag) -> String {
    tag.delivery.title(ofPacks: tag.packs.map { packs[$0].delivery })
  }

  /// The number and total size of the files in all packs.
  package var total: FileCount { count(of: packs.indices) }

  /// Returns the number and total size of the files in all packs of a delivery mode.
  package func count(of delivery: Delivery) -> FileCount {
    count(of: packs.indices.filter { packs[$0].delivery == delivery })
  }

  /// Returns the total size in bytes of some packs' archives; nil if one of the packs is not built.
  package func packedSize(of numbers: some Sequence<Int>) -> Int64? {
    var sum: Int64 = 0
    for number in numbers {
      guard let size = packs[number].packedSize else { return nil }
      sum = sum.saturatingSum(with: size)
    }
    return sum
  }

  /// Returns the total size in bytes of the archives of a delivery mode's packs; nil if one of these packs is
  /// not built.
  package func packedSize(of delivery: Delivery) -> Int64? { packedSize(of: order(of: delivery)) }

  /// Whether the compressed size of at least one pack is known.
  package var hasPackedSizes: Bool { packs.contains { $0.packedSize != nil } }

  private func count(of numbers: some Sequence<Int>) -> FileCount {
    numbers.reduce(into: FileCount()) { sum, number in
      sum.files += Int(packs[number].fileCount)
      sum.size = sum.size.saturatingSum(with: packs[number].size)
    }
  }
}

extension Release {
  /// Returns the tags of a delivery mode in the order of the manifest's list.
  ///
  /// For an index without lists, the tags are in the order of their packs. On-demand tags are sorted by name.
  package func tags(of delivery: Delivery) -> [Tag] {
    let chosen = tags.filter { $0.delivery == delivery }
    if delivery == .onDemand { return chosen }
    let places: [String: Int]
    if let lists {
      places = Dictionary(zip(lists.tags(of: delivery), 0...)) { first, _ in first }
    } else {
      let packPlaces = Dictionary(zip(order(of: delivery), 0...)) { first, _ in first }
      // A pack with a single tag is at the position of that tag. A pack with several tags is at the position
      // of one of these tags.
      places = Dictionary(
        chosen.map { tag in
          let own = tag.packs.filter { packs[$0].tags.count == 1 }
          return (tag.name, (own.isEmpty ? tag.packs : own).compactMap { packPlaces[$0] }.min() ?? .max)
        }
      ) { first, _ in first }
    }
    return chosen.enumerated().sorted { first, second in
      let keys = [first, second].map { places[$0.element.name] ?? .max }
      return keys[0] == keys[1] ? first.offset < second.offset : keys[0] < keys[1]
    }.map(\.element)
  }

  /// All tags in the order of Xcode's list: initial install, prefetch, on demand.
  package var tagsByDelivery: [Tag] { Delivery.allCases.flatMap(tags(of:)) }
}

extension LimitSettings {
  /// Creates the limits that a release was built for.
  ///
  /// If the profile is unknown, the App Store profile is used.
  package init(of release: Release) {
    self.init(profile: LimitProfile.named(release.profile) ?? .appStore, overrides: release.ownLimits)
  }
}

extension Release {
  /// Returns those packs of a list that one device gets: packs for all languages, and packs for the device's
  /// language.
  ///
  /// packtool chooses the device whose language has the most bytes among these packs.
  package func packsOnDevice(of numbers: some Sequence<Int>) -> [Int] {
    let numbers = Array(numbers)
    return packs(numbers, forLanguage: largestLanguage(of: numbers))
  }

  /// Returns the packs of a delivery mode that one device downloads, in the order in which it downloads them.
  ///
  /// packtool chooses the device whose language has the most bytes in the initial install. If the initial
  /// install has no languages, packtool chooses by the bytes of the prefetch.
  package func orderOnDevice(of delivery: Delivery) -> [Int] {
    let language =
      largestLanguage(of: order(of: .initialInstall)) ?? largestLanguage(of: order(of: .prefetch))
    return packs(order(of: delivery), forLanguage: language)
  }

  /// Returns those of the given packs that a device with a language gets.
  private func packs(_ numbers: [Int], forLanguage language: String?) -> [Int] {
    guard let language else { return numbers }
    return numbers.filter { packs[$0].language == nil || packs[$0].language == language }
  }

  /// Returns the language with the most bytes among some packs; nil if all these packs are for all languages.
  private func largestLanguage(of numbers: [Int]) -> String? {
    var sizes: [String: Int64] = [:]
    for number in numbers {
      guard let language = packs[number].language else { continue }
      sizes[language] = (sizes[language] ?? 0).saturatingSum(with: packs[number].size)
    }
    return sizes.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
  }

  /// The size in bytes of the archives of all packs; nil if the size of an archive is unknown.
  ///
  /// The size is also nil if the packs are folders, which are not compressed.
  package var archivedSize: Int64? {
    guard let size = packedSize(of: packs.indices), size != total.size else { return nil }
    return size
  }

  /// Returns the total size of some packs in bytes, on the device that downloads the most bytes.
  package func sizeOnDevice(ofPacks numbers: some Sequence<Int>) -> Int64 {
    packsOnDevice(of: numbers).saturatingSum { packs[$0].size }
  }

  /// Returns the total size in bytes of the packs with these delivery modes, on the device that downloads the
  /// most bytes.
  package func sizeOnDevice(of deliveries: Delivery...) -> Int64 { sizeOnDevice(of: deliveries) }

  /// Returns the total size in bytes of the packs with these delivery modes, on the device that downloads the
  /// most bytes.
  package func sizeOnDevice(of deliveries: [Delivery]) -> Int64 {
    sizeOnDevice(ofPacks: packs.indices.filter { deliveries.contains(packs[$0].delivery) })
  }
}

extension Release {
  /// Returns this release with other numbers of files and other sizes for its packs.
  package func with(_ counts: [FileCount]) -> Release {
    var release = self
    for (number, count) in counts.enumerated() {
      release.packs[number].fileCount = Int64(count.files)
      release.packs[number].size = count.size
    }
    for number in tags.indices {
      release.tags[number].size = tags[number].packs.saturatingSum { counts[$0].size }
    }
    return release
  }
}

/// A file of a build that is listed in the build's index.
package struct PublishedFile: Sendable, Hashable {
  /// The path, relative to the folder of the index.
  package let path: String
  package let file: WrittenFile

  package init(path: String, file: WrittenFile) {
    self.path = path
    self.file = file
  }
}

/// A pack that a build wrote.
package struct PublishedPack: Sendable {
  /// The digest of the contents.
  package let digest: Digest
  package let archive: PublishedFile
  /// Whether the archive is published in another folder, so that the build wrote no archive here.
  package let isElsewhere: Bool
  /// The compressed size in bytes of each file inside the archive, in byte order of the paths.
  ///
  /// The list is nil if the caller did not request the sizes, or if the container does not compress files
  /// separately.
  package let packedSizes: [Int64]?

  package init(
    digest: Digest, archive: PublishedFile, isElsewhere: Bool = false, packedSizes: [Int64]? = nil
  ) {
    self.isElsewhere = isElsewhere
    self.packedSizes = packedSizes
    self.digest = digest
    self.archive = archive
  }
}

/// The device class for which a release was thinned, as the index describes it.
package struct ReleaseDevice: Sendable {
  package let name: String
  /// The product types, such as `iPhone17,1`.
  package let products: [String]

  package init(name: String, products: [String]) {
    self.name = name
    self.products = products
  }

  package init(_ device: DeviceClass) { self.init(name: device.name, products: device.products) }
}
