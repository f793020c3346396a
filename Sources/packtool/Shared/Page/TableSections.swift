import Formats
import Inspect
import Model
import Pipeline
import Play
import System

// The sections with tables, and the summary. A section is nil if there is nothing to show.
extension ReportFacts {
  func packTable(_ detail: ReportDetail) -> HTML? {
    if release.packs.isEmpty { return nil }
    let packs = release.packs
    let order = packs.indices.sorted { (packs[$1].size, $0) < (packs[$0].size, $1) }
    func share(_ pack: Release.Pack) -> Double? {
      pack.packedSize.map { pack.size > 0 ? Double($0) / Double(pack.size) : 1 }
    }
    return Table(
      order.prefix(detail.rows).map { packs[$0] }, columns: .tags("tags", names: names, tags: \.tags),
      .text("delivery", text: \.delivery.title), .count("files", count: \.fileCount),
      .size("size", bytes: \.size),
      .size("compressed", bytes: \.packedSize),
      .number("packed share", by: { share($0).map(Self.sortKey) }) { share($0).map(HTML.percent) ?? "–" },
      .markup("identifier") { "<code>\($0.id.suffix(32).description, upTo: 40)</code>" }
    ).html("Packs, the largest first") { " data-id=\"\($0.id, upTo: 300)\"" }
      + .leftOut(
        order.count - detail.rows, noun: "more pack", suffix: ": packtool plan --format json lists all.")
  }

  func tagTable(_ detail: ReportDetail) -> HTML? {
    if tags.isEmpty { return nil }
    let order = tags.sorted { first, second in
      first.tag.size == second.tag.size
        ? first.tag.name.precedesInBytes(second.tag.name) : first.tag.size > second.tag.size
    }
    return Table(
      order.prefix(detail.rows), columns: .text("tag", text: \.tag.name),
      .text("delivery") { release.deliveryTitle(of: $0.tag) },
      .count("packs", count: \.tag.packs.count), .size("size", bytes: \.tag.size),
      .size("compressed", bytes: \.packedSize),
      .count("packs shared with other tags", count: \.sharedPacks),
      .size(
        "size of shared packs", bytes: \.sharedSize)
    ).html("Downloads of a request for each tag")
      + .leftOut(
        order.count - detail.rows, noun: "more tag", suffix: ": packtool plan --format json lists all.")
  }

  func fileTable(_ detail: ReportDetail) -> HTML? {
    if largestFiles.isEmpty { return nil }
    let shown = largestFiles.prefix(min(Self.maxFiles, detail.rows * 2))
    let total = release.total.files + release.untagged.files
    return Table(
      shown, columns: .text("file", text: \.file.path),
      .tags("pack", names: names) { $0.pack.map { release.packs[$0].tags } ?? ["untagged"] },
      .size("size", bytes: \.file.size), .size("compressed", bytes: \.file.packedSize)
    ).html("The largest files") { _ in " class=\"file\"" }
      + .leftOut(
        Int(total) - shown.count, noun: "smaller file", suffix: ": contents.json of a build lists all.")
  }

  func findingTable(_ detail: ReportDetail) -> HTML? {
    let all = findings.diagnostics.sorted { $0.severity < $1.severity }
    if all.isEmpty { return nil }
    return Table(
      all.prefix(detail.rows / 3),
      columns: [
        .text("severity", text: \.severity.rawValue), .text("place", upTo: 200) { displayed($0.place) },
        .markup("finding") { finding in
          let notes = finding.notes.prefix(2).map { note -> HTML in
            "<br><small>\(note.message.onPage, upTo: 400)</small>"
          }
          return "\(finding.message.onPage, upTo: 800)\(Array(notes))"
        },
        .markup("check") { "<code>\($0.check.id)</code>" },
      ]
    ).html(findings.summary) { " class=\"\($0.severity.rawValue)\"" }
      + .leftOut(
        all.count - detail.rows / 3, noun: "more finding", prefix: "and ",
        suffix: ": --diagnostics lists all.")
  }

