import Findings
import Markup
import PackKit

/// Every pack.
struct PackSection {
  private let facts: ReportFacts
  private let detail: ReportDetail

  init(_ facts: ReportFacts, _ detail: ReportDetail) {
    self.facts = facts
    self.detail = detail
  }

  var html: HTML? {
    let release = facts.release
    if release.packs.isEmpty { return nil }
    let order = release.packs.indices.sorted { (release.packs[$1].size, $0) < (release.packs[$0].size, $1) }
    let rows = order.prefix(detail.rows).map { number in row(release.packs[number]) }
    let more = order.count - rows.count
    return .table(
      "Packs, the largest first",
      [
        .text("tags"), .text("delivery"), .number("files"), .number("size"), .number("packed"),
        .number("packed part"), .text("identifier"),
      ], Array(rows))
      + .note(more > 0 ? "\(counted(more, "more pack")): packtool plan --format json lists all." : nil)
  }

  private func row(_ pack: Release.Pack) -> HTML {
    let share = pack.packedSize.map { pack.size > 0 ? Double($0) / Double(pack.size) : 1 }
    let part: HTML =
      share.map {
        "<td class=\"n\" data-v=\"\(Int64(min($0, 1e6) * 1000))\" align=\"right\">\(HTML.percent($0))</td>"
      } ?? "<td class=\"n\" align=\"right\">–</td>"
    return """
      <tr data-id="\(pack.id, upTo: 300)"><th scope="row">\(pack.label, upTo: 160)</th><td>\(pack.delivery.title)</td>\(.count(pack.fileCount))\(.size(pack.size))\(.size(pack.packedSize))\(part)<td><code>\(pack.id.suffix(32).description, upTo: 40)</code></td></tr>

      """
  }
}

/// Every tag, with what a request for it downloads.
struct TagSection {
  private let facts: ReportFacts
  private let detail: ReportDetail

  init(_ facts: ReportFacts, _ detail: ReportDetail) {
    self.facts = facts
    self.detail = detail
  }

  var html: HTML? {
    if facts.tags.isEmpty { return nil }
    let order = facts.tags.sorted { first, second in
      first.tag.size == second.tag.size
        ? first.tag.name.precedesInBytes(second.tag.name) : first.tag.size > second.tag.size
    }
    let rows = order.prefix(detail.rows).map { load -> HTML in
      """
      <tr><th scope="row">\(load.tag.name, upTo: 160)</th><td>\(load.tag.delivery.title)</td>\(.count(load.tag.packs.count))\(.size(load.tag.size))\(.size(load.packedSize))\(.count(load.sharedPacks))\(.size(load.sharedSize))</tr>

      """
    }
    let more = order.count - rows.count
    return .table(
      "What a request for one tag downloads",
      [
        .text("tag"), .text("delivery"), .number("packs"), .number("size"), .number("packed"),
        .number("packs shared with others"), .number("size of these"),
      ], Array(rows))
      + .note(more > 0 ? "\(counted(more, "more tag")): packtool plan --format json lists all." : nil)
  }
}

/// The largest files.
struct FileSection {
  private let facts: ReportFacts
  private let detail: ReportDetail

  init(_ facts: ReportFacts, _ detail: ReportDetail) {
    self.facts = facts
    self.detail = detail
  }

  var html: HTML? {
    if facts.heaviest.isEmpty { return nil }
    let shown = facts.heaviest.prefix(min(ReportFacts.mostFiles, detail.rows * 2))
    let total = facts.release.total.files + facts.release.untagged.files
    let rows = shown.map { heavy -> HTML in
      let pack = heavy.pack.map { facts.release.packs[$0].label } ?? "untagged"
      return """
        <tr class="file"><th scope="row">\(heavy.file.path, upTo: 160)</th>\(.name(pack, 100))\(.size(heavy.file.size))\(.size(heavy.file.packedSize))</tr>

        """
    }
    return .table(
      "The largest files", [.text("file"), .text("pack"), .number("size"), .number("packed")], Array(rows))
      + .note(
        total > rows.count
          ? "\(counted(total - rows.count, "smaller file")): contents.json of a build lists all." : nil)
  }
}

/// Every finding with its place.
struct FindingSection {
  private let facts: ReportFacts
  private let detail: ReportDetail

  init(_ facts: ReportFacts, _ detail: ReportDetail) {
    self.facts = facts
    self.detail = detail
  }

  var html: HTML? {
    let all = facts.findings.diagnostics.sorted { $0.severity < $1.severity }
    if all.isEmpty { return nil }
    let rows = all.prefix(detail.rows / 3).map { finding -> HTML in
      let notes = finding.notes.prefix(2).map { note -> HTML in
        "<br><small>\(note.message, upTo: 400)</small>"
      }
      return """
        <tr class="\(finding.severity.rawValue)"><th scope="row">\(finding.severity.rawValue)</th><td>\(displayed(finding.place), upTo: 200)</td><td>\(finding.message, upTo: 800)\(Array(notes))</td><td><code>\(finding.check.id)</code></td></tr>

        """
    }
    let more = all.count - rows.count
    return .table(
      facts.findings.summary, [.text("severity"), .text("place"), .text("finding"), .text("check")],
      Array(rows))
      + .note(more > 0 ? "and \(counted(more, "more finding")): --diagnostics lists all." : nil)
  }
}

/// The summary in sentences.
struct SummarySection {
  private let facts: ReportFacts

  init(_ facts: ReportFacts) {
    self.facts = facts
  }

  var html: HTML? {
    let lines = Headline.all(of: facts)
    if lines.isEmpty { return nil }
    return "<ul class=\"heads\">\n\(lines.map(line))</ul>\n"
  }

  private func line(_ headline: Headline) -> HTML {
    let mark: HTML =
      switch headline.weight {
      case .bad: "<strong>Error.</strong> "
      case .warning: "<strong>Look here.</strong> "
      case .fact: ""
      }
    return "<li class=\"\(headline.weight.rawValue)\">\(mark)\(headline.text)</li>\n"
  }
}

/// Each limit as a bar, with the room that is left.
struct LimitSection {
  private let facts: ReportFacts

  init(_ facts: ReportFacts) {
    self.facts = facts
  }

  var html: HTML? {
    if facts.limits.isEmpty { return nil }
    return .table(
      "Limits of the profile \(facts.release.profile); sizes count uncompressed",
      [
        .text("limit"), .text("used by"), .number("used"), .number("most"), .number("room left"),
        .text("part"),
      ],
      facts.limits.map(row))
  }

  private func row(_ use: LimitUse) -> HTML {
    let share = HTML.percent(use.share)
    let room = use.room < 0 ? "\(use.text(-use.room)) too much" : use.text(use.room)
    return """
      <tr><th scope="row">\(use.kind.title)</th><td>\(use.subject.isEmpty ? "all" : use.subject, upTo: 160)</td><td class="n" data-v="\(use.used)" align="right">\(use.text(use.used))</td><td class="n" data-v="\(use.most)" align="right">\(use.text(use.most))</td><td class="n" data-v="\(use.room)" align="right">\(room)</td><td data-v="\(Int64(min(use.share, 1e6) * 1000))">\(.bar(use.share, isFull: use.room < 0)) \(share)</td></tr>

      """
  }
}
