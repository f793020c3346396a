import Formats
import Model
import Pipeline
import System

/// The tree of a treemap: delivery modes, their packs, and the packs' folders and files, each with its size.
struct SizeTree: Sendable {
  enum Kind: Sendable, Hashable {
    case delivery(Delivery)
    case untagged
    case pack
    case folder
    case file
    /// Several files, folders or packs that are too small to be drawn separately.
    case rest(Int)
  }

  struct Node: Sendable {
    let kind: Kind
    let name: String
    let size: Int64
    /// The compressed size in bytes; nil if unknown.
    let packedSize: Int64?
    var tags: [String] = []
    var children: [Node] = []
  }

  private(set) var nodes: [Node] = []
  /// Files and folders that are smaller than this number of bytes are combined.
  let least: Int64
  private let names: TagNames

  /// Makes the tree of a release.
  ///
  /// The tree has approximately `leaves` leaves.
  init(_ release: Release, names: TagNames, files: ReportFiles, leafCount leaves: Int) {
    self.names = names
    let total = release.total.size.saturatingSum(with: release.untagged.size)
    let isSmall = release.total.files + max(files.untagged.count, 1) <= leaves
    least = isSmall ? 0 : max(1, total / Int64(max(1, leaves)))
    nodes = Delivery.allCases.compactMap { delivery in
      let order = release.order(of: delivery)
      if order.isEmpty { return nil }
      return node(
        .delivery(delivery), name: delivery.title,
        children: order.map { pack(release.packs[$0], files: files.packs[$0]) })
    }
    if release.untagged.files > 0 { nodes.append(untagged(release.untagged, files: files.untagged)) }
    nodes.sort { $0.size > $1.size }
  }

  private func pack(_ pack: Release.Pack, files: [ReportFiles.File]) -> Node {
    let name = names.name(of: pack.tags)
    var node = Node(kind: .pack, name: name, size: pack.size, packedSize: pack.packedSize)
    if name != pack.tags.joined(separator: " + ") { node.tags = pack.tags }
    if pack.size >= least { node.children = folders(of: files) }
    return node
  }

  private func untagged(_ count: FileCount, files: [ReportFiles.File]) -> Node {
    var node = Node(kind: .untagged, name: "untagged", size: count.size, packedSize: nil)
    node.children = folders(of: files)
    return node
  }

  private func folders(of files: [ReportFiles.File]) -> [Node] {
    var folders: [Substring: [ReportFiles.File]] = [:]
    var first = 0
    // The files of a folder are usually adjacent. Adding them together takes a third of the time.
    while first < files.count {
      let folder = files[first].folder
      let end = files[first...].firstIndex { $0.folder != folder } ?? files.endIndex
      folders[folder, default: []] += files[first..<end]
      first = end
    }
    return gathered(
      folders.map { folder, files in node(.folder, name: String(folder), children: files.map(leaf)) })
  }

  private func leaf(_ file: ReportFiles.File) -> Node {
    Node(kind: .file, name: file.path, size: file.size, packedSize: file.packedSize)
  }

  private func node(_ kind: Kind, name: String, children: [Node]) -> Node {
    Node(
      kind: kind, name: name, size: children.saturatingSum { $0.size }, packedSize: Self.packed(children),
      children: gathered(children))
  }

  private static func packed(_ nodes: [Node]) -> Int64? {
    nodes.reduce(Int64?(0)) { sum, node in
      sum.flatMap { sum in node.packedSize.map { sum.saturatingSum(with: $0) } }
    }
  }

  private func gathered(_ nodes: [Node]) -> [Node] {
    let small = nodes.filter { $0.size < least }
    var shown = nodes.filter { $0.size >= least }
    if small.count == 1 { shown += small }
    if small.count > 1 {
      let rest = Node(
        kind: .rest(small.count), name: "", size: small.saturatingSum { $0.size },
        packedSize: Self.packed(small))
      if rest.size > 0 { shown.append(rest) }
    }
    return shown.sorted { first, second in
      first.size == second.size ? first.name.precedesInBytes(second.name) : first.size > second.size
    }
  }
}
