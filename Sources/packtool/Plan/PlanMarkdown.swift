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
