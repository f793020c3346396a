import Formats
import Inspect
import Model
import Pipeline

/// The HTML comment with which a bot finds its own comment on a pull request.
private let updateMarker: Written<MarkdownForm> = "\n<!-- packtool diff -->\n"

/// The maximum number of rows in each list of a pull request comment.
struct CommentDetail {
  /// Rows of packs and remarks in the folded part, which is the least important part.
  private(set) var folded = 150
  private(set) var foldedRemarks = 20
  private(set) var remarks = 5
  private(set) var packs = 5
  /// Rows of limits, budgets, kinds of users, and device classes.
  private(set) var rows = 1000

  /// The maximum number of characters of a comment.
  ///
  /// GitHub accepts 65,536 characters, and an action may add its own marker.
  static let maxCharacters = 65_000

  /// Makes a comment with fewer and fewer details, until GitHub accepts its length.
  static func fitting(_ text: (CommentDetail) -> Written<MarkdownForm>) -> Written<MarkdownForm> {
    var detail = CommentDetail()
    var comment = text(detail)
    while comment.text.unicodeScalars.count > maxCharacters, detail.reduce() { comment = text(detail) }
    return comment
  }

  /// Halves the least important list that has rows.
  ///
  /// Returns false if all lists are empty.
  private mutating func reduce() -> Bool {
    if folded + foldedRemarks > 0 {
      folded /= 2
      foldedRemarks /= 2
    } else if remarks > 0 {
      remarks /= 2
    } else if rows > 0 {
      rows /= 2
    } else if packs > 0 {
      packs /= 2
    } else {
      return false
    }
    return true
  }
}

extension Written where Form == MarkdownForm {
  /// Returns a line with the number of rows that were left out; empty if no rows were left out.
  fileprivate static func leftOut(_ count: Int, noun: String) -> Self {
    count > 0 ? "\nAnd \(counted(count, of: "more \(noun)")).\n" : ""
  }
}

// A comparison as a comment on a pull request. It shows totals before and after, limits and budgets, and the
// largest downloads. The other packs and remarks are in a folded part.
extension UpdateReport {
  var markdown: Written<MarkdownForm> { CommentDetail.fitting(markdown) }

  private func markdown(_ detail: CommentDetail) -> Written<MarkdownForm> {
    let size = ByteSize.text(shownSize(summary.total))
    let title = summary.total.patched.map { "\(ByteSize.text($0)) with patches, \(size) with whole packs" }
    return "### App update: \(title ?? "\(size) to download")\(removedTags.warning)\n\n"
      + totalTable + boundTable(detail) + downloadTable(detail) + countLine + reached(detail)
      + table(downloadedPacks.prefix(detail.packs))
      + Self.lines(remarks.prefix(detail.remarks)) + rest(detail) + updateMarker
  }

  private func reached(_ detail: CommentDetail) -> Written<MarkdownForm> {
    let sentences = (reach?.sentences ?? []).prefix(5)
    let lines = sentences.map { sentence -> Written<MarkdownForm> in "- \(sentence)\n" }.joined()
    let table = slices.map { slices -> Written<MarkdownForm> in
      let ranges = slices.ranges.filter { !$0.isPack }
      return slices.markdown(of: Array(ranges.prefix(detail.rows)))
        + .leftOut(ranges.count - detail.rows, noun: "row of device classes")
    }
    return (sentences.isEmpty ? "" : "\n" + lines) + (table ?? "")
  }

  private var totalTable: Written<MarkdownForm> {
    let totals = totals
    let isPacked = totals.contains { $0.packed != nil }
    let packed: [Written<MarkdownForm>] = isPacked ? ["compressed before", "after", "change"] : []
    var rows: [[Written<MarkdownForm>]] = [["", "before", "after", "change"] + packed]
    for total in totals {
      var row = ["\(total.title)"] + cells(total.size, total: total)
      if isPacked { row += total.packed.map { cells($0, total: total) } ?? ["", "", ""] }
      rows.append(row)
    }
    return .table(rows, textColumns: 1)
  }

  /// Returns the cells with the values before and after the update, and with the change.
  ///
  /// The change is bold unless it is zero.
  private func cells(
    _ values: (before: Int64, after: Int64), total: UpdateTotal
  ) -> [Written<MarkdownForm>] {
    let change: Written<MarkdownForm> = "\(UpdateTotal.change(values, text: total.text))"
    return [
      "\(total.text(values.before))", "\(total.text(values.after))",
      values.before == values.after ? change : "**\(change)**",
    ]
  }

  private func boundTable(_ detail: CommentDetail) -> Written<MarkdownForm> {
    let names = TagNames(update.new.packs.map(\.tags))
    var rows: [[Written<MarkdownForm>]] = [["limit or budget", "used", "most", "room left"]]
    for use in bounds.limits where use.share >= 0.9 {
      let name = use.subject(names)
      let subject = name.isEmpty ? "" : ", \(name)"
      rows.append([
        "\(use.kind.title)\(subject)", "\(use.text(use.used))", "\(use.text(use.allowed))",
        headroomText(use.headroom) { use.text($0) },
      ])
    }
    for use in bounds.budgets {
      rows.append([
        "budget: \(use.title)", "\(ByteSize.text(use.used))", "\(ByteSize.text(use.allowed))",
        headroomText(use.allowed - use.used) { ByteSize.text($0) },
      ])
    }
    if rows.count > 1 {
      let table: Written<MarkdownForm> = .table(Array(rows.prefix(detail.rows + 1)), textColumns: 1)
      return "\n" + table + .leftOut(rows.count - 1 - detail.rows, noun: "limit or budget")
    }
    let nearest = bounds.limits.max { $0.share < $1.share }
    guard let nearest else { return "" }
    return
      "\nNo limit is exceeded; the nearest is \(nearest.kind.title), \(nearest.text(nearest.used)) of "
      + "\(nearest.text(nearest.allowed)).\n"
  }

