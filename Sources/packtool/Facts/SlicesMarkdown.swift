import Findings
import PackKit

/// What classes of devices get, as a table: of each delivery and pack the smallest and the largest.
struct SlicesMarkdown {
  private let report: SlicesReport

  init(_ report: SlicesReport) {
    self.report = report
  }

  /// The rows of deliveries and packs.
  var text: Written<MarkdownForm> { table(report.ranges) }

  /// The rows of deliveries, and of all packs.
  var sums: Written<MarkdownForm> { table(report.ranges.filter { !$0.isPack }) }

  private func table(_ ranges: [SliceRange]) -> Written<MarkdownForm> {
    if ranges.isEmpty { return "" }
    let head = [counted(report.devices.count, "device class", plural: "device classes")]
    let rows = ranges.map { range in [range.title(in: report.release)] + range.cells }
    return "\n" + .table([head + ["smallest", "on", "largest", "on"]] + rows, textColumns: 1)
  }
}
