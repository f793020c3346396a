import Findings
import Markup
import PackKit

// The sections that are tables, and the summary; nil where there is nothing to show.
extension ReportFacts {
  /// Every pack.
  func packTable(_ detail: ReportDetail) -> HTML? {
    if release.packs.isEmpty { return nil }
    let packs = release.packs
    let order = packs.indices.sorted { (packs[$1].size, $0) < (packs[$0].size, $1) }
    func share(_ pack: Release.Pack) -> Double? {
      pack.packedSize.map { pack.size > 0 ? Double($0) / Double(pack.size) : 1 }
    }
    return Table(
      order.prefix(detail.rows).map { packs[$0] }, .tags("tags", names, \.tags),
      .text("delivery", \.delivery.title), .count("files", \.fileCount), .size("size", \.size),
      .size("packed", \.packedSize),
      .number("packed part", by: { share($0).map(Self.sortKey) }) { share($0).map(HTML.percent) ?? "–" },
      .markup("identifier") { "<code>\($0.id.suffix(32).description, upTo: 40)</code>" }
    ).html("Packs, the largest first") { " data-id=\"\($0.id, upTo: 300)\"" }
      + .note(order.count - detail.rows, "more pack", ": packtool plan --format json lists all.")
  }

  /// Every tag, with what a request for it downloads.
  func tagTable(_ detail: ReportDetail) -> HTML? {
    if tags.isEmpty { return nil }
    let order = tags.sorted { first, second in
      first.tag.size == second.tag.size
        ? first.tag.name.precedesInBytes(second.tag.name) : first.tag.size > second.tag.size
    }
    return Table(
      order.prefix(detail.rows), .text("tag", \.tag.name), .text("delivery", \.tag.delivery.title),
      .count("packs", \.tag.packs.count), .size("size", \.tag.size), .size("packed", \.packedSize),
      .count("packs shared with others", \.sharedPacks), .size("size of these", \.sharedSize)
    ).html("What a request for one tag downloads")
      + .note(order.count - detail.rows, "more tag", ": packtool plan --format json lists all.")
  }

  /// The largest files.
  func fileTable(_ detail: ReportDetail) -> HTML? {
    if heaviest.isEmpty { return nil }
    let shown = heaviest.prefix(min(Self.mostFiles, detail.rows * 2))
    let total = release.total.files + release.untagged.files
    return Table(
      shown, .text("file", \.file.path),
      .tags("pack", names) { $0.pack.map { release.packs[$0].tags } ?? ["untagged"] },
      .size("size", \.file.size), .size("packed", \.file.packedSize)
    ).html("The largest files") { _ in " class=\"file\"" }
      + .note(Int(total) - shown.count, "smaller file", ": contents.json of a build lists all.")
  }

  /// Every finding with its place.
  func findingTable(_ detail: ReportDetail) -> HTML? {
    let all = findings.diagnostics.sorted { $0.severity < $1.severity }
    if all.isEmpty { return nil }
    return Table(
      all.prefix(detail.rows / 3),
      [
        .text("severity", \.severity.rawValue), .text("place", upTo: 200) { displayed($0.place) },
        .markup("finding") { finding in
          let notes = finding.notes.prefix(2).map { note -> HTML in
            "<br><small>\(TagNames.shortening(note.message), upTo: 400)</small>"
          }
          return "\(TagNames.shortening(finding.message), upTo: 800)\(Array(notes))"
        },
        .markup("check") { "<code>\($0.check.id)</code>" },
      ]
    ).html(findings.summary) { " class=\"\($0.severity.rawValue)\"" }
      + .note(all.count - detail.rows / 3, "more finding", ": --diagnostics lists all.", "and ")
  }

  /// The summary in sentences.
  var summary: HTML? {
    let lines = Headline.all(of: self).map { headline -> HTML in
      let mark: HTML =
        switch headline.weight {
        case .bad: "<strong>Error.</strong> "
        case .warning: "<strong>Warning.</strong> "
        case .fact: ""
        }
      return "<li class=\"\(headline.weight.rawValue)\">\(mark)\(headline.text)</li>\n"
    }
    return figures + (lines.isEmpty ? "" : "<ul class=\"heads\">\n\(lines)</ul>\n")
  }

  /// Each limit as a bar, with the room that is left.
  var limitTable: HTML? {
    if limits.isEmpty { return nil }
    return Table(
      limits,
      [
        .text("limit", \.kind.title),
        .text("used by") { $0.subject(names).isEmpty ? "all" : $0.subject(names) },
        .number("used", by: \.used) { $0.text($0.used) }, .number("most", by: \.most) { $0.text($0.most) },
        .number("room left", by: \.room) {
          $0.room < 0 ? "\($0.text(-$0.room)) too much" : $0.text($0.room)
        },
        .markup("part", by: { Self.sortKey($0.share) }) {
          "\(.bar($0.share, isFull: $0.room < 0)) \(HTML.percent($0.share))"
        },
      ]
    ).html("Limits of the profile \(release.profile); sizes count uncompressed")
  }

  /// What a share is sorted by.
  private static func sortKey(_ share: Double) -> Int64 { Int64(min(share, 1e6) * 1000) }
}
