import Formats
package import Model
package import Pipeline
package import System

/// A release with the path, size and digest of every file, for comparisons.
package struct ReleaseContents: Sendable {
  /// The argument that packtool read the release from, as the user typed it.
  package let name: String
  package private(set) var release: Release
  /// All files.
  ///
  /// Each file refers to its pack by the pack's index.
  package let contents: PublishedContents
  /// The variants among the files; nil if every device gets all files, or if the variants are not known.
  package let variants: ReleaseVariants?
  private let digests: [Digest]
  /// The size of each pack in bytes: the sum of the sizes of its files.
  ///
  /// The size in an index is not used, because it could be wrong.
  private let sizes: [Int64]
  private let numbers: [String: Int]
  /// The size of the index in bytes, as a server sends it; nil for a plan.
  private let indexSize: Int64?

  init(named name: String, index: PublishedIndex, contents: PublishedContents, patches: [PatchSet] = []) {
    self.init(
      name: name, release: index.release(withPatches: patches), contents: contents,
      digests: index.packs.map(\.digest),
      sizes: index.packs.indices.map { contents.files(of: $0).saturatingSum { contents.size(at: Int($0)) } },
      indexSize: index.sentSize)
  }

  /// Returns the same contents with the release of a finished build.
  package func packed(as release: Release) -> ReleaseContents {
    var packed = self
    packed.release = release
    return packed
  }

  /// Creates the contents from a folder in the `background-assets` layout.
  init(
    named name: String, release: Release, packDigests: [Digest], files: [(file: PackListing.File, pack: Int)]
  ) {
    var contents = PublishedContents()
    for (file, pack) in files {
      contents.append(path: Array(file.path.utf8)[...], size: file.size, digest: file.digest, packIndex: pack)
    }
    contents.group(into: release.packs.count)
    self.init(
      name: name, release: release, contents: contents, digests: packDigests, sizes: release.packs.map(\.size)
    )
  }

  /// Creates the contents from a plan, the digest of each file, and the device classes to compare.
  init(named name: String, plan: PackPlan, for devices: [DeviceClass] = [], fileDigests: [Digest]) {
    var contents = PublishedContents()
    let packs = plan.packOfFile
    let fileNumbers = plan.filesByPackPath
    for number in fileNumbers {
      let file = plan.tree.files[number]
      contents.append(
        path: Array(file.packPath.utf8)[...], size: file.size, digest: fileDigests[number],
        packIndex: Int(packs[number]))
    }
    contents.group(into: plan.packs.count)
    self.init(
      name: name, release: Release(of: plan), contents: contents,
      digests: plan.packs.map { pack in
        ContentsDigest.digest(
          of: pack.files.lazy.map { plan.tree.files[$0] }, digests: pack.files.lazy.map { fileDigests[$0] })
      }, sizes: plan.packs.map(\.size),
      variants: ReleaseVariants(of: plan, for: devices, numbers: fileNumbers))
  }

  private init(
    name: String, release: Release, contents: PublishedContents, digests: [Digest], sizes: [Int64],
    variants: ReleaseVariants? = nil, indexSize: Int64? = nil
  ) {
    self.indexSize = indexSize
    self.variants = variants
    self.name = name
    self.release = release
    self.contents = contents
    self.digests = digests
    self.sizes = sizes
    numbers = Dictionary(zip(release.packs.map(\.id), 0...)) { first, _ in first }
  }

  /// Returns the number of bytes that a device with an older release downloads in addition to packs; nil for
  /// a plan.
  ///
  /// The device downloads the index and, if it exists, the list of patches. Both are counted as a server
  /// sends them.
  package func indexDownload(from old: ReleaseContents) -> Int64? {
    let list = release.patches.first { $0.from == old.release.indexDigest }
    return indexSize.map { $0 + (list?.sentSize ?? 0) }
  }

  package var bundleIdentifier: String { release.bundleIdentifier }

  package var packs: [Release.Pack] { release.packs }

  /// Returns the index of the pack with an identifier.
  package func pack(_ id: String) -> Int? { numbers[id] }

  /// Returns the digest of a pack's contents.
  package func digest(ofPack number: Int) -> Digest { digests[number] }

  /// Returns the size of a pack's files in bytes.
  package func size(ofPack number: Int) -> Int64 { sizes[number] }

  /// The size of all packs in bytes.
  package var size: Int64 { sizes.reduce(0) { $0.saturatingSum(with: $1) } }

  /// Returns a file's path as text.
  package func path(_ file: Int32) -> String { String(decoding: contents.path(at: Int(file)), as: UTF8.self) }

  package func size(_ file: Int32) -> Int64 { contents.size(at: Int(file)) }

  package func digest(_ file: Int32) -> Digest { contents.digest(at: Int(file)) }
}

/// The variants among the files of a release that was read from a manifest.
package struct ReleaseVariants: Sendable {
  /// The device classes to compare.
  package let devices: [DeviceClass]
  private let plan: PackPlan
  /// For each file of the release, its index in the asset tree.
  private let numbers: [Int]

  /// Creates the variants of a plan, for files in the order of a release; nil if the plan has no variants.
  init?(of plan: PackPlan, for devices: [DeviceClass], numbers: [Int]) {
    if plan.tree.variants.isEmpty || devices.isEmpty || plan.device != nil { return nil }
    self.devices = devices
    self.plan = plan
    self.numbers = numbers
  }

  /// The slices of the release.
  ///
  /// Device classes that get the same files share a slice.
  package var slices: [ReleaseSlice] { Slices(of: plan, for: devices).releases(of: plan) }

  /// Returns, for each asset, the index of the variant that a device class gets.
  ///
  /// Two device classes with equal lists get the same files.
  func picks(on device: DeviceClass) -> [Int?] { plan.tree.variants.picks(on: device) }

  /// Returns, for each file of the release, whether a device class does not get it.
  func isDropped(on device: DeviceClass) -> [Bool] {
    let dropped = plan.tree.variants.isDropped(on: device, fileCount: plan.tree.files.count)
    return numbers.map { dropped[$0] }
  }
}
