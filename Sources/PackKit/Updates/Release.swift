package import Archiving

/// One version of an app's packs: what a device can download, from a built folder or from a manifest.
package struct Release: Sendable {
  /// What it was read from, as the user typed it.
  package let name: String
  package let bundleIdentifier: String
  /// By identifier.
  package let packs: [Pack]
  /// Every file, by its number; packs are known to it by theirs.
  package let contents: PublishedContents
  private let numbers: [String: Int]

  /// One pack.
  package struct Pack: Sendable {
    package let id: String
    package let tags: [String]
    package let delivery: Delivery
    /// Bytes of the files.
    package let size: Int64
    /// The digest of the contents.
    package let digest: Digest
    /// The digest of the archive; nil for what is not built.
    package let archive: Digest?
  }

  /// What a built folder publishes.
  init(_ name: String, _ index: PublishedIndex, _ contents: PublishedContents) {
    let packs = index.packs.indices.map { number in
      let pack = index.packs[number]
      return Pack(
        id: pack.id, tags: pack.tags, delivery: pack.delivery, size: contents.size(ofPack: number),
        digest: pack.digest, archive: pack.archive.file.digest)
    }
    self.init(name: name, bundleIdentifier: index.bundleIdentifier, packs: packs, contents: contents)
  }

  /// What a build of a plan would publish, given each file's digest.
  init(_ name: String, _ plan: PackPlan, digests: [Digest]) {
    var contents = PublishedContents()
    let packs = plan.packOfFile
    for number in plan.filesByPackPath {
      let file = plan.tree.files[number]
      contents.append(
        path: Array(file.packPath.utf8)[...], size: file.size, digest: digests[number], pack: packs[number])
    }
    contents.group(into: plan.packs.count)
    let published = plan.packs.map { pack in
      let files = pack.files.map { plan.tree.files[$0] }
      let packed = pack.files.map { PackedFile(digest: digests[$0], entry: nil) }
      return Pack(
        id: pack.identity.identifier, tags: pack.tags, delivery: pack.delivery, size: pack.size,
        digest: contentsDigest(of: files, packed), archive: nil)
    }
    self.init(
      name: name, bundleIdentifier: plan.manifest.bundleIdentifier, packs: published, contents: contents)
  }

  private init(name: String, bundleIdentifier: String, packs: [Pack], contents: PublishedContents) {
    self.name = name
    self.bundleIdentifier = bundleIdentifier
    self.packs = packs
    self.contents = contents
    numbers = Dictionary(zip(packs.map(\.id), 0...)) { first, _ in first }
  }

  /// The pack of an identifier, by its number.
  package func pack(_ id: String) -> Int? { numbers[id] }

  /// Every tag, sorted.
  package var tags: [String] { Set(packs.lazy.flatMap(\.tags)).sorted { $0.precedesInBytes($1) } }

  /// Bytes of all packs.
  package var size: Int64 { packs.reduce(0) { $0.saturatingSum(with: $1.size) } }

  /// A file's path as text.
  package func path(_ file: Int32) -> String { String(decoding: contents.path(Int(file)), as: UTF8.self) }

  func size(_ file: Int32) -> Int64 { contents.size(Int(file)) }

  func digest(_ file: Int32) -> Digest { contents.digest(Int(file)) }
}

extension PublishedContents {
  /// Bytes of all files of a pack; an index may claim anything.
  fileprivate func size(ofPack pack: Int) -> Int64 {
    files(of: pack).reduce(0) { $0.saturatingSum(with: size(Int($1))) }
  }
}

extension PackPlan {
  /// The pack of each file of the tree, by its number.
  fileprivate var packOfFile: [Int] {
    var numbers = Array(repeating: 0, count: tree.files.count)
    for (number, pack) in packs.enumerated() {
      for file in pack.files { numbers[file] = number }
    }
    return numbers
  }
}
