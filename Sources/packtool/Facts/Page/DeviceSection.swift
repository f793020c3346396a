import Findings
import Markup
import PackKit

/// The slices where not all devices get the same: of each pack the smallest and the largest.
struct DeviceSection {
  private let slices: SlicesReport?
  private let detail: ReportDetail

  /// Rows of the drawing.
  private static let mostRows = 24

  init(_ facts: ReportFacts, _ detail: ReportDetail) {
    slices = facts.slices
    self.detail = detail
  }

  var html: HTML? {
    guard let slices, !slices.devices.isEmpty else { return nil }
    let ranges = slices.ranges
    return "<p>\(summary(slices))</p>\n" + picture(slices, ranges) + table(slices, ranges) + groups(slices)
  }

  private func summary(_ slices: SlicesReport) -> String {
    let count = counted(slices.devices.count, "device class", plural: "device classes")
    return slices.slices.count == 1
      ? "\(count) get the same files."
      : "\(count) get \(grouped(slices.slices.count)) different sets of files: of the variants of one thing a device gets one."
  }

  /// A bar for each delivery, and for the packs that differ most: what every device gets, and what the largest gets.
  private func picture(_ slices: SlicesReport, _ ranges: [SliceRange]) -> HTML {
    let rows = drawn(ranges)
    guard let most = rows.map(\.range.most.size).max(), most > 0 else { return "" }
    let bars = rows.enumerated().map { row, range -> HTML in
      let (least, largest) = (range.range.least.size, range.range.most.size)
      let (width, sure) = (Double(largest) / Double(most) * 600, Double(least) / Double(most) * 600)
      let (y, title) = (row * 18, range.title(in: slices.release))
      let text = range.isSame ? ByteSize.text(least) : "\(ByteSize.text(least)) to \(ByteSize.text(largest))"
      return """
        <g><title>\(title, upTo: 140)
        \(ByteSize.text(least)) on \(range.cells[1]), \(ByteSize.text(largest)) on \(range.cells[3])</title>\(.rowName(title, endingAt: 240, y + 12, isSum: !range.isPack))<rect class="o" x="248" y="\(y + 2)" width="\(width)" height="13" fill="#bcd3ee"/><rect class="i" x="248" y="\(y + 2)" width="\(sure)" height="13" fill="#1f4e8c"/><text class="t" x="\(254 + width)" y="\(y + 12)" fill="#111111">\(text)</text></g>

        """
    }
    let left = ranges.count - rows.count
    return """
      \(.legend([("i", "#1f4e8c", "what the device with the least gets"), ("o", "#bcd3ee", "up to what the one with the most gets")]))<div class="pic"><svg viewBox="0 0 1000 \(rows.count * 18)" width="100%" font-family="system-ui, sans-serif" font-size="11" role="img" aria-label="Sizes on devices, from the smallest to the largest">
      \(bars)</svg></div>
      \(.note(left > 0 ? "\(counted(left, "pack")) that differ less, or not at all, are not drawn." : nil))
      """
  }

  /// The sums, and as many packs as have room: those that differ most.
  private func drawn(_ ranges: [SliceRange]) -> [SliceRange] {
    let packs = ranges.indices.filter { ranges[$0].isPack && !ranges[$0].isSame }
    let chosen = Set(
      packs.sorted { (ranges[$1].spread, $0) < (ranges[$0].spread, $1) }.prefix(Self.mostRows))
    return ranges.indices.filter { !ranges[$0].isPack || chosen.contains($0) }.map { ranges[$0] }
  }

  private func table(_ slices: SlicesReport, _ ranges: [SliceRange]) -> HTML {
    let shown = ranges.prefix(detail.rows)
    let rows = shown.map { range -> HTML in
      let (cells, title) = (range.cells, range.title(in: slices.release))
      let head: HTML = range.isPack ? "\(title, upTo: 160)" : "<strong>\(title)</strong>"
      return """
        <tr><th scope="row">\(head)</th>\(.size(range.range.least.size))\(.name(cells[1]))\(.size(range.range.most.size))\(.name(cells[3]))</tr>

        """
    }
    let more = ranges.count - shown.count
    return .table(
      "Of each delivery and pack the smallest and the largest class of devices; sizes count uncompressed",
      [.text("what"), .number("smallest"), .text("on"), .number("largest"), .text("on")], Array(rows))
      + .note(more > 0 ? "\(counted(more, "more row")): packtool plan --devices lists all." : nil)
  }

  /// The classes that get the same, as one row.
  private func groups(_ slices: SlicesReport) -> HTML {
    let rows = slices.slices.prefix(detail.rows).map { slice -> HTML in
      let sizes = Delivery.allCases.map { HTML.size(slice.release.count(of: $0).size) }
      let names = listed(slice.devices.map(\.name), atMost: 3)
      return """
        <tr><th scope="row">\(names, upTo: 400)</th>\(.count(slice.devices.count))\(sizes)\(.size(slice.release.total.size))</tr>

        """
    }
    let more = slices.slices.count - rows.count
    return .table(
      "Devices that get the same, those with most first",
      [.text("device classes"), .number("how many")] + Delivery.allCases.map { .number($0.title) }
        + [.number("all packs")], Array(rows)) + .note(more > 0 ? "and \(grouped(more)) more" : nil)
  }
}
