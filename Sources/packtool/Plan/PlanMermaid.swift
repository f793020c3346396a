import Findings
import PackKit

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
