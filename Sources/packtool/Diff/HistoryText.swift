import Findings
import Releases

/// A history for people: each update, the most frequent changes, and proposals to split packs.
struct HistoryText {
  private let history: HistoryReport
  /// Rows of a table that are shown.
  private let most: Int

  init(_ history: HistoryReport) {
    self.history = history
    most = history.showsAll ? .max : 10
  }

  var text: PlainText {
    "\(displayed(history.bundleIdentifier)): \(counted(history.updates.count, "update"))\n\n"
      + updates
      + packs
      + files + tags + splits
  }

  private var updates: PlainText {
    var table = TextTable([.left, .right, .right, .right, .right, .right, .right])
    table.add("", "changed", "added", "removed", "download", "new and changed files", "new contents")
    for update in history.updates {
      let counts = [PackChange.Status.changed, .added, .removed].map { grouped(update.packs($0)) }
      let download = update.total
      table.add(
        "\(displayed(update.old)) to \(displayed(update.new))", counts[0], counts[1], counts[2],
        ByteSize.text(history.told(download)), ByteSize.text(download.byFiles),
        ByteSize.text(download.byContent))
    }
    let total = history.total
    table.add(
      "all", "", "", "", ByteSize.text(history.told(total)), ByteSize.text(total.byFiles),
      ByteSize.text(total.byContent))
    return table.text() + (history.isPacked ? "downloads are packed bytes, all else is not\n" : "")
  }

  private var packs: PlainText {
    let packs = history.changedPacks
    if packs.isEmpty { return "\nno pack changed\n" }
    var table = TextTable([.left, .right, .right, .right])
    table.add("packs that changed", "updates", "download", "new and changed files")
    for pack in packs.prefix(most) {
      table.add(
        setNotation(pack.tags), "\(grouped(pack.changes)) of \(grouped(pack.updates))",
        ByteSize.text(pack.download), ByteSize.text(pack.fileBytes))
    }
    return "\n" + table.text() + more(packs.count)
  }

  private var files: PlainText {
    let files = history.files
    if files.isEmpty { return "" }
    var table = TextTable([.left, .right, .right])
    table.add("files that changed most often", "updates", "bytes")
    for file in files.prefix(most) {
      table.add(quoted(file.path), grouped(file.changes), ByteSize.text(file.size))
    }
    return "\n" + table.text() + more(files.count)
  }

  private var tags: PlainText {
    let tags = history.downloadedTags
    if tags.isEmpty { return "" }
    var table = TextTable([.left, .right, .right, .right])
    table.add("tags whose users downloaded most", "updates", "download", "new contents")
    for tag in tags.prefix(most) {
      table.add(
        quoted(tag.tag), grouped(tag.updates), ByteSize.text(tag.download.byPacks),
        ByteSize.text(tag.download.byContent))
    }
    return "\n" + table.text() + more(tags.count)
  }

  private func more(_ count: Int) -> PlainText {
    count > most ? "and \(grouped(count - most)) more; --verbose lists all\n" : ""
  }

  private var splits: PlainText {
    let splits = history.splits
    if splits.isEmpty { return "" }
    let lines = splits.prefix(most).map { "- \($0.message)\n" }.joined() + more(splits.count)
    if splits.count == 1 { return "\n" + lines }
    return
      "\n\(lines)\ntogether \(ByteSize.text(history.saving)) less of \(ByteSize.text(history.total.byPacks))\n"
  }
}
