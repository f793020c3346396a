import Findings
import PackKit
import Packing
import System

/// The summary of a finished build.
struct BuildSummary {
  private let release: Release
  private let output: String
  private let seconds: Double

  private let changes: OutputChanges

  init(_ release: Release, _ changes: OutputChanges, output: String, seconds: Double) {
    self.release = release
    self.changes = changes
    self.output = output
    self.seconds = seconds
  }

  var text: PlainText {
    var table = TextTable([.left, .right, .right, .right, .right])
    table.add("", "packs", "files", "size", "packed")
    var total = Row()
    for delivery in Delivery.allCases {
      let row = Row(release, delivery)
      total.packs += row.packs
      total.files += row.files
      total.size = total.size.saturatingSum(with: row.size)
      total.packed = total.packed.saturatingSum(with: row.packed)
      row.add(to: &table, titled: delivery.title)
    }
    total.add(to: &table, titled: "total")
    return table.text() + elsewhere + patches + removed
      + (changes.isNothingWritten
        ? "\(displayed(output)) is up to date" : "wrote \(displayed(output)) in \(time)") + "\n"
  }

  /// The remark on packs without an archive in the output folder.
  private var elsewhere: PlainText {
    let count = release.packs.count { $0.published?.isElsewhere == true }
    return count == 0 ? "" : "took over \(counted(count, "pack")), published elsewhere\n"
  }

  /// A line for each earlier release with what its players download.
  private var patches: PlainText {
    release.patches.map { set -> PlainText in
      let patched = Set(set.packs.map(\.id))
      let whole = release.packs.lazy.filter { patched.contains($0.id) }.saturatingSum { $0.packedSize ?? 0 }
      let size = set.packs.saturatingSum(\.patch.file.size)
      let count = counted(set.packs.count, "patch", plural: "patches")
      return "\(count) from release \(set.from.short): \(ByteSize.text(size)) in place of "
        + "\(ByteSize.text(whole))\n"
    }.joined()
  }

  /// The remark on packs of older builds.
  private var removed: PlainText {
    let count = changes.removedPacks
    return count == 0 ? "" : "removed \(counted(count, "pack")) that the new index does not name\n"
  }

  private struct Row {
    var packs = 0
    var files = 0
    var size: Int64 = 0
    var packed: Int64 = 0

    init() {}

    init(_ release: Release, _ delivery: Delivery) {
      for number in release.order(of: delivery) {
        packs += 1
        files += Int(release.packs[number].fileCount)
        size = size.saturatingSum(with: release.packs[number].size)
        packed = packed.saturatingSum(with: release.packs[number].published?.archive.file.size ?? 0)
      }
    }

    func add(to table: inout TextTable, titled title: String) {
      table.add(title, grouped(packs), grouped(files), ByteSize.text(size), ByteSize.text(packed))
    }
  }

  private var time: String {
    if seconds < 1 { return "\(Int(seconds * 1000)) ms" }
    let tenths = Int(seconds * 10)
    return "\(tenths / 10).\(tenths % 10) s"
  }
}
