import Checks
import Findings
import PackKit
import Releases

/// The comment by which a bot finds its own among those of a pull request.
private let updateMarker: Written<MarkdownForm> = "\n<!-- packtool diff -->\n"

// A comparison as a comment on a pull request: totals before and after, limits and budgets, the worst packs, the rest
// folded.
extension UpdateReport {
  private static let mostPacks = 5
  private static let mostRemarks = 5
  /// Packs and remarks that are folded: GitHub takes 65,536 characters.
  private static let (mostFolded, mostFoldedRemarks) = (150, 20)

  var markdown: Written<MarkdownForm> {
    let size = ByteSize.text(told(summary.total))
    let title = summary.total.patched.map { "\(ByteSize.text($0)) by patches, \(size) by whole packs" }
    return "### App update: \(title ?? "\(size) to download")\n\n"
      + totalTable + boundTable + downloadTable + countLine + reached
      + table(downloadedPacks.prefix(Self.mostPacks))
      + Self.lines(remarks.prefix(Self.mostRemarks)) + rest + updateMarker
  }

  private var reached: Written<MarkdownForm> {
    let sentences = (reach?.sentences ?? []).prefix(Self.mostPacks)
    let lines = sentences.map { sentence -> Written<MarkdownForm> in "- \(sentence)\n" }.joined()
    let table = slices.map { slices in slices.markdown(of: slices.ranges.filter { !$0.isPack }) } ?? ""
    return (sentences.isEmpty ? "" : "\n" + lines) + table
  }

  private var totalTable: Written<MarkdownForm> {
    let totals = totals
    let isPacked = totals.contains { $0.packed != nil }
    let packed: [Written<MarkdownForm>] = isPacked ? ["packed before", "after", "change"] : []
    var rows: [[Written<MarkdownForm>]] = [["", "before", "after", "change"] + packed]
    for total in totals {
      var row = ["\(total.title)"] + cells(total.size, total)
      if isPacked { row += total.packed.map { cells($0, total) } ?? ["", "", ""] }
      rows.append(row)
    }
    return .table(rows, textColumns: 1)
  }

  /// Before, after, and the change, in bold where there is one.
  private func cells(
    _ values: (before: Int64, after: Int64), _ total: UpdateTotal
  ) -> [Written<MarkdownForm>] {
    let change: Written<MarkdownForm> = "\(UpdateTotal.change(values, total.text))"
    return [
      "\(total.text(values.before))", "\(total.text(values.after))",
      values.before == values.after ? change : "**\(change)**",
    ]
  }

  private var boundTable: Written<MarkdownForm> {
    let names = TagNames(update.new.packs.map(\.tags))
    var rows: [[Written<MarkdownForm>]] = [["limit or budget", "used", "most", "room left"]]
    for use in bounds.limits where use.share >= 0.9 {
      let name = use.subject(names)
      let subject = name.isEmpty ? "" : ", \(name)"
      rows.append([
        "\(use.kind.title)\(subject)", "\(use.text(use.used))", "\(use.text(use.most))",
        room(use.room) { use.text($0) },
      ])
    }
    for use in bounds.budgets {
      rows.append([
        "budget: \(use.title)", "\(ByteSize.text(use.used))", "\(ByteSize.text(use.most))",
        room(use.most - use.used) { ByteSize.text($0) },
      ])
    }
    if rows.count > 1 { return "\n" + .table(rows, textColumns: 1) }
    let nearest = bounds.limits.max { $0.share < $1.share }
    guard let nearest else { return "" }
    return
      "\nAll limits are kept; the nearest is \(nearest.kind.title), \(nearest.text(nearest.used)) of "
      + "\(nearest.text(nearest.most)).\n"
  }

  private func room(_ room: Int64, _ text: (Int64) -> String) -> Written<MarkdownForm> {
    room < 0 ? "⚠️ **\(text(-room)) too much**" : "\(text(room))"
  }

  private var downloadTable: Written<MarkdownForm> {
    let table = Table(
      users,
      [.text("a user who has") { $0.name }, .size("downloads") { told($0.download) }]
        + (update.isPatched ? [.size("by patches") { $0.download.patched }] : [])
        + (isPacked ? [.size("uncompressed") { $0.download.byPacks }] : [])
        + [
          .size("new and changed files") { $0.download.byFiles },
          .size("new contents") { $0.download.byContent },
        ])
    return "\n" + table.markdown() + ((caution ?? indexNote).map { "\n\($0).\n" } ?? "")
  }

