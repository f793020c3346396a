import Findings
import Markup
import PackKit

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