  private func headroomText(_ headroom: Int64, text: (Int64) -> String) -> Written<MarkdownForm> {
    headroom < 0 ? "⚠️ **\(text(-headroom)) too much**" : "\(text(headroom))"
  }

  private func downloadTable(_ detail: CommentDetail) -> Written<MarkdownForm> {
    let table = Table(
      users.prefix(detail.rows),
      columns: [.text("a user who has") { $0.name }, .size("downloads") { shownSize($0.download) }]
        + (update.isPatched ? [.size("by patches") { $0.download.patched }] : [])
        + (isPacked ? [.size("uncompressed") { $0.download.byPacks }] : [])
        + [
          .size("new and changed files") { $0.download.byFiles },
          .size("new contents") { $0.download.byContent },
        ])
    return "\n" + table.markdown() + .leftOut(users.count - detail.rows, noun: "release")
      + ((caution ?? indexNote).map { "\n\($0).\n" } ?? "")
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
      columns: [
        .tags("pack", names: TagNames(update.packs.map(\.tags)), tags: \.tags),
        .text { "\($0.status.rawValue), \(update.delivery(of: $0).title)" },
        .text("files") { files(of: $0) }, .size("downloads", bytes: shownSize),
      ] + (isPacked ? [.size("uncompressed", bytes: \.download)] : []) + [
        .size("new and changed files", bytes: \.fileBytes)
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

  private func rest(_ detail: CommentDetail) -> Written<MarkdownForm> {
    let worst = Set(downloadedPacks.prefix(detail.packs).map(\.id))
    let others = changes.filter { !worst.contains($0.id) }
    let remarks = self.remarks.dropFirst(detail.remarks)
    if others.isEmpty && remarks.isEmpty { return "" }
    return
      "\n<details><summary>\(counted(others.count, of: "more pack")) that \(others.count == 1 ? "differs" : "differ")"
      + "</summary>\n" + table(others.prefix(detail.folded))
      + .leftOut(others.count - detail.folded, noun: "pack")
      + Self.lines(remarks.prefix(detail.foldedRemarks))
      + .leftOut(remarks.count - detail.foldedRemarks, noun: "remark") + "\n</details>\n"
  }
}

extension [RemovedTag] {
  /// The end of a title, which warns about removed tags; empty if no tags were removed.
  fileprivate var warning: Written<MarkdownForm> {
    isEmpty ? "" : "; ⚠️ \(line(startingWith: "removed tags"))"
  }
}

extension History {
  var markdown: Written<MarkdownForm> { CommentDetail.fitting(markdown) }

  private func markdown(_ detail: CommentDetail) -> Written<MarkdownForm> {
    let remarks = splits.prefix(detail.folded)
    let size = ByteSize.text(total.shownSize(isPacked: isPacked))
    return "### \(counted(updates.count, of: "update")): \(size) downloaded\(removedTags.warning)\n\n"
      + updateTable(detail) + packTable(detail) + fileTable(detail)
      + remarks.map { remark -> Written<MarkdownForm> in "- \(remark.message)\n" }.joined()
      + .leftOut(splits.count - remarks.count, noun: "remark") + updateMarker
  }

  private func updateTable(_ detail: CommentDetail) -> Written<MarkdownForm> {
    let isPacked = isPacked
    let caution: Written<MarkdownForm> =
      isPacked ? "" : "\nDownloads are uncompressed sizes, because not every release is built.\n"
    return Table(
      summaries.prefix(detail.rows), columns: .text("update") { "\($0.old) to \($0.new)" },
      .size("downloads") { $0.total.shownSize(isPacked: isPacked) },
      .size("new and changed files", bytes: \.total.byFiles), .size("new contents", bytes: \.total.byContent)
    ).markdown() + .leftOut(summaries.count - detail.rows, noun: "update") + caution + "\n"
  }

  private func packTable(_ detail: CommentDetail) -> Written<MarkdownForm> {
    let table = Table(
      changedPacks.prefix(detail.packs),
      columns: .tags("pack", names: TagNames(packs.map(\.tags)), tags: \.tags),
      .number("changed in updates") { "\($0.changes) of \($0.updates)" },
      .size("downloads", bytes: \.download),
      .size("new and changed files", bytes: \.fileBytes))
    return table.rows.isEmpty ? "" : table.markdown() + "\n"
  }

  private func fileTable(_ detail: CommentDetail) -> Written<MarkdownForm> {
    let table = Table(
      files.prefix(detail.remarks), columns: .text("file", text: \.path),
      .count("changed in updates", count: \.changes),
      .size("bytes", bytes: \.size))
    return table.rows.isEmpty ? "" : table.markdown() + "\n"
  }
}
