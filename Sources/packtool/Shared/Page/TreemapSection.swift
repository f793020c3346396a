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

  func name(of node: Node) -> String {
    switch node.kind {
    case .rest(let count): "\(grouped(count)) smaller files"
    default: node.name
    }
  }

  /// Returns the part of a node's name that the surrounding rectangle does not already show.
  func short(_ node: Node) -> String {
    switch node.kind {
    case .file, .folder: lastName(of: node.name)
    default: name(of: node)
    }
  }
}
