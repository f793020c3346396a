import Simulation
import Findings
import PackKit
import Releases
import System

struct Headline: Sendable {
  enum Weight: String, Sendable {
    case bad
    case warning
    case fact
  }

  let weight: Weight
  let text: String

  /// The sentences of a report: mistakes, limits, the initial install, the untagged, the update, the longest wait.
  static func all(of facts: ReportFacts) -> [Headline] {
    [findings(facts.findings)].compactMap(\.self) + limits(facts)
      + [initialInstall(facts), drag(facts), devices(facts.slices)]
      .compactMap(\.self) + [untagged(facts.release), update(facts.update)].compactMap(\.self)
      + facts.simulations.map(wait)
  }

  private static func findings(_ findings: Findings) -> Headline? {
    let (errors, warnings) = (findings.count(.error), findings.count(.warning))
    if let first = findings.diagnostics.first(where: { $0.severity == .error }) {
      let others = Set(findings.diagnostics.lazy.filter { $0.severity == .error }.map(\.check.id))
      let kinds = others.subtracting([first.check.id]).sorted()
      let more =
        errors > 1
        ? " All are in the table of findings\(kinds.isEmpty ? "" : ", also \(sentence(kinds))")." : ""
      return Headline(
        weight: .bad,
        text: "\(counted(errors, "error")), \(first.check.id): \(first.message.onPage).\(more)")
    }
    if warnings > 0 {
      return Headline(weight: .warning, text: "\(counted(warnings, "warning")), listed below.")
    }
    return nil
  }

  private static func limits(_ facts: ReportFacts) -> [Headline] {
    facts.limits.filter { $0.share >= 0.9 }.map { use in
      let what =
        use.kind.title + (use.tags.isEmpty ? "" : ", \(facts.names.name(of: use.tags))")
        + (use.device.map { " on \(quoted($0.name))," } ?? "")
      if use.room >= 0 {
        return Headline(
          weight: .warning,
          text: "Limit nearly reached: \(what) uses \(use.text(use.used)) of \(use.text(use.most)); "
            + "\(use.text(use.room)) are left.")
      }
      return Headline(
        weight: use.isStoreLimit ? .bad : .warning,
        text: "\(use.isStoreLimit ? "Limit" : "Advice") exceeded: \(what) uses \(use.text(use.used)), "
          + "\(use.text(-use.room)) more than \(use.text(use.most))\(others(than: use, facts.release)); \(use.isCount ? "merge packs" : "split its packs") or drop tags."
      )
    }
  }

  private static func others(than use: LimitUse, _ release: Release) -> String {
    let sizes =
      switch use.kind {
      case .packSize: release.packs.map(\.size)
      case .tagSize: release.tags.map(\.size)
      default: [Int64]()
      }
    let count = sizes.count { $0 > use.most } - 1
    return count > 0 ? ", and so do \(grouped(count)) more" : ""
  }

  private static func initialInstall(_ facts: ReportFacts) -> Headline? {
    let packs = facts.release.order(of: .initialInstall)
    if packs.isEmpty { return nil }
    let size = facts.timeline.initialEnd - facts.timeline.appEnd
    let device = facts.timeline.device.map { " on \(quoted($0.name)), which gets most" } ?? ""
    let archives = facts.timeline.isPacked ? facts.release.packedSize(of: .initialInstall) : nil
    let packed = archives.map { ", \(ByteSize.text($0)) packed" } ?? ""
    let times = facts.timeline.links.map { "\(TimeText.text($0.initialInstall)) on \($0.name)" }
    return Headline(
      weight: .fact,
      text:
        "The initial install is \(ByteSize.text(size)) in \(counted(packs.count, "pack"))\(packed)\(device): the app is "
        + "playable after \(sentence(times))"
        + (facts.timeline.appEnd > 0 ? "." : ", without the app, whose size only a manifest says."))
  }

