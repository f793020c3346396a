import Findings
import PackKit

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
