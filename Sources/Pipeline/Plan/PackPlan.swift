package import Formats
package import Model
import System

/// The packs to be built, and the order in which devices download them.
package struct PackPlan: Sendable {
  package let manifest: Manifest
  package let tree: AssetTree
  /// The packs, sorted by identifier.
  package let packs: [AssetPack]
  /// The tags, sorted by name in byte order.
  package let tags: [Tag]
  /// The device class for which the plan was thinned; nil if the plan has the packs of all devices.
  package internal(set) var device: DeviceClass?

  /// The download of a request for a tag: the indices of the packs that have the tag, and their total size.
  package typealias Tag = Release.Tag

  private let downloadOrder: [Delivery: [Int]]
}

extension PackPlan {
  /// Groups files by their exact tag set.
  package init(grouping tree: AssetTree, of manifest: Manifest) {
    self.manifest = manifest
    self.tree = tree
    let order = DeliveryOrder(of: manifest)
    var packs: [AssetPack] = []
    for (set, files) in tree.filesByTagSet.enumerated() where !files.isEmpty {
      let tags = tree.tagSets.tags(of: TagSets.ID(set))
      packs.append(
        AssetPack(
          tags: tags, identity: PackIdentity(tags: tags, bundleIdentifier: manifest.bundleIdentifier),
          delivery: order.delivery(of: tags), priority: order.priority(of: tags), files: files,
          size: files.saturatingSum { tree.files[$0].size }))
    }
    packs.sort { ($0.identity.identifier, $0.identity.name) < ($1.identity.identifier, $1.identity.name) }
    self.packs = packs
    tags = Self.summarize(packs, order: order)
    downloadOrder = Dictionary(
      uniqueKeysWithValues: Delivery.allCases.map { ($0, Self.order(packs, for: $0, by: order)) })
  }

  /// Returns the indices of the packs with a delivery mode, in the order in which devices download them.
  package func order(of delivery: Delivery) -> [Int] { downloadOrder[delivery] ?? [] }

  /// The index of each tag set's pack.
  ///
  /// The position in the array is the id of the tag set.
  package var packOfTagSet: [Int] {
    var numbers = Array(repeating: 0, count: tree.tagSets.count)
    for (number, pack) in packs.enumerated() {
      if let first = pack.files.first { numbers[Int(tree.files[first].tagSet)] = number }
    }
    return numbers
  }

  /// The indices of all packed files in the tree, in byte order of their paths inside packs.
  package var filesByPackPath: [Int] {
    let files = tree.files
    // The tree of a slice also contains files that are only for other devices.
    let numbers = device == nil ? Array(files.indices) : packs.flatMap(\.files).sorted()
    if tree.isInPackOrder { return numbers }
    return numbers.sorted { first, second in
      let paths = (files[first].packPath, files[second].packPath)
      return paths.0.isSameInBytes(as: paths.1) ? first < second : paths.0.precedesInBytes(paths.1)
    }
  }

  private static func order(_ packs: [AssetPack], for delivery: Delivery, by order: DeliveryOrder) -> [Int] {
    let chosen = packs.indices.filter { packs[$0].delivery == delivery }
    if delivery == .onDemand { return chosen }
    // The packs are already sorted by identifier, so their indices decide if everything else is equal.
    let keys = chosen.map { (order.position(of: packs[$0].tags, for: delivery), packs[$0].tags.count, $0) }
    return keys.sorted { $0 < $1 }.map(\.2)
  }

  private static func summarize(_ packs: [AssetPack], order: DeliveryOrder) -> [Tag] {
    var packsOfTag: [String: [Int]] = [:]
    for (index, pack) in packs.enumerated() {
      for tag in pack.tags { packsOfTag[tag, default: []].append(index) }
    }
    return packsOfTag.sorted { $0.key.precedesInBytes($1.key) }.map { tag, indices in
      Tag(
        name: tag, delivery: order.delivery(of: [tag]), packs: indices,
        size: indices.saturatingSum { packs[$0].size })
    }
  }
}

extension AssetTree {
  /// The files of each tag set, in byte order of their paths inside the pack.
  ///
  /// The position in the array is the id of the tag set.
  fileprivate var filesByTagSet: [[Int]] {
    var groups: [[Int]] = Array(repeating: [], count: tagSets.count)
    // The loop uses indices because copying a file value would also change reference counts, which takes
    // time.
    for index in files.indices { groups[Int(files[index].tagSet)].append(index) }
    if isInPackOrder { return groups }
    for group in groups.indices {
      groups[group].sort { files[$0].packPath.precedesInBytes(files[$1].packPath) }
    }
    return groups
  }
}

extension PackPlan {
  /// Returns the plan with only some of its packs, given by their indices in ascending order.
  ///
  /// The tree of the new plan still has all files.
  package func part(_ numbers: [Int]) -> PackPlan { part(numbers, of: packs) }

  /// Returns a plan with some of this plan's packs, but with changed files; `all` contains the changed packs
  /// in the order of this plan.
  func part(_ numbers: [Int], of all: [AssetPack]) -> PackPlan {
    let places = Dictionary(uniqueKeysWithValues: zip(numbers, 0...))
    let packs = numbers.map { all[$0] }
    let tags = tags.compactMap { tag -> Tag? in
      let kept = tag.packs.compactMap { places[$0] }
      if kept.isEmpty { return nil }
      return Tag(
        name: tag.name, delivery: tag.delivery, packs: kept, size: kept.saturatingSum { packs[$0].size })
    }
    let orders = Delivery.allCases.map { ($0, order(of: $0).compactMap { places[$0] }) }
    return PackPlan(
      manifest: manifest, tree: tree, packs: packs, tags: tags, device: device,
      downloadOrder: Dictionary(uniqueKeysWithValues: orders))
  }
}

/// All files with the same tag set, which are downloaded together.
package struct AssetPack: Sendable {
  /// The tags, sorted as Swift strings.
  package let tags: [String]
  package let identity: PackIdentity
  package let delivery: Delivery
  /// The priority that Xcode assigns to the pack's download; nil if the pack is on demand.
  package let priority: Double?
  /// The indices of the files in the tree, in byte order of their paths inside the pack.
  package let files: [Int]
  /// The size of the files in bytes.
  package let size: Int64
}

extension PackPlan {
  /// Returns the place where the manifest first uses one of these tags.
  package func place(ofTags tags: [String]) -> Place {
    let first = tags.lazy.compactMap { manifest.firstOffsets[$0] ?? tree.generatedTags[$0]?.offset }.first
    return manifest.text.place(at: first ?? manifest.rulesOffset)
  }

  /// Returns the place of a file for findings, with the path as the user would type it.
  package func place(of file: AssetFile) -> Place { Place(joined(manifest.rootPath, file.path)) }
}
