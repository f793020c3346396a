import Findings
import Releases

/// A history for a pull request.
struct HistoryMarkdown {
  private let history: HistoryReport

  private static let mostRows = 5

  init(_ history: HistoryReport) {
    self.history = history
  }

  var text: Written<MarkdownForm> {
    let total = history.total
    let size = ByteSize.text(history.told(total))
    return "### \(counted(history.updates.count, "update")): \(size) downloaded\n\n"
      + updates + packs + files
      + history.splits.map { remark -> Written<MarkdownForm> in "- \(remark.message)\n" }.joined()
      + UpdateMarkdown.marker
  }

  private var updates: Written<MarkdownForm> {
    var rows = [["update", "downloads", "new and changed files", "new contents"]]
    for update in history.updates {
      let download = update.total
      rows.append([
        "\(update.old) to \(update.new)", ByteSize.text(history.told(download)),
        ByteSize.text(download.byFiles), ByteSize.text(download.byContent),
      ])
    }
    let caution: Written<MarkdownForm> =
      history.isPacked ? "" : "\nDownloads are uncompressed bytes: not every release is built.\n"
    return .table(rows, textColumns: 1) + caution + "\n"
  }

  private var packs: Written<MarkdownForm> {
    var rows = [["pack", "changed in updates", "downloads", "new and changed files"]]
    for pack in history.changedPacks.prefix(Self.mostRows) {
      rows.append([
        pack.tags.joined(separator: " + "), "\(pack.changes) of \(pack.updates)",
        ByteSize.text(pack.download), ByteSize.text(pack.fileBytes),
      ])
    }
    return rows.count == 1 ? "" : .table(rows, textColumns: 1) + "\n"
  }

  private var files: Written<MarkdownForm> {
    var rows = [["file", "changed in updates", "bytes"]]
    for file in history.files.prefix(Self.mostRows) {
      rows.append([file.path, grouped(file.changes), ByteSize.text(file.size)])
    }
    return rows.count == 1 ? "" : .table(rows, textColumns: 1) + "\n"
  }
}