  private var countLine: Written<MarkdownForm> {
    let counts = summary.counts.map { count in
      "\(grouped(count.packs)) \(count.status.rawValue) (\(ByteSize.text(count.size)))"
    }
    return "\nPacks: \(counts.joined(separator: ", ")).\n"
  }

  private func table(_ changes: some Collection<PackChange>) -> Written<MarkdownForm> {
    if changes.isEmpty { return "" }
    let table = Table(
      changes,
      [
        .tags("pack", TagNames(update.packs.map(\.tags)), \.tags),
        .text { "\($0.status.rawValue), \(update.delivery(of: $0).title)" },
        .text("files") { files(of: $0) }, .size("downloads", told),
      ] + (isPacked ? [.size("uncompressed", \.download)] : []) + [
        .size("new and changed files", \.fileBytes)
      ])
    return "\n" + table.markdown(textColumns: 3)
  }

  private func files(of change: PackChange) -> String {
    let counts = [PackChange.Change.changed, .added, .removed].map { ($0.rawValue, change.count($0)) }
    return counts.filter { $0.1 > 0 }.map { "\(grouped($0.1)) \($0.0)" }.joined(separator: ", ")
  }

  private static func lines(_ remarks: ArraySlice<Remark>) -> Written<MarkdownForm> {
    if remarks.isEmpty { return "" }
    return "\n" + remarks.map { remark -> Written<MarkdownForm> in "- \(remark.message)\n" }.joined()
  }

  private var rest: Written<MarkdownForm> {
    let worst = Set(downloadedPacks.prefix(Self.mostPacks).map(\.id))
    let others = changes.filter { !worst.contains($0.id) }
    let remarks = self.remarks.dropFirst(Self.mostRemarks).prefix(Self.mostFoldedRemarks)
    if others.isEmpty && remarks.isEmpty { return "" }
    let left = others.count - Self.mostFolded
    let more: Written<MarkdownForm> = left > 0 ? "\nAnd \(counted(left, "more pack")).\n" : ""
    return
      "\n<details><summary>\(counted(others.count, "more pack")) that \(others.count == 1 ? "differs" : "differ")"
      + "</summary>\n" + table(others.prefix(Self.mostFolded)) + more
      + Self.lines(remarks) + "\n</details>\n"
  }
}

extension History {
  private static let mostRows = 5

  var markdown: Written<MarkdownForm> {
    let size = ByteSize.text(total.told(isPacked: isPacked))
    return "### \(counted(updates.count, "update")): \(size) downloaded\n\n"
      + updateTable + packTable + fileTable
      + splits.map { remark -> Written<MarkdownForm> in "- \(remark.message)\n" }.joined()
      + updateMarker
  }

  private var updateTable: Written<MarkdownForm> {
    let isPacked = isPacked
    let caution: Written<MarkdownForm> =
      isPacked ? "" : "\nDownloads are uncompressed bytes: not every release is built.\n"
    return Table(
      summaries, .text("update") { "\($0.old) to \($0.new)" },
      .size("downloads") { $0.total.told(isPacked: isPacked) },
      .size("new and changed files", \.total.byFiles), .size("new contents", \.total.byContent)
    ).markdown() + caution + "\n"
  }

  private var packTable: Written<MarkdownForm> {
    let table = Table(
      changedPacks.prefix(Self.mostRows), .tags("pack", TagNames(packs.map(\.tags)), \.tags),
      .number("changed in updates") { "\($0.changes) of \($0.updates)" }, .size("downloads", \.download),
      .size("new and changed files", \.fileBytes))
    return table.rows.isEmpty ? "" : table.markdown() + "\n"
  }

  private var fileTable: Written<MarkdownForm> {
    let table = Table(
      files.prefix(Self.mostRows), .text("file", \.path), .count("changed in updates", \.changes),
      .size("bytes", \.size))
    return table.rows.isEmpty ? "" : table.markdown() + "\n"
  }
}
