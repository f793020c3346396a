import Findings
import PackKit

/// The slices of a plan for people: the smallest and the largest class of each delivery and pack.
struct SlicesText {
  private let report: SlicesReport

  init(_ report: SlicesReport) {
    self.report = report
  }

  var text: PlainText {
    let count = report.devices.count
    if count == 0 { return "\nno file is a variant: every device gets all of it\n" }
    var table = TextTable([.left, .right, .left, .right, .left])
    table.add("", "smallest", "on", "largest", "on")
    for range in report.ranges {
      let title = displayed(range.title(in: report.release))
      let cells = range.cells
      table.add(range.isPack ? "  \(title)" : title, cells[0], cells[1], cells[2], cells[3])
    }
    return
      "\n\(counted(count, "device class", plural: "device classes")), of each pack the smallest and the largest:\n"
      + table.text(indentation: 2)
  }
}
