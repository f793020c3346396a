import Findings
import PackKit
import System

/// What a treemap draws: deliveries, their packs, these packs' folders and files, each with its size.
struct SizeTree: Sendable {
  /// What a node stands for.
  enum Kind: Sendable, Hashable {
    case delivery(Delivery)
    case untagged
    case pack
    case folder
    case file
    /// Several files, folders or packs that are too small to be drawn one by one.
    case rest(Int)
  }

  /// A rectangle with what is inside it.
  struct Node: Sendable {
    let kind: Kind
    let name: String
    /// Bytes.
    let size: Int64
    /// Bytes inside archives; nil where that is not known.
    let packedSize: Int64?
    /// The largest first.
    var children: [Node] = []
  }

  /// The deliveries and what is untagged, the largest first.
  private(set) var nodes: [Node] = []
  /// The size in bytes below which files and folders are summed up.
  let least: Int64

  /// The tree of a release, with about as many leaves as `leaves`.
  init(_ release: Release, _ files: ReportFiles, leaves: Int) {
    let total = release.total.size.saturatingSum(with: release.untagged.size)
    let isSmall = release.total.files + max(files.untagged.count, 1) <= leaves
    least = isSmall ? 1 : max(1, total / Int64(max(1, leaves)))
    nodes = Delivery.allCases.compactMap { delivery in
      let order = release.order(of: delivery)
      if order.isEmpty { return nil }
      return node(
        .delivery(delivery), delivery.title, order.map { pack(release.packs[$0], files.packs[$0]) })
    }
    if release.untagged.files > 0 { nodes.append(untagged(release.untagged, files.untagged)) }
    nodes.sort { $0.size > $1.size }
  }

  private func pack(_ pack: Release.Pack, _ files: [ReportFiles.File]) -> Node {
    let name = pack.tags.joined(separator: " + ")
    var node = Node(kind: .pack, name: name, size: pack.size, packedSize: pack.packedSize)
    if pack.size >= least { node.children = folders(of: files) }
    return node
  }

  private func untagged(_ count: FileCount, _ files: [ReportFiles.File]) -> Node {
    var node = Node(kind: .untagged, name: "untagged", size: count.size, packedSize: nil)
    node.children = folders(of: files)
    return node
  }

  /// The folders of files, each with its own files; the files alone where there is one folder.
  private func folders(of files: [ReportFiles.File]) -> [Node] {
    let groups = Dictionary(grouping: files, by: \.folder)
    if groups.count == 1, let files = groups.first?.value { return gathered(files.map(leaf)) }
    return gathered(groups.map { folder, files in node(.folder, folder, files.map(leaf)) })
  }

  private func leaf(_ file: ReportFiles.File) -> Node {
    Node(kind: .file, name: file.path, size: file.size, packedSize: file.packedSize)
  }

  private func node(_ kind: Kind, _ name: String, _ children: [Node]) -> Node {
    Node(
      kind: kind, name: name, size: children.saturatingSum { $0.size }, packedSize: Self.packed(children),
      children: gathered(children))
  }

  private static func packed(_ nodes: [Node]) -> Int64? {
    nodes.reduce(Int64?(0)) { sum, node in
      sum.flatMap { sum in node.packedSize.map { sum.saturatingSum(with: $0) } }
    }
  }

  /// Nodes in order, those that are too small as one.
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
