import Findings
import Markup
import PackKit

/// The slices where not all devices get the same: of each pack the smallest and the largest.
extension SlicesReport {
  private static let mostRows = 24

  /// The section of a page; nil without classes.
  func html(_ detail: ReportDetail) -> HTML? {
    if devices.isEmpty { return nil }
    let ranges = ranges
    return "<p>\(summary)</p>\n" + picture(ranges) + table(ranges, detail) + groups(detail)
  }

  private var summary: String {
    let count = counted(devices.count, "device class", plural: "device classes")
    return slices.count == 1
      ? "\(count) get the same files."
      : "\(count) get \(grouped(slices.count)) different sets of files: of the variants of one thing a device gets one."
  }

  private func picture(_ ranges: [SliceRange]) -> HTML {
    let rows = drawn(ranges)
    guard let most = rows.map(\.range.most.size).max(), most > 0 else { return "" }
    let bars = rows.enumerated().map { row, range -> HTML in
      let (least, largest) = (range.range.least.size, range.range.most.size)
      let (width, sure) = (Double(largest) / Double(most) * 600, Double(least) / Double(most) * 600)
      let (y, title) = (row * 18, range.title)
      let text = range.isSame ? ByteSize.text(least) : "\(ByteSize.text(least)) to \(ByteSize.text(largest))"
      return """
        <g><title>\(title, upTo: 140)
        \(ByteSize.text(least)) on \(range.leastDevice), \(ByteSize.text(largest)) on \(range.mostDevice)</title>\(.rowName(title, endingAt: 240, y + 12, isSum: !range.isPack))<rect class="o" x="248" y="\(y + 2)" width="\(width)" height="13" fill="#bcd3ee"/><rect class="i" x="248" y="\(y + 2)" width="\(sure)" height="13" fill="#1f4e8c"/><text class="t" x="\(254 + width)" y="\(y + 12)" fill="#111111">\(text)</text></g>

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

  private func table(_ ranges: [SliceRange], _ detail: ReportDetail) -> HTML {
    Table(
      ranges.prefix(detail.rows),
      [
        .markup("what") { $0.isPack ? "\($0.title, upTo: 160)" : "<strong>\($0.title)</strong>" },
        .size("smallest", \.range.least.size), .text("on", \.leastDevice),
        .size("largest", \.range.most.size), .text("on", \.mostDevice),
      ]
    ).html(
      "Of each delivery and pack the smallest and the largest class of devices; sizes count uncompressed")
      + .note(ranges.count - detail.rows, "more row", ": packtool plan --devices lists all.")
  }

  private func groups(_ detail: ReportDetail) -> HTML {
    let sizes = Delivery.allCases.map { delivery in
      Table<ReleaseSlice>.Column.size(delivery.title) { $0.release.count(of: delivery).size }
    }
    let more = slices.count - detail.rows
    return Table(
      slices.prefix(detail.rows),
      [
        .text("device classes", upTo: 400) { listed($0.devices.map(\.name), atMost: 3) },
        .count("how many", \.devices.count),
      ] + sizes + [.size("all packs", \.release.total.size)]
    ).html("Devices that get the same, those with most first")
      + .note(more > 0 ? "and \(grouped(more)) more" : nil)
  }
}
