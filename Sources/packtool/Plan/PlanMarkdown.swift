import Findings
import PackKit

/// A plan for a pull request or a page: deliveries, then packs and tags as tables.
struct PlanMarkdown {
  private let release: Release
  private let view: PlanView
  private let slices: SlicesReport?

  init(_ release: Release, _ view: PlanView, _ slices: SlicesReport? = nil) {
    self.release = release
    self.view = view
    self.slices = slices
  }

  var text: Written<MarkdownForm> {
    "### \(release.bundleIdentifier)\n\n" + deliveries + packs + tags
      + (slices.map { SlicesMarkdown($0).text } ?? "")
  }

  /// The heading and the cell of packed sizes; nothing where none is known.
  private func packed(_ packs: some Sequence<Int>) -> [String] {
    release.hasPackedSizes ? [release.packedSize(of: packs).map { ByteSize.text($0) } ?? "–"] : []
  }

  private var heading: [String] { release.hasPackedSizes ? ["packed"] : [] }

  private var deliveries: Written<MarkdownForm> {
    var rows = [["", "packs", "files", "size"] + heading]
    for delivery in Delivery.allCases {
      let (count, order) = (release.count(of: delivery), release.order(of: delivery))
      rows.append(
        [delivery.title, grouped(order.count), grouped(count.files), ByteSize.text(count.size)]
          + packed(order))
    }
    let total = release.total
    rows.append(
      ["all", grouped(release.packs.count), grouped(total.files), ByteSize.text(total.size)]
        + packed(release.packs.indices))
    let untagged = release.untagged
    let none = release.hasPackedSizes ? [""] : []
    rows.append(["untagged", "", grouped(untagged.files), ByteSize.text(untagged.size)] + none)
    return .table(rows, textColumns: 1)
  }

  private var packs: Written<MarkdownForm> {
    var rows = [["pack", "delivery", "files", "size"] + heading]
    var left = 0
    for delivery in Delivery.allCases {
      let packs = view.packs(of: delivery, in: release)
      left += packs.left
      for number in packs.shown {
        let pack = release.packs[number]
        rows.append(
          [
            pack.tags.joined(separator: " + "), delivery.title, grouped(pack.fileCount),
            ByteSize.text(pack.size),
          ] + packed([number]))
      }
    }
    let more: Written<MarkdownForm> = left > 0 ? "\nAnd \(counted(left, "more pack")).\n" : ""
    return "\n" + .table(rows, textColumns: 2) + more
  }

  private var tags: Written<MarkdownForm> {
    var rows = [["tag", "delivery", "packs", "a request downloads"] + heading]
    for tag in release.tags {
      rows.append(
        [tag.name, tag.delivery.title, grouped(tag.packs.count), ByteSize.text(tag.size)]
          + packed(tag.packs))
    }
    return "\n" + .table(rows, textColumns: 2)
  }
}

/// A plan as a Mermaid flowchart, which GitHub and GitLab draw in comments: tags, and the packs that carry them.
struct PlanMermaid {
  private let release: Release
  private let view: PlanView

  /// Packs of a delivery that are drawn; GitHub refuses charts of more than 500 edges.
  private static let mostPacks = 60
  private static let mostEdges = 480
  private static let longestName = 120

  init(_ release: Release, _ view: PlanView) {
    self.release = release
    var view = view
    view.most = min(view.most ?? Self.mostPacks, Self.mostPacks)
    if view.sort == nil { view.sort = .size }
    self.view = view
  }

  var text: Written<MermaidForm> {
    var text: Written<MermaidForm> = "flowchart LR\n"
    var shown: [Int] = []
    for delivery in Delivery.allCases {
      let packs = view.packs(of: delivery, in: release)
      if packs.shown.isEmpty { continue }
      shown += packs.shown
      text +=
        "  subgraph \(delivery.rawValue)[\"\(delivery.title): \(ByteSize.text(release.count(of: delivery).size))\"]\n"
      for number in packs.shown { text += "    p\(number)[\"\(label(of: release.packs[number]))\"]\n" }
      if packs.left > 0 { text += "    m\(delivery.rawValue)[\"\(counted(packs.left, "more pack"))\"]\n" }
      text += "  end\n"
    }
    return text + edges(to: Set(shown))
  }

  private func edges(to packs: Set<Int>) -> Written<MermaidForm> {
    var text: Written<MermaidForm> = ""
    var count = 0
    for (number, tag) in release.tags.enumerated() {
      let ends = tag.packs.filter(packs.contains)
      if ends.isEmpty || count + ends.count > Self.mostEdges { continue }
      count += ends.count
      text += "  t\(number)([\"\(tag.name.prefix(Self.longestName))\"])\n"
      for pack in ends { text += "  t\(number) --> p\(pack)\n" }
    }
    return text
  }

  private func label(of pack: Release.Pack) -> Written<MermaidForm> {
    let packed = pack.packedSize.map { ", packed \(ByteSize.text($0))" } ?? ""
    return
      "\(pack.tags.joined(separator: " + ").prefix(Self.longestName))<br/>\(ByteSize.text(pack.size))\(packed)"
  }
}

/// A plan as comma-separated values (RFC 4180), a line for each pack, for spreadsheets.
struct PlanCSV {
  private let release: Release
  private let view: PlanView

  init(_ release: Release, _ view: PlanView) {
    self.release = release
    self.view = view
  }

  var text: Written<CSVForm> {
    let head = ["id", "name", "tags", "delivery", "place", "priority", "fileCount", "size", "packed"]
    return Self.line(head) + Delivery.allCases.map(lines).joined()
  }

  private func lines(_ delivery: Delivery) -> Written<CSVForm> {
    let places = Dictionary(uniqueKeysWithValues: zip(release.order(of: delivery), 1...))
    return view.packs(of: delivery, in: release).shown.map { number in
      let pack = release.packs[number]
      return Self.line([
        pack.id, pack.name, pack.tags.joined(separator: "+"), delivery.rawValue,
        delivery == .onDemand ? "" : places[number].map(String.init) ?? "",
        pack.priority.map(\.description) ?? "", String(pack.fileCount), String(pack.size),
        pack.packedSize.map(String.init) ?? "",
      ])
    }.joined()
  }

  private static func line(_ cells: [String]) -> Written<CSVForm> {
    cells.map { cell -> Written<CSVForm> in "\(cell)" }.joined(separator: ",") + "\r\n"
  }
}
