import Findings
import Markup
import PackKit
import Releases

/// The changes and the downloads, pack by pack, and the history of releases.
struct UpdateSection {
  let report: UpdateReport
  let history: History?
  let detail: ReportDetail

  var html: HTML {
    "<p>From \(report.update.old.name, upTo: 160) to \(report.update.new.name, upTo: 160).</p>\n"
      + totals + picture + packs + remarks
      + (history.map { historyPicture($0) + historyTable($0) } ?? "")
  }

  private var totals: HTML {
    let totals = report.totals
    let isPacked = totals.contains { $0.packed != nil }
    let packed: [Table<UpdateTotal>.Column] = [
      .size("packed before", \.packed?.before), .size("packed after", \.packed?.after),
      .number("change") { total in total.packed.map { UpdateTotal.change($0, total.text) } ?? "–" },
    ]
    return Table(
      totals,
      [
        .text("what", \.title), .number("before", by: \.size.before) { $0.text($0.size.before) },
        .number("after", by: \.size.after) { $0.text($0.size.after) },
        .number("change") { UpdateTotal.change($0.size, $0.text) },
      ] + (isPacked ? packed : [])
    ).html("Before and after") + .note(report.caution)
  }

  private var names: TagNames { TagNames(report.update.packs.map(\.tags)) }

  /// The largest downloads as bars, the part in front being what really changed.
  private var picture: HTML {
    let packs = report.downloadedPacks.prefix(24)
    guard let most = packs.map(\.download).max(), most > 0 else { return "" }
    let names = names
    let bars = packs.enumerated().map { row, change -> HTML in
      let y = row * 18
      let width = Double(change.download) / Double(most) * 620
      let fresh = Double(min(change.fileBytes, change.download)) / Double(most) * 620
      let name = names.name(of: change.tags)
      return """
        <g><title>\(name, upTo: 140)
        \(ByteSize.text(change.download)) downloaded, \(ByteSize.text(change.fileBytes)) new or changed</title>\(.rowName(name, endingAt: 240, y + 12))<rect class="o" x="248" y="\(y + 2)" width="\(width)" height="13" fill="#bcd3ee"/><rect class="i" x="248" y="\(y + 2)" width="\(fresh)" height="13" fill="#1f4e8c"/><text class="t" x="\(254 + width)" y="\(y + 12)" fill="#111111">\(ByteSize.text(change.fileBytes)) of \(ByteSize.text(change.download))</text></g>

        """
    }
    return """
      \(.legend([("i", "#1f4e8c", "new and changed files"), ("o", "#bcd3ee", "unchanged, and downloaded again (uncompressed)")]))<div class="pic"><svg viewBox="0 0 1000 \(packs.count * 18)" width="100%" font-family="system-ui, sans-serif" font-size="11" role="img" aria-label="Packs that are downloaded, with the part of them that changed">
      \(bars)</svg></div>

      """
  }

  private var packs: HTML {
    if report.changes.isEmpty { return "<p>No pack changed.</p>\n" }
    return Table(
      report.changes.prefix(detail.rows), .tags("pack", names, \.tags),
      .text("what", \.status.rawValue), .text("delivery") { report.update.delivery(of: $0).title },
      .size("new and changed files", \.fileBytes), .size("downloaded, uncompressed", \.download),
      .size("downloaded, packed", \.packedDownload)
    ).html("Packs that differ") + .note(report.changes.count - detail.rows, "more pack", "", "and ")
  }

  private var remarks: HTML {
    let lines = report.remarks.prefix(10).map { remark -> HTML in
      "<li>\(TagNames.shortening(remark.message), upTo: 1200)</li>\n"
    }
    return lines.isEmpty ? "" : "<ul>\n\(Array(lines))</ul>\n"
  }

  /// One bar for each update: what is new, what changed around it, and what came again for nothing.
  private func historyPicture(_ history: History) -> HTML {
    let summaries = history.summaries
    let most = summaries.map(\.total.byPacks).max() ?? 0
    if most == 0 { return "" }
    let updates = summaries.suffix(40)
    let width = min(120.0, 960 / Double(updates.count))
    let bars = updates.enumerated().map { place, update -> HTML in
      let x = 20 + Double(place) * width
      let all = Double(update.total.byPacks) / Double(most) * 130
      let fresh = Double(min(update.total.byFiles, update.total.byPacks)) / Double(most) * 130
      let label = "\(lastName(of: update.old)) → \(lastName(of: update.new))"
      return """
        <g><title>\(update.old, upTo: 100) to \(update.new, upTo: 100)
        \(ByteSize.text(update.total.byPacks)) downloaded, \(ByteSize.text(update.total.byFiles)) new or changed</title><rect class="o" x="\(x)" y="\(150 - all)" width="\(width - 6)" height="\(all)" fill="#bcd3ee"/><rect class="i" x="\(x)" y="\(150 - fresh)" width="\(width - 6)" height="\(fresh)" fill="#1f4e8c"/><text class="t" x="\(x)" y="164" fill="#111111">\(label.cut(toColumns: HTML.columns(in: width)), upTo: 60)</text></g>

        """
    }
    return """
      <h3>\(counted(history.updates.count, "update"))</h3>
      <div class="pic"><svg viewBox="0 0 1000 172" width="100%" font-family="system-ui, sans-serif" font-size="11" role="img" aria-label="Downloads of each update">
      \(bars)</svg></div>

      """
  }

  private func historyTable(_ history: History) -> HTML {
    Table(
      history.summaries.suffix(detail.rows),
      .markup("update") { "\($0.old, upTo: 100) to \($0.new, upTo: 100)" },
      .count("changed") { $0.packs(.changed) }, .count("added") { $0.packs(.added) },
      .count("removed") { $0.packs(.removed) }, .size("new and changed files", \.total.byFiles),
      .size("downloaded, uncompressed", \.total.byPacks), .size("downloaded, packed", \.total.packed)
    ).html("History")
  }
}
