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
    for delivery in Delivery.allCases where !report.release.order(of: delivery).isEmpty {
      add(delivery.title, to: &table) { $0.count(of: delivery).size }
      for number in report.release.order(of: delivery) {
        let name = "  \(displayed(report.release.packs[number].tags.joined(separator: " + ")))"
        add(name, to: &table) { $0.packs[number].size }
      }
    }
    add("all packs", to: &table) { $0.total.size }
    return
      "\n\(counted(count, "device class", plural: "device classes")), of each pack the smallest and the largest:\n"
      + table.text(indentation: 2)
  }

  private func add(_ name: String, to table: inout TextTable, _ size: (Release) -> Int64) {
    guard let range = report.range(of: size) else { return }
    let (least, most) = (range.least, range.most)
    if least.size == most.size {
      table.add(name, ByteSize.text(least.size), "all", ByteSize.text(most.size), "all")
    } else {
      table.add(
        name, ByteSize.text(least.size), least.device.name, ByteSize.text(most.size), most.device.name)
    }
  }
}