  var summary: HTML? {
    let lines = Headlines(facts: self).all.map { headline -> HTML in
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

  var limitTable: HTML? {
    if limits.isEmpty { return nil }
    return Table(
      limits,
      columns: [
        .text("limit", text: \.kind.title),
        .text("used by") { $0.subject(names).isEmpty ? "all" : $0.subject(names) },
        .number("used", by: \.used) { $0.text($0.used) },
        .number("at most", by: \.allowed) { $0.text($0.allowed) },
        .number("room left", by: \.headroom) {
          $0.headroom < 0 ? "\($0.text(-$0.headroom)) too much" : $0.text($0.headroom)
        },
        .markup("share", by: { Self.sortKey($0.share) }) {
          "\(.bar($0.share)) \(HTML.percent($0.share))"
        },
      ]
    ).html("Limits of the profile \(release.profile), in uncompressed sizes")
  }

  private static func sortKey(_ share: Double) -> Int64 { Int64(min(share, 1e6) * 1000) }
}

extension String {
  /// The message with short names of packs, and with decimal units for sizes, as everywhere on a page.
  var onPage: String {
    TagNames.shortening(self).replacing(#/([0-9,]+)( bytes)? \([0-9,]+ [MG]iB\)/#) { match in
      let bytes = Int64(match.output.1.filter { $0 != "," })
      return "\(match.output.1)\(match.output.2 ?? "") (\(ByteSize.text(bytes ?? 0)))"
    }
  }
}

// The numbers at the top of a page, and the types of the release's files.
extension ReportFacts {
  var figures: HTML {
    let totals = update.map { UpdateTotal.all(of: $0.update) } ?? []
    func change(_ title: String) -> String? {
      totals.first { $0.title == title }.map { total in
        let change = UpdateTotal.change(total.size, text: total.text)
        return change == "±0" ? "as before" : "\(change) by this update"
      }
    }
    // A percentage must refer to the number before it. This number is a compressed size only for downloads.
    func limit(_ kind: LimitKind, of name: String, nextTo shown: Int64) -> String? {
      limits.first { $0.kind == kind }.map { use in
        let number = use.used == shown ? "" : "\(name) \(use.text(use.used)) uncompressed, "
        let most = use.isStoreLimit ? "of at most" : "of the advised"
        return "\(number)\(HTML.percent(use.share)) \(most) \(use.text(use.allowed))"
      }
    }
    let (first, total, count) = (timeline.initialEnd, release.total.size, Int64(release.packs.count))
    let overCellular = limit(.cellularSize, of: "together", nextTo: first).map { "\($0) over cellular" }
    let initial = limit(.initialInstallSize, of: "the initial install", nextTo: first)
    let app = timeline.appEnd > 0 ? "the app and the initial install" : "the initial install, without the app"
    let download = update.map { report in
      (
        ByteSize.text(report.shownSize(report.summary.total)),
        "in \(counted(report.summary.total.packs, of: "pack"))"
      )
    }
    return """
      <ul class="four">
      \(figure(ByteSize.text(timeline.initialEnd), title: "first download", facts: [app, overCellular, initial, change(Delivery.initialInstall.title)]))\(figure(ByteSize.text(total), title: "all packs", facts: [limit(.totalSize, of: "all packs", nextTo: total), change("all packs")]))\(figure(grouped(count), title: "packs", facts: [limit(.packCount, of: "all packs", nextTo: count), change("packs")]))\(figure(download?.0 ?? "–", title: "this update", facts: [download?.1 ?? "no earlier release"]))</ul>

      """
  }

  private func figure(_ number: String, title: String, facts: [String?]) -> HTML {
    let lines = facts.compactMap(\.self).map { fact -> HTML in "<br><small>\(fact)</small>" }
    return "<li><strong>\(number)</strong> \(title)\(lines)</li>\n"
  }

  var typeTable: HTML? {
    let sums = files.countsByEnding
    if sums.isEmpty { return nil }
    let all = sums.values.saturatingSum(\.size)
    let order = sums.sorted { ($1.value.size, $0.key) < ($0.value.size, $1.key) }
    let most = 20
    return Table(
      order.prefix(most),
      columns: [
        .text("ending") { $0.key.isEmpty ? "without one" : $0.key }, .count("files", count: \.value.files),
        .size("size", bytes: \.value.size),
        .markup("share", by: \.value.size) {
          let share = all > 0 ? Double($0.value.size) / Double(all) : 0
          return "\(.bar(share)) \(HTML.percent(share))"
        },
      ]
    ).html("Bytes by file extension")
      + .leftOut(order.count - most, noun: "more ending", prefix: "and ")
  }
}

struct SharingSection {
  private let facts: ReportFacts
  private let tags: [Int]
  private let packs: [Int]

  private var release: Release { facts.release }

  init(_ facts: ReportFacts, detail: ReportDetail) {
    self.facts = facts
    let release = facts.release
    let largest = release.packs.indices.sorted { (release.packs[$1].size, $0) < (release.packs[$0].size, $1) }
    // Tags that share packs come first: by the size of the packs that they share with other tags.
    func sharedSize(_ tag: Int) -> Int64 {
      release.tags[tag].packs.filter { release.packs[$0].tags.count > 1 }.saturatingSum {
        release.packs[$0].size
      }
    }
    let sizes = release.tags.indices.map(sharedSize)
    let sharing = release.tags.indices.filter { tag in
      release.tags[tag].packs.contains { release.packs[$0].tags.count > 1 }
    }
    let bySharing = sharing.sorted { (sizes[$1], $0) < (sizes[$0], $1) }
    tags = Array(bySharing.prefix(40 / detail.divisor))
    let names = Set(tags.map { release.tags[$0].name })
    let shown = largest.filter { !names.isDisjoint(with: release.packs[$0].tags) }
    packs = Array(
      (shown.filter { release.packs[$0].tags.count > 1 } + shown.filter { release.packs[$0].tags.count == 1 })
        .prefix(60 / detail.divisor))
  }

  var html: HTML? {
    // If each pack has only one tag, each tag has only its own packs. So there is no table here, because the
    // other tables already show this.
    guard release.packs.contains(where: { $0.tags.count > 1 }) else { return nil }
    let most = packs.map { release.packs[$0].size }.max() ?? 0
    let heads = packs.map { number -> HTML in
      let pack = release.packs[number]
      let height = most > 0 ? max(1, Double(pack.size) / Double(most) * 56) : 1
      return """
        <th scope="col" data-k="\(number)"><svg width="10" height="56" role="img" aria-label="\(facts.names.name(of: pack.tags), upTo: 120), \(ByteSize.text(pack.size))"><title>\(pack.tags.joined(separator: " + "), upTo: 600)
        \(ByteSize.text(pack.size))</title><rect class="\(pack.delivery.mark.name)" y="\(56 - height)" width="10" height="\(height)" fill="\(pack.delivery.mark.color)"/></svg></th>
        """
    }
    return """
      <p class="choice" id="choice"></p>
      <div class="wide"><table class="matrix" data-p="\(packData)" cellpadding="1">
      <caption>Columns are packs, shared packs first; a dot means that the pack carries the tag</caption>
      <thead><tr><th scope="col">tag</th><th scope="col">request</th>\(heads)</tr></thead>
      <tbody>
      \(tags.map(row))</tbody></table></div>
      \(.note(omission))\(dragTable)
      """
  }

  private func row(_ tag: Int) -> HTML {
    let name = release.tags[tag].name
    let pulledIn = Set(facts.pulledIn.packs)
    let cells = packs.map { number -> HTML in
      let pack = release.packs[number]
      if !pack.tags.contains(name) { return "<td></td>" }
      return pulledIn.contains(number) ? "<td class=\"drag\">◆</td>" : "<td>●</td>"
    }
    return """
      <tr data-t="\(tag)"><th scope="row">\(name, upTo: 120)</th>\(.size(release.tags[tag].size))\(cells)</tr>

      """
  }

  /// The data with which the page's script computes the size of chosen tags: the size, the compressed size
  /// and the tags (as indices) of each pack.
  private var packData: HTML {
    let numbers = Dictionary(zip(release.tags.map(\.name), 0...)) { first, _ in first }
    var data: HTML = ""
    for pack in release.packs {
      let tags = pack.tags.compactMap { numbers[$0] }.map { number -> HTML in " \(number)" }
      let packed: HTML = pack.packedSize.map { "\($0)" } ?? "-"
      data += "\(pack.size) \(packed)\(tags);"
      if data.text.utf8.count > 100_000 { return "" }
    }
    return data
  }

  private var omission: String? {
    let (more, others) = (release.tags.count - tags.count, release.packs.count - packs.count)
    var parts: [String] = []
    if more > 0 { parts.append(counted(more, of: "more tag")) }
    if others > 0 { parts.append(counted(others, of: "more pack")) }
    let marks = facts.pulledIn.packs.isEmpty ? "" : "◆: in the initial install because of another tag. "
    return marks + (parts.isEmpty ? "" : "\(parts.joined(separator: " and ")) are in the tables below.")
  }

  private var dragTable: HTML {
    let pulledIn = facts.pulledIn
    if pulledIn.packs.isEmpty { return "" }
    return Table(
      pulledIn.packs.prefix(20).map { release.packs[$0] },
      columns: .tags("pack", names: facts.names, tags: \.tags),
      .count("files", count: \.fileCount),
      .size("size", bytes: \.size), .size("compressed", bytes: \.packedSize)
    ).html(
      "Packs that are in the initial install only because of one of their tags: "
        + "\(ByteSize.text(pulledIn.size))"
    )
      + .leftOut(pulledIn.packs.count - 20, noun: "more pack", prefix: "and ")
  }
}
