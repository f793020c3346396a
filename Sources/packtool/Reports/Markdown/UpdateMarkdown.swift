import Findings
import PackKit
import Releases

/// A comparison for a pull request: a short table, the worst packs, and what to do.
struct UpdateMarkdown {
  private let report: UpdateReport

  private static let mostPacks = 5
  private static let mostRemarks = 5

  init(_ report: UpdateReport) {
    self.report = report
  }

  var text: String {
    "### App update: \(ByteSize.text(report.summary.total.byPacks)) to download\n\n"
      + downloads + counts + devices + worst + remarks
  }

  private var devices: String {
    let sentences = (report.reach?.sentences ?? []).prefix(Self.mostPacks)
    return sentences.isEmpty ? "" : "\n" + sentences.map { "- \(Markdown.escaped($0))\n" }.joined()
  }

  private var downloads: String {
    var rows = [["a user who has", "downloads", "new and changed files", "new contents"]]
    for user in report.users {
      rows.append([
        Markdown.escaped(user.name), ByteSize.text(user.download.byPacks),
        ByteSize.text(user.download.byFiles),
        ByteSize.text(user.download.byContent),
      ])
    }
    return Markdown.table(rows, textColumns: 1)
  }

  private var counts: String {
    let counts = report.summary.counts.map { count in
      "\(grouped(count.packs)) \(count.status.rawValue) (\(ByteSize.text(count.size)))"
    }
    return "\nPacks: \(counts.joined(separator: ", ")).\n"
  }

  private var worst: String {
    let changes = report.downloadedPacks
    if changes.isEmpty { return "" }
    var rows = [["pack", "", "files", "downloads", "new and changed files"]]
    for change in changes.prefix(Self.mostPacks) {
      rows.append([
        Markdown.escaped(change.tags.joined(separator: " + ")),
        "\(change.status.rawValue), \(report.delivery(of: change).title)", files(of: change),
        ByteSize.text(change.download), ByteSize.text(change.fileBytes),
      ])
    }
    let rest = changes.count - Self.mostPacks
    return "\n" + Markdown.table(rows, textColumns: 3)
      + (rest > 0 ? "\nAnd \(counted(rest, "more pack", plural: "more packs")).\n" : "")
  }

  private func files(of change: PackChange) -> String {
    let counts = [PackChange.Change.changed, .added, .removed].map { ($0.rawValue, change.count($0)) }
    return counts.filter { $0.1 > 0 }.map { "\(grouped($0.1)) \($0.0)" }.joined(separator: ", ")
  }

  private var remarks: String {
    if report.remarks.isEmpty { return "" }
    let lines = report.remarks.prefix(Self.mostRemarks).map { "- \(Markdown.escaped($0.message))\n" }
    return "\n" + lines.joined()
  }
}
