import Archiving
import Formats
import Model
import Pipeline
import System

extension SizeTree {
  private static let frame = Rectangle(x: 0, y: 0, width: 1000, height: 560)
  /// The heights of headings.
  ///
  /// The first height is for delivery modes. The second height is for packs and folders that are large enough
  /// for a heading.
  private static let (tall, low) = (20.0, 14.0)

  var html: HTML {
    let small =
      least > 1
      ? " Files smaller than \(ByteSize.text(least)) are combined until you zoom into their pack." : ""
    return """
      <div class="find" id="find"></div>
      \(.legend(HTML.deliveries + [HTML.LegendEntry(cssClass: "u", color: "#c8c8c4", meaning: "untagged, in the app")]))<div class="pic"><svg id="map" viewBox="0 0 1000 560" width="100%" font-family="system-ui, sans-serif" font-size="11" role="img" aria-label="Treemap of all files by size; the tables below have the same numbers">
      \(drawn(nodes, in: Self.frame, delivery: .onDemand))</svg></div>
      \(.note("Areas show sizes: of deliveries, and of the packs, folders and files in them.\(small) Every rectangle has its name and size as a tooltip."))
      """
  }

  private func drawn(_ nodes: [Node], in frame: Rectangle, delivery: Delivery) -> [HTML] {
    let places = SquarifiedTreemap(nodes.map { Double($0.size) }, in: frame).rectangles
    return zip(nodes, places).map { node, place in draw(node, in: place, delivery: delivery) }
  }

  private func draw(_ node: Node, in place: Rectangle, delivery: Delivery) -> HTML {
    switch node.kind {
    case .delivery(let delivery):
      return group(
        node, in: place.inset(by: 1), delivery: delivery, cssClass: "g \(delivery.mark.name)",
        headingHeight: Self.tall,
        fill: delivery.mark.color)
    case .untagged:
      return group(
        node, in: place.inset(by: 1), delivery: .onDemand, cssClass: "g u", headingHeight: Self.tall,
        fill: "#c8c8c4")
    case .pack:
      return group(
        node, in: place.inset(by: 0.5), delivery: delivery, cssClass: "k", headingHeight: Self.low, fill: nil)
    case .folder:
      return group(
        node, in: place.inset(by: 0.5), delivery: delivery, cssClass: "d", headingHeight: Self.low, fill: nil)
    case .file, .rest: return leaf(node, in: place, delivery: delivery)
    }
  }

  private func group(
    _ node: Node, in place: Rectangle, delivery: Delivery, cssClass: HTML, headingHeight: Double,
    fill: HTML?
  ) -> HTML {
    let hasHeading = place.width > 60 && place.height > headingHeight * 2
    let color: HTML = fill.map { " fill=\"\($0)\"" } ?? ""
    // A pack that is too small to show its files is drawn as a single rectangle.
    let frame: HTML = node.children.isEmpty ? "" : " fill-opacity=\"0.25\""
    let inside = place.inset(by: 1, top: hasHeading ? headingHeight - 1 : 0)
    let only = node.children.count == 1 && node.children[0].kind == .folder ? node.children[0] : node
    let whole = "\(short(node)) · \(ByteSize.text(node.size))"
    // A truncated size would be misleading, so a size is shown only if it fits.
    let fits = whole.screenWidth <= HTML.columns(in: place.width - 6)
    let label: HTML =
      hasHeading
      ? text(
        fits ? whole : short(node), in: place, baseline: headingHeight - 5, color: "#111111", cssClass: "t")
      : ""
    return """
      <g class="\(cssClass)"\(color)><title>\(title(node))</title><rect\(coordinates(place))\(frame)/>\(label)\(drawn(only.children, in: inside, delivery: delivery))</g>

      """
  }

