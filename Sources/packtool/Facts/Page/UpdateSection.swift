import Findings
import Markup
import PackKit
import Releases

/// The changes and the downloads, pack by pack, and the history of releases.
struct UpdateSection {
  private let facts: ReportFacts
  private let detail: ReportDetail

  init(_ facts: ReportFacts, _ detail: ReportDetail) {
    self.facts = facts
    self.detail = detail
  }

  var html: HTML? {
    guard let report = facts.update else { return nil }
    return "<p>From \(report.update.old.name, upTo: 160) to \(report.update.new.name, upTo: 160).</p>\n"
      + totals(report) + picture(report) + packs(report) + remarks(report) + history
  }

  private func totals(_ report: UpdateReport) -> HTML {
    let isPacked = report.totals.contains { $0.packed != nil }
    let rows = report.totals.map { total -> HTML in
      let packed: HTML =
        isPacked
        ? .size(total.packed?.before) + .size(total.packed?.after)
          + "<td class=\"n\" align=\"right\">\(total.packed.map { UpdateTotal.change($0, total.text) } ?? "–")</td>"
        : ""
      return """
        <tr><th scope="row">\(total.title)</th>\(value(total.size.before, total))\(value(total.size.after, total))<td class="n" align="right">\(UpdateTotal.change(total.size, total.text))</td>\(packed)</tr>

        """
    }
    let headings: [HTML.Heading] =
      [.text("what"), .number("before"), .number("after"), .number("change")]
      + (isPacked ? [.number("packed before"), .number("packed after"), .number("change")] : [])
    return .table("Before and after", headings, rows) + .note(report.caution)
  }

  private func value(_ value: Int64, _ total: UpdateTotal) -> HTML {
    "<td class=\"n\" data-v=\"\(value)\" align=\"right\">\(total.text(value))</td>"
  }

  /// The largest downloads as bars, the part in front being what really changed.
  private func picture(_ report: UpdateReport) -> HTML {
    let packs = report.downloadedPacks.prefix(24)
    guard let most = packs.map(\.download).max(), most > 0 else { return "" }
    let bars = packs.enumerated().map { row, change -> HTML in
      let y = row * 18
      let width = Double(change.download) / Double(most) * 620
      let fresh = Double(min(change.fileBytes, change.download)) / Double(most) * 620
      let name = change.tags.joined(separator: " + ")
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

  private func packs(_ report: UpdateReport) -> HTML {
    let shown = report.changes.prefix(detail.rows)
    if shown.isEmpty { return "<p>No pack changed.</p>\n" }
    let rows = shown.map { change -> HTML in
      """
      <tr><th scope="row">\(change.tags.joined(separator: " + "), upTo: 160)</th><td>\(change.status.rawValue)</td><td>\(report.delivery(of: change).title)</td>\(.size(change.fileBytes))\(.size(change.download))\(.size(change.packedDownload))</tr>

      """
    }
    let more = report.changes.count - shown.count
    return .table(
      "Packs that differ",
      [
        .text("pack"), .text("what"), .text("delivery"), .number("new and changed files"),
        .number("downloaded, uncompressed"), .number("downloaded, packed"),
      ], Array(rows)) + .note(more > 0 ? "and \(counted(more, "more pack"))" : nil)
  }

  private func remarks(_ report: UpdateReport) -> HTML {
    let lines = report.remarks.prefix(10).map { remark -> HTML in "<li>\(remark.message, upTo: 1200)</li>\n" }
    return lines.isEmpty ? "" : "<ul>\n\(Array(lines))</ul>\n"
  }

  private var history: HTML {
    guard let history = facts.history else { return "" }
    return historyPicture(history) + historyTable(history)
  }

  /// One bar for each update: what is new, what changed around it, and what came again for nothing.
  private func historyPicture(_ history: HistoryReport) -> HTML {
    let most = history.updates.map(\.total.byPacks).max() ?? 0
    if most == 0 { return "" }
    let updates = history.updates.suffix(40)
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

  private func historyTable(_ history: HistoryReport) -> HTML {
    let rows = history.updates.suffix(detail.rows).map { update -> HTML in
      """
      <tr><th scope="row">\(update.old, upTo: 100) to \(update.new, upTo: 100)</th>\(.count(update.packs(.changed)))\(.count(update.packs(.added)))\(.count(update.packs(.removed)))\(.size(update.total.byFiles))\(.size(update.total.byPacks))\(.size(update.total.packed))</tr>

      """
    }
    return .table(
      "History",
      [
        .text("update"), .number("changed"), .number("added"), .number("removed"),
        .number("new and changed files"), .number("downloaded, uncompressed"), .number("downloaded, packed"),
      ], Array(rows))
  }
}
