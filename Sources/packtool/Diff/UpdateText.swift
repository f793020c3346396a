import Findings
import PackKit
import Releases

/// A comparison for people: the downloads of each kind of user, the changed packs and files, and proposals.
struct UpdateText {
  private let report: UpdateReport
  private var update: Comparison { report.update }

  /// The number of rows shown of a shortened list.
  private static let mostRows = 10
  /// The number of packs shown of a shortened list.
  private static let mostPacks = 20

  private let screen: Screen

  init(_ report: UpdateReport, on screen: Screen = .plain) {
    self.report = report
    self.screen = screen
  }

  var text: PlainText {
    let head: PlainText =
      "\(displayed(update.new.bundleIdentifier)): \(displayed(update.old.name)) to \(displayed(update.new.name))"
    return screen.paint(head, .bold) + "\n\n" + counts + downloads + devices + changes + remarks
  }

  /// Which devices the update reaches.
  private var devices: PlainText {
    let sentences = report.reach?.sentences ?? []
    if sentences.isEmpty { return "" }
    return "\n"
      + sentences.prefix(most(Self.mostRows)).map { sentence -> PlainText in "\(sentence)\n" }.joined()
      + more(sentences.count, Self.mostRows, "group")
  }

  private var counts: PlainText {
    var table = TextTable([.left, .right, .right, .right])
    let isAny = report.summary.counts.contains { $0.packed ?? 0 > 0 }
    table.add("", "packs", "size", isAny ? "packed" : "")
    for count in report.summary.counts {
      let packed = isAny ? count.packed.map { ByteSize.text($0) } ?? "-" : ""
      table.add(
        count.status.rawValue, in: style(of: count.status), grouped(count.packs), ByteSize.text(count.size),
        packed)
    }
    return table.text(on: Screen(width: nil, isColored: screen.isColored))
  }

  private var downloads: PlainText {
    var table = TextTable([.left, .right, .right, .right, .right])
    table.add("", "download", report.isPacked ? "size" : "", "new and changed files", "new contents")
    func add(_ name: String, _ download: Download) {
      table.add(
        name, ByteSize.text(report.told(download)), report.isPacked ? ByteSize.text(download.byPacks) : "",
        ByteSize.text(download.byFiles), ByteSize.text(download.byContent))
    }
    for user in report.users { add("a user who has \(user.name)", user.download) }
    for (delivery, download) in report.deliveries { add("packs: \(delivery.title)", download) }
    let tags = report.downloadedTags
    for (tag, download) in tags.prefix(most(Self.mostRows)) { add("tag \(quoted(tag))", download) }
    return "\n" + table.text(on: screen) + more(tags.count, Self.mostRows, "tag")
      + (report.caution.map { screen.wrapped($0) } ?? "")
  }

  /// The colour of a change.
  private func style(of status: PackChange.Status) -> Screen.Style? {
    switch status {
    case .unchanged: nil
    case .changed: .yellow
    case .added: .red
    case .removed: .green
    }
  }

  /// The number of rows to show of a list.
  private func most(_ rows: Int) -> Int { report.showsAll ? .max : rows }

  /// The line below a shortened list.
  private func more(_ count: Int, _ rows: Int, _ noun: String, indentation: String = "") -> PlainText {
    let rest = count - most(rows)
    return rest > 0
      ? "\(indentation)and \(counted(rest, "more \(noun)")); --verbose lists all\n" : ""
  }

  private var changes: PlainText {
    let changes = report.changes
    let rest = more(changes.count, Self.mostPacks, "pack")
    return changes.prefix(most(Self.mostPacks)).map(text).joined() + (rest.isEmpty ? "" : "\n" + rest)
  }

  private func text(of change: PackChange) -> PlainText {
    let what =
      switch change.status {
      case .changed:
        "\(ByteSize.text(report.told(change))) downloaded again for \(ByteSize.text(change.fileBytes)) of new and "
          + "changed files"
      case .added: "\(ByteSize.text(report.told(change))) downloaded"
      case .removed, .unchanged: ByteSize.text(change.size)
      }
    let status: PlainText = screen.paint("\(change.status.rawValue)", style(of: change.status))
    let head: PlainText =
      "\n\(status) \(setNotation(change.tags)), \(report.delivery(of: change).title): \(what)\n"
    var table = TextTable([.left, .left, .right])
    for file in change.files.prefix(most(Self.mostRows)) {
      table.add(verb(of: file), quoted(report.path(of: file)), sizes(of: file))
    }
    return head + table.text(indentation: 2)
      + more(change.files.count, Self.mostRows, "file", indentation: "  ")
  }

  private func verb(of file: PackChange.File) -> String {
    guard let other = report.otherPack(of: file) else { return file.change.rawValue }
    return "\(other.isSource ? "moved here from" : "moved to") \(setNotation(other.tags))"
  }

  private func sizes(of file: PackChange.File) -> String {
    let (old, new) = report.sizes(of: file)
    if let old, let new, old != new { return "\(ByteSize.text(old)) to \(ByteSize.text(new))" }
    return (new ?? old).map(ByteSize.text) ?? ""
  }

  private var remarks: PlainText {
    if report.remarks.isEmpty { return "" }
    return "\n"
      + report.remarks.prefix(most(Self.mostRows)).map { screen.wrapped("- \($0.message)", hanging: 2) }
      .joined()
      + more(report.remarks.count, Self.mostRows, "remark")
  }
}

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
