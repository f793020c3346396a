import Formats
import Inspect
import Model
import Pipeline
import Play
import System

/// The sentences at the top of a report.
///
/// They are about errors, limits, the initial install, untagged files, the update and the longest wait.
struct Headlines {
  /// A sentence at the top of a report.
  struct Headline {
    /// The importance of the sentence.
    let weight: Weight
    let text: String
  }

  enum Weight: String {
    case bad
    case warning
    case fact
  }

  let facts: ReportFacts

  var all: [Headline] {
    let rest = [installHeadline, dragHeadline, deviceHeadline, untaggedHeadline, updateHeadline]
    return [removalHeadline, findingHeadline].compactMap(\.self)
      + facts.limits.filter { $0.share >= 0.9 }.map(headline)
      + rest.compactMap(\.self) + facts.simulations.map(Self.headline)
  }

  private var removalHeadline: Headline? {
    if facts.removedTags.isEmpty { return nil }
    let tags = facts.removedTags.line(startingWith: "Removed tags")
    return Headline(weight: .warning, text: "\(tags).")
  }

  private var findingHeadline: Headline? {
    let (errors, warnings) = (facts.findings.count(.error), facts.findings.count(.warning))
    if let first = facts.findings.diagnostics.first(where: { $0.severity == .error }) {
      let others = Set(facts.findings.diagnostics.lazy.filter { $0.severity == .error }.map(\.check.id))
      let kinds = others.subtracting([first.check.id]).sorted()
      let more =
        errors > 1
        ? " The table of findings lists all\(kinds.isEmpty ? "" : ", including \(Self.sentence(kinds))")."
        : ""
      return Headline(
        weight: .bad,
        text: "\(counted(errors, of: "error")), \(first.check.id): \(first.message.onPage).\(more)")
    }
    if warnings == 0 { return nil }
    return Headline(weight: .warning, text: "\(counted(warnings, of: "warning")), listed below.")
  }

  private func headline(on use: LimitUse) -> Headline {
    let what =
      use.kind.title + (use.tags.isEmpty ? "" : ", \(facts.names.name(of: use.tags))")
      + (use.device.map { " on \(quoted($0.name))," } ?? "")
    if use.headroom >= 0 {
      return Headline(
        weight: .warning,
        text: "Limit nearly reached: \(what) uses \(use.text(use.used)) of \(use.text(use.allowed)); "
          + "\(use.text(use.headroom)) left.")
    }
    return Headline(
      weight: use.isStoreLimit ? .bad : .warning,
      text: "\(use.isStoreLimit ? "Limit" : "Advice") exceeded: \(what) uses \(use.text(use.used)), "
        + "\(use.text(-use.headroom)) more than \(use.text(use.allowed))\(others(than: use)); "
        + "\(use.isCount ? "combine packs" : "split its packs") or remove tags.")
  }

  private func others(than use: LimitUse) -> String {
    let sizes =
      switch use.kind {
      case .packSize: facts.release.packs.map(\.size)
      case .tagSize: facts.release.tags.map(\.size)
      default: [Int64]()
      }
    let count = sizes.count { $0 > use.allowed } - 1
    return count > 0 ? ", and so do \(grouped(count)) more" : ""
  }

  private var installHeadline: Headline? {
    let packs = facts.release.orderOnDevice(of: .initialInstall)
    if packs.isEmpty { return nil }
    let size = facts.timeline.initialEnd - facts.timeline.appEnd
    let device =
      facts.timeline.device.map {
        " on \(quoted($0.name)), the device class that gets the most bytes"
      } ?? ""
    let archives = facts.timeline.isPacked ? facts.release.packedSize(of: packs) : nil
    let packed = archives.map { ", \(ByteSize.text($0)) compressed" } ?? ""
    let times = facts.timeline.links.map { "\(TimeText.text($0.initialInstall)) on \($0.name)" }
    let end =
      facts.timeline.appEnd > 0
      ? "." : "; the app's own size is not counted: give \"appBundle\" in the manifest."
    return Headline(
      weight: .fact,
      text:
        "The initial install is \(ByteSize.text(size)) in \(counted(packs.count, of: "pack"))\(packed)\(device): "
        + "the app is playable after \(Self.sentence(times))\(end)")
  }