  private static func drag(_ facts: ReportFacts) -> Headline? {
    let drag = facts.drag
    let initial = facts.release.count(of: .initialInstall).size
    if drag.packs.isEmpty || initial == 0 { return nil }
    let percent = Int((Double(drag.size) / Double(initial) * 100).rounded())
    return Headline(
      weight: percent >= 25 ? .warning : .fact,
      text:
        "\(ByteSize.text(drag.size)) of it (\(percent) %) come only because their packs carry a tag of the initial "
        + "install beside \(listed(drag.tags, atMost: 4)): give these files only tags that are asked for later."
    )
  }

  private static func devices(_ slices: SlicesReport?) -> Headline? {
    guard let slices, let range = slices.range(of: { $0.total.size }) else { return nil }
    return Headline(
      weight: .fact,
      text:
        "A device gets \(ByteSize.text(range.least.size)) (\(range.least.device.name)) to "
        + "\(ByteSize.text(range.most.size)) (\(range.most.device.name)) of all packs; the sizes of packs, tags and files "
        + "count the variants of all devices.")
  }

  private static func untagged(_ release: Release) -> Headline? {
    let count = release.untagged
    if count.files == 0 { return nil }
    return Headline(
      weight: .fact,
      text:
        "\(counted(count.files, "file")) with \(ByteSize.text(count.size)) have no tags and stay in the app.")
  }

  private static func update(_ report: UpdateReport?) -> Headline? {
    guard let report else { return nil }
    let total = report.summary.total
    let name = quoted(report.update.old.name)
    if total.packs == 0 { return Headline(weight: .fact, text: "The update from \(name) downloads nothing.") }
    let packs =
      "\(ByteSize.text(report.told(total))) \(report.isPacked ? "packed" : "uncompressed") in \(counted(total.packs, "pack"))"
      + (total.patched.map { ", or \(ByteSize.text($0)) by patches" } ?? "")
    let worst = report.downloadedPacks.first.map {
      " The largest is \(TagNames.shortening(setNotation($0.tags))): \(ByteSize.text(report.told($0))) for \(ByteSize.text($0.fileBytes)) of "
        + "new and changed files\(report.isPacked ? " (uncompressed)" : "")."
    }
    let saving = report.remarks.filter { $0.saving > 0 }.saturatingSum { $0.saving }
    let advice =
      saving > 0 ? " Tags of their own for what changes would have saved \(ByteSize.text(saving))." : ""
    return Headline(
      weight: .fact, text: "The update from \(name) downloads \(packs).\(worst ?? "")\(advice)")
  }

  private static func wait(_ run: SimulationRun) -> Headline {
    let longest = run.stalls.max { ($0.duration, $1.step) < ($1.duration, $0.step) }
    guard let longest else {
      let failed = run.result.summary.errors
      return Headline(
        weight: failed > 0 ? .warning : .fact,
        text:
          "In \(quoted(run.path)) nobody waits\(failed > 0 ? ", but \(counted(failed, "request")) failed" : "")."
      )
    }
    let request = run.request(of: longest)
    return Headline(
      weight: .warning,
      text: "In \(quoted(run.path)) the longest wait is \(TimeText.text(longest.duration)), for "
        + "\(listed(request.tags, atMost: 4)). \(TagNames.shortening(run.words(on: longest))).")
  }

  /// `a, b and c`.
  private static func sentence(_ parts: [String]) -> String {
    guard parts.count > 1, let last = parts.last else { return parts.first ?? "" }
    return parts.dropLast().joined(separator: ", ") + " and " + last
  }
}

extension LimitUse {
  /// The largest user: a pack or a tag, and on which devices; empty where it is all of them together.
  func subject(_ names: TagNames) -> String {
    let parts = [tags.isEmpty ? nil : names.name(of: tags), device.map { "on \($0.name)" }]
    return parts.compactMap(\.self).joined(separator: ", ")
  }

  func text(_ value: Int64) -> String { isCount ? grouped(value) : ByteSize.text(value) }
}
