import PackKit

/// A comparison for people: what is downloaded by whom, which packs and files make it, and what to do.
struct UpdateText {
  private let report: UpdateReport
  private var update: Comparison { report.update }

  /// Files of a pack that are listed where not all are.
  private static let mostFiles = 10

  init(_ report: UpdateReport) {
    self.report = report
  }

  var text: String {
    "\(displayed(update.new.bundleIdentifier)): \(displayed(update.old.name)) to \(displayed(update.new.name))\n\n"
      + counts + downloads
      + report.changes.map(text).joined() + remarks
  }

  private var counts: String {
    var table = TextTable([.left, .right, .right])
    table.add("", "packs", "size")
    for status in PackChange.Status.allCases {
      let count = update.count(status)
      table.add(status.rawValue, grouped(count.packs), ByteSize.text(count.size))
    }
    return table.text()
  }

  private var downloads: String {
    var table = TextTable([.left, .right, .right, .right])
    table.add("", "download", "new and changed files", "new contents")
    func add(_ name: String, _ download: Download) {
      table.add(
        name, ByteSize.text(download.byPacks), ByteSize.text(download.byFiles),
        ByteSize.text(download.byContent))
    }
    for user in report.users { add("a user who has \(user.name)", user.download) }
    let deliveries = update.downloadsByDelivery
    for delivery in Delivery.allCases { add("packs: \(delivery.title)", deliveries[delivery] ?? Download()) }
    let tags = update.downloadsByTag.filter { $0.download.byPacks > 0 }
    for (tag, download) in tags { add("tag \(quoted(tag))", download) }
    return "\n" + table.text()
  }

  private func text(of change: PackChange) -> String {
    let what =
      switch change.status {
      case .changed:
        "\(ByteSize.text(change.download)) downloaded again for \(ByteSize.text(change.fileBytes)) of new and "
          + "changed files"
      case .added: "\(ByteSize.text(change.download)) downloaded"
      case .removed, .unchanged: ByteSize.text(change.size)
      }
    let head =
      "\n\(change.status.rawValue) \(setNotation(change.tags)), \(report.delivery(of: change).title): \(what)\n"
    let most = report.showsAll ? Int.max : Self.mostFiles
    var table = TextTable([.left, .left, .right])
    for file in change.files.prefix(most) {
      table.add(verb(of: file), quoted(report.path(of: file)), sizes(of: file))
    }
    let rest = change.files.count - most
    let more =
      rest > 0 ? "  and \(counted(rest, "more file", plural: "more files")); --verbose lists all\n" : ""
    return head + table.text(indentation: 2) + more
  }

  private func verb(of file: PackChange.File) -> String {
    guard let other = file.otherPack else { return file.change.rawValue }
    return file.change == .added
      ? "moved here from \(setNotation(update.old.packs[other].tags))"
      : "moved to \(setNotation(update.new.packs[other].tags))"
  }

  private func sizes(of file: PackChange.File) -> String {
    let old = file.old.map { update.old.contents.size(Int($0)) }
    let new = file.new.map { update.new.contents.size(Int($0)) }
    if let old, let new, old != new { return "\(ByteSize.text(old)) to \(ByteSize.text(new))" }
    return (new ?? old).map(ByteSize.text) ?? ""
  }

  private var remarks: String {
    if report.remarks.isEmpty { return "" }
    return "\n" + report.remarks.map { "- \($0.message)\n" }.joined()
  }
}