  private var dragHeadline: Headline? {
    let initial = facts.release.count(of: .initialInstall).size
    // If one tag pulls in all packs of the initial install, nothing is reported, because the initial install
    // would be empty without this tag.
    if facts.pulledIn.packs.isEmpty || facts.pulledIn.size == initial { return nil }
    let percent = Int((Double(facts.pulledIn.size) / Double(initial) * 100).rounded())
    return Headline(
      weight: percent >= 25 ? .warning : .fact,
      text:
        "\(ByteSize.text(facts.pulledIn.size)) of the initial install (\(percent) %) is in packs that also "
        + "have the tags \(listed(facts.pulledIn.tags, atMost: 4)), which are not in the initial install: "
        + "give these files only tags that an app requests later.")
  }

  private var deviceHeadline: Headline? {
    facts.slices?.range { $0.total.size }.map { range in
      Headline(
        weight: .fact,
        text: "A device gets \(ByteSize.text(range.smallest.size)) (\(range.smallest.device.name)) to "
          + "\(ByteSize.text(range.largest.size)) (\(range.largest.device.name)) of all packs; the sizes of packs, tags and "
          + "files include the variants for all devices.")
    }
  }

  private var untaggedHeadline: Headline? {
    let count = facts.release.untagged
    if count.files == 0 { return nil }
    let size = ByteSize.text(count.size)
    let files = counted(count.files, of: "file")
    return Headline(weight: .fact, text: "\(files) with \(size) have no tags and stay in the app bundle.")
  }

  private var updateHeadline: Headline? {
    guard let update = facts.update else { return nil }
    let total = update.summary.total
    let name = quoted(update.update.old.name)
    if total.packs == 0 {
      return Headline(weight: .fact, text: "The update from \(name) downloads nothing.")
    }
    let packs =
      "\(ByteSize.text(update.shownSize(total))) \(update.isPacked ? "compressed" : "uncompressed") in "
      + "\(counted(total.packs, of: "pack"))"
      + (total.patched.map { ", or \(ByteSize.text($0)) with patches" } ?? "")
    let worst = update.downloadedPacks.first.map {
      " The largest is \(TagNames.shortening(setNotation($0.tags))): \(ByteSize.text(update.shownSize($0))) for \(ByteSize.text($0.fileBytes)) of "
        + "new and changed files\(update.isPacked ? " (uncompressed)" : "")."
    }
    let saving = update.remarks.filter { $0.saving > 0 }.saturatingSum { $0.saving }
    let advice =
      saving > 0
      ? " If the changed files had tags of their own, \(ByteSize.text(saving)) less would be downloaded." : ""
    return Headline(weight: .fact, text: "The update from \(name) downloads \(packs).\(worst ?? "")\(advice)")
  }

  private static func headline(on run: SimulationRun) -> Headline {
    let longest = run.stalls.max { ($0.duration, $1.step) < ($1.duration, $0.step) }
    guard let longest else {
      let failed = run.result.summary.errors
      let more = failed > 0 ? ", but \(counted(failed, of: "request")) failed" : ""
      return Headline(
        weight: failed > 0 ? .warning : .fact, text: "In \(quoted(run.path)) the player never waits\(more).")
    }
    return Headline(
      weight: .warning,
      text: "In \(quoted(run.path)) the longest wait is \(TimeText.text(longest.duration)), for "
        + "\(listed(run.request(of: longest).tags, atMost: 4)). \(TagNames.shortening(run.words(on: longest)))."
    )
  }

  /// Joins parts to a list such as `a, b and c`.
  private static func sentence(_ parts: [String]) -> String {
    guard parts.count > 1, let last = parts.last else { return parts.first ?? "" }
    return parts.dropLast().joined(separator: ", ") + " and " + last
  }
}

extension LimitUse {
  /// Returns the name of the pack or tag that uses the largest share of a limit, and the name of the device
  /// class.
  ///
  /// Returns an empty string if the limit applies to all packs together.
  func subject(_ names: TagNames) -> String {
    let parts = [tags.isEmpty ? nil : names.name(of: tags), device.map { "on \($0.name)" }]
    return parts.compactMap(\.self).joined(separator: ", ")
  }

  func text(_ value: Int64) -> String { isCount ? grouped(value) : ByteSize.text(value) }
}
