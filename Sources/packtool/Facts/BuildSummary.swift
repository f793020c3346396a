import Findings
import PackKit
import Packing
import System

extension Release {
  /// The summary of the build of it, which made changes in an output folder.
  func summary(_ changes: OutputChanges, output: String, seconds: Double) -> PlainText {
    var table = TextTable([.left, .right, .right, .right, .right])
    table.add("", "packs", "files", "size", "packed")
    func add(_ numbers: [Int], titled title: String) {
      let packs = numbers.map { self.packs[$0] }
      table.add(
        title, grouped(packs.count), grouped(packs.reduce(0) { $0 + Int($1.fileCount) }),
        ByteSize.text(packs.saturatingSum { $0.size }),
        ByteSize.text(packs.saturatingSum { $0.published?.archive.file.size ?? 0 }))
    }
    for delivery in Delivery.allCases { add(order(of: delivery), titled: delivery.title) }
    add(Delivery.allCases.flatMap(order), titled: "total")
    let elsewhere = packs.count { $0.published?.isElsewhere == true }
    var text = table.text()
    if elsewhere > 0 { text += "took over \(counted(elsewhere, "pack")), published elsewhere\n" }
    if changes.removedPacks > 0 {
      text += "removed \(counted(changes.removedPacks, "pack")) that the new index does not name\n"
    }
    return text
      + (changes.isNothingWritten
        ? "\(displayed(output)) is up to date\n" : "wrote \(displayed(output)) in \(Self.time(seconds))\n")
  }

  private static func time(_ seconds: Double) -> String {
    if seconds < 1 { return "\(Int(seconds * 1000)) ms" }
    let tenths = Int(seconds * 10)
    return "\(tenths / 10).\(tenths % 10) s"
  }
}
