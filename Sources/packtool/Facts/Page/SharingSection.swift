import Findings
import Markup
import PackKit

struct SharingSection {
  private let facts: ReportFacts
  private let tags: [Int]
  private let packs: [Int]

  private var release: Release { facts.release }

  init(_ facts: ReportFacts, _ detail: ReportDetail) {
    self.facts = facts
    let release = facts.release
    let largest = release.packs.indices.sorted { (release.packs[$1].size, $0) < (release.packs[$0].size, $1) }
    packs = Array(largest.prefix(detail.matrixColumns))
    let byUse = release.tags.indices.sorted { (release.tags[$1].size, $0) < (release.tags[$0].size, $1) }
    tags = Array(byUse.prefix(detail.matrixRows))
  }

  var html: HTML? {
    // Without a shared pack each tag is its pack, which the tables say.
    guard release.packs.contains(where: { $0.tags.count > 1 }) else { return nil }
    let most = packs.first.map { release.packs[$0].size } ?? 0
    let heads = packs.map { number -> HTML in
      let pack = release.packs[number]
      let height = most > 0 ? max(1, Double(pack.size) / Double(most) * 56) : 1
      return """
        <th scope="col" data-k="\(number)"><svg width="10" height="56" role="img" aria-label="\(facts.names.name(of: pack.tags), upTo: 120), \(ByteSize.text(pack.size))"><title>\(pack.tags.joined(separator: " + "), upTo: 600)
        \(ByteSize.text(pack.size))</title><rect class="\(pack.delivery.mark.name)" y="\(56 - height)" width="10" height="\(height)" fill="\(pack.delivery.mark.color)"/></svg></th>
        """
    }
    return """
      <p class="choice" id="choice"></p>
      <div class="wide"><table class="matrix" data-p="\(packData)" cellpadding="1">
      <caption>Columns are packs, the largest first; a dot says that the pack carries the tag</caption>
      <thead><tr><th scope="col">tag</th><th scope="col">request</th>\(heads)</tr></thead>
      <tbody>
      \(tags.map(row))</tbody></table></div>
      \(.note(omission))\(dragTable)
      """
  }

  private func row(_ tag: Int) -> HTML {
    let name = release.tags[tag].name
    let dragged = Set(facts.drag.packs)
    let cells = packs.map { number -> HTML in
      let pack = release.packs[number]
      if !pack.tags.contains(name) { return "<td></td>" }
      return dragged.contains(number) ? "<td class=\"drag\">◆</td>" : "<td>●</td>"
    }
    return """
      <tr data-t="\(tag)"><th scope="row">\(name, upTo: 120)</th>\(.size(release.tags[tag].size))\(cells)</tr>

      """
  }

  /// The data of the choice of tags: of each pack size, packed size and tags by number.
  private var packData: HTML {
    let numbers = Dictionary(zip(release.tags.map(\.name), 0...)) { first, _ in first }
    var data: HTML = ""
    for pack in release.packs {
      let tags = pack.tags.compactMap { numbers[$0] }.map { number -> HTML in " \(number)" }
      let packed: HTML = pack.packedSize.map { "\($0)" } ?? "-"
      data += "\(pack.size) \(packed)\(tags);"
      if data.text.utf8.count > 100_000 { return "" }
    }
    return data
  }

  private var omission: String? {
    let (more, others) = (release.tags.count - tags.count, release.packs.count - packs.count)
    var parts: [String] = []
    if more > 0 { parts.append(counted(more, "more tag")) }
    if others > 0 { parts.append(counted(others, "more pack")) }
    let marks = facts.drag.packs.isEmpty ? "" : "◆: in the initial install because of another tag. "
    return marks + (parts.isEmpty ? "" : "\(parts.joined(separator: " and ")) are in the tables below.")
  }

  private var dragTable: HTML {
    let drag = facts.drag
    if drag.packs.isEmpty { return "" }
    return Table(
      drag.packs.prefix(20).map { release.packs[$0] }, .tags("pack", facts.names, \.tags),
      .count("files", \.fileCount),
      .size("size", \.size), .size("packed", \.packedSize)
    ).html("In the initial install only because they share a tag with it: \(ByteSize.text(drag.size))")
      + .note(drag.packs.count - 20, "more pack", "", "and ")
  }
}