  private func leaf(_ node: Node, in place: Rectangle, delivery: Delivery) -> HTML {
    let label: HTML =
      place.width > 60 && place.height > 16
      ? text(short(node), in: place, baseline: 12, color: delivery.mark.ink, cssClass: "l") : ""
    let kind: HTML = node.kind == .file ? "f" : "r"
    return """
      <g class="\(kind)"><title>\(title(node))</title><rect\(coordinates(place)) stroke="#ffffff" stroke-width="0.6"/>\(label)</g>
      """
  }

  private func coordinates(_ place: Rectangle) -> HTML {
    " x=\"\(place.x)\" y=\"\(place.y)\" width=\"\(place.width)\" height=\"\(place.height)\""
  }

  private func text(_ text: String, in place: Rectangle, baseline line: Double, color: HTML, cssClass: HTML)
    -> HTML
  {
    let cut = text.cut(toColumns: HTML.columns(in: place.width - 6))
    return
      "<text class=\"\(cssClass)\" x=\"\(place.x + 4)\" y=\"\(place.y + line)\" fill=\"\(color)\">\(cut, upTo: 100)</text>"
  }

  private func title(_ node: Node) -> HTML {
    let packed = node.packedSize.map { ", compressed \(ByteSize.text($0))" } ?? ""
    let whole: HTML = node.tags.isEmpty ? "" : "\n\(node.tags.joined(separator: " + "), upTo: 600)"
    return "\(name(of: node), upTo: 140)\n\(ByteSize.text(node.size))\(packed)\(whole)"
  }

  private func name(of node: Node) -> String {
    switch node.kind {
    case .rest(let count): "\(grouped(count)) smaller files"
    default: node.name
    }
  }

  /// Returns the part of a node's name that the surrounding rectangle does not already show.
  private func short(_ node: Node) -> String {
    switch node.kind {
    case .file, .folder: lastName(of: node.name)
    default: name(of: node)
    }
  }
}

/// The format of the list that the page's script reads.
///
/// A field contains neither line ends nor field separators.
enum FileListForm: WrittenForm {
  static func escaped(_ text: String) -> String { harmless(text) }
}

extension SizeTree {
  /// The maximum size of the file list in Base64.
  ///
  /// If the list would be larger, it contains only the largest files.
  private static let maxListSize = 400_000

  /// Makes a hidden element with all delivery modes, packs, folders and files.
  ///
  /// The page's script uses the element to search and to draw.
  static func templateElement(for release: Release, packNames: TagNames, files: ReportFiles) -> HTML {
    var leaves = 40_000
    while true {
      let tree = SizeTree(release, names: packNames, files: files, leafCount: leaves)
      let lines = tree.lines(tree.nodes, at: 1).bytes
      let packed = Base64.text(of: lines.withBytes { Deflater.gzip($0, level: 9).array() })
      leaves /= 2
      if packed.utf8.count <= maxListSize || leaves == 0 {
        return "<template id=\"all\">\(packed, upTo: .max)</template>"
      }
    }
  }

  /// Writes a line for each node: its depth, kind, sizes, name and tags.
  ///
  /// The name of a file does not repeat the part that is already in the name of the file's folder.
  func lines(_ nodes: [Node], at depth: Int) -> Written<FileListForm> {
    nodes.map { node -> Written<FileListForm> in
      let kind: Written<FileListForm> =
        switch node.kind {
        case .delivery(let delivery): Written(delivery.mark.name) { $0 }
        case .untagged: "u"
        case .pack: "k"
        case .folder: "d"
        case .file: "f"
        case .rest: "r"
        }
      let packed: Written<FileListForm> = node.packedSize.map { "\($0)" } ?? ""
      let name = node.kind == .file ? short(node) : name(of: node)
      let tags = node.tags.joined(separator: " + ").prefix(600)
      return
        "\(depth)\(kind)\(node.size)\u{1f}\(packed)\u{1f}\(name)\u{1f}\(tags)\n\(lines(node.children, at: depth + 1))"
    }.joined()
  }
}

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
