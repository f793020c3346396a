import Findings
import Markup
import PackKit
import Releases
import System

// What a page begins with, and what its files are.
extension ReportFacts {
  /// Four numbers: what a first download, the whole game and this update come to, each beside its limit and its change.
  var figures: HTML {
    let totals = update.map { UpdateTotal.all(of: $0.update) } ?? []
    func change(_ title: String) -> String? {
      totals.first { $0.title == title }.map { total in
        let change = UpdateTotal.change(total.size, total.text)
        return change == "±0" ? "as before" : "\(change) by this update"
      }
    }
    func limit(_ kind: LimitKind) -> String? {
      limits.first { $0.kind == kind }.map { "\(HTML.percent($0.share)) of at most \($0.text($0.most))" }
    }
    let app = timeline.appEnd > 0 ? "the app and the initial install" : "the initial install, without the app"
    let download = update.map { report in
      (ByteSize.text(report.told(report.summary.total)), "in \(counted(report.summary.total.packs, "pack"))")
    }
    return """
      <ul class="four">
      \(figure(ByteSize.text(timeline.initialEnd), "first download", [app, limit(.initialInstallSize), change(Delivery.initialInstall.title)]))\(figure(ByteSize.text(release.total.size), "whole game", [limit(.totalSize), change("all packs")]))\(figure(grouped(release.packs.count), "packs", [limit(.packCount), change("packs")]))\(figure(download?.0 ?? "–", "this update", [download?.1 ?? "no baseline"]))</ul>

      """
  }

  private func figure(_ number: String, _ title: String, _ facts: [String?]) -> HTML {
    let lines = facts.compactMap(\.self).map { fact -> HTML in "<br><small>\(fact)</small>" }
    return "<li><strong>\(number)</strong> \(title)\(lines)</li>\n"
  }

  /// Bytes by the ends of files' names.
  var typeTable: HTML? {
    var sums: [String: (files: Int, size: Int64)] = [:]
    for file in files.packs.joined() + files.untagged {
      let name = file.path[(file.path.lastIndex(of: "/") ?? file.path.startIndex)...]
      let type = name.lastIndex(of: ".").map { name[$0...].lowercased() } ?? "without one"
      let sum = sums[type] ?? (0, 0)
      sums[type] = (sum.files + 1, sum.size.saturatingSum(with: file.size))
    }
    if sums.isEmpty { return nil }
    let all = sums.values.saturatingSum(\.size)
    let order = sums.sorted { ($1.value.size, $0.key) < ($0.value.size, $1.key) }
    let most = 20
    return Table(
      order.prefix(most),
      [
        .text("ending", \.key), .count("files", \.value.files), .size("size", \.value.size),
        .markup("part", by: \.value.size) {
          let share = all > 0 ? Double($0.value.size) / Double(all) : 0
          return "\(.bar(share)) \(HTML.percent(share))"
        },
      ]
    ).html("Bytes by the endings of files' names") + .note(order.count - most, "more ending", "", "and ")
  }
}
