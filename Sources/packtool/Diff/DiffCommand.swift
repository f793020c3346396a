import Spelling
import Findings
import Flags
import PackKit
import Releases

extension Command {
  fileprivate struct DiffOptions: ReportingOptions {
    var form = ResultForm.text
    var tags: [String] = []
    var budgets = Budgets()
    var takesPointers = false
    var report: String?
    var device: DeviceClass?
    var shared = SharedOptions()
    var destinations: [Destination] { Destination.files([("--report", report)]) }
  }

  static let diff = Command(
    reporting: CommandSyntax<DiffOptions>(
      name: "diff", summary: "show what an update makes devices download, and why",
      discussion: [
        "Each of OLD and NEW is a built folder, an index.json with its contents file beside it, or a manifest, "
          + "whose files are then read. Of more than two, in order, the whole history is shown."
      ],
      examples: [
        .init("diff old packs", "what the update downloads, and why"),
        .init("diff old packs --format markdown > comment.md", "a comment for a pull request"),
      ],
      arguments: [
        Argument("OLD", summary: "the packs that users have", kind: .path),
        Argument(
          "NEW", summary: "the packs of the update; more of them for a history", kind: .path, count: 1...1000),
      ],
      flags: [
        .resultForm(of: "comparison", in: [.text, .json, .markdown], into: \.form),
        .list(
          "--having", valueName: "TAG", kind: .named("tag"),
          summary:
            "also count what a user downloads who has the packs of this tag; of several, of all of them",
          into: \.tags),
        .device(
          summary: "compare what one class of devices gets, of manifests and of folders built for it",
          into: \.device),
        .pointers(into: \.takesPointers), .report(into: \.report),
      ] + Budgets.flags.lifted(into: \.budgets)
        + SharedOptions.flags(in: \.shared)), DiffOptions.init
  ) { options, arguments, session in try options.run(arguments, session) }
}

extension Command.DiffOptions {
  fileprivate func run(_ arguments: [String], _ session: Session) throws -> ExitStatus {
    let readers = try ReleaseReader.read(
      arguments, takesPointers: takesPointers, device: device, jobs: shared.workers,
      scanJobs: shared.scanWorkers)
    let releases = readers.compactMap(\.release)
    let findings = judged(readers)
    guard releases.count == readers.count, !findings.hasErrors else {
      session.report(findings, shared)
      try session.printRefusal(findings, form)
      return .inputHasErrors
    }
    let devices = releases.map { (name: $0.name, device: $0.release.device) }
    if let mistake = deviceMistake(in: devices, named: device) ?? mistake(in: releases) {
      return session.refuse(mistake)
    }
    let history = History(releases)
    let judged = judged(readers, more: budgetFindings(on: history, readers))
    session.report(judged, shared)
    if let path = report, let newest = releases.last {
      let facts = ReportFacts(
        ReportSubject(
          newest.release, newest.contents, manifest: readers.last?.manifest, variants: newest.variants),
        findings: judged, history: history)
      try session.write(facts, to: path)
    }
    try show(history, readers.last?.manifest, session)
    return judged.hasErrors ? .inputHasErrors : .done
  }

  /// The findings of each reader by the settings of its manifest, and those about the last update.
  private func judged(_ readers: [ReleaseReader], more: [Diagnostic] = []) -> Findings {
    let found = readers.map { ($0.diagnostics, shared.policy.adding($0.manifest)) }
    return Findings(
      manifestPath: readers.last?.path ?? "", text: readers.last?.text,
      judging: found + [(more, shared.policy.adding(readers.last?.manifest))])
  }

  /// Budgets that the last update exceeds: those of the newest release's manifest, or of flags.
  private func budgetFindings(on history: History, _ readers: [ReleaseReader]) -> [Diagnostic] {
    guard let update = history.updates.last, let last = readers.last else { return [] }
    let findings = BudgetFindings(allBudgets(last.manifest), text: last.manifest?.text, path: last.path)
    return findings.findings(on: update) + findings.findings(on: update.new)
      + versionFindings(on: update, last.path)
  }

  /// Versions of self-hosted packs by which devices do not get what changed, or get again what they have.
  private func versionFindings(on update: Comparison, _ path: String) -> [Diagnostic] {
    update.packs.compactMap { change in
      guard let old = change.oldVersion, let new = change.version else { return nil }
      let what: String? =
        if new < old || (new == old && change.status == .changed) {
          "devices that have the version \(old) keep the old contents"
        } else if new > old && change.status == .unchanged {
          "devices download the same contents again"
        } else {
          nil
        }
      return what.map {
        let message = "the pack \(quoted(change.id)) goes from version \(old) to \(new), so that \($0)"
        return Diagnostic(.wrongVersion, message, at: Place(path))
      }
    }
  }

  private func bounds(on update: Comparison, _ manifest: Manifest?) -> UpdateBounds {
    let release = update.new.release
    let limits = manifest?.limits ?? LimitSettings(profile: LimitProfile.named(release.profile) ?? .appStore)
    let appBundle = manifest.flatMap { try? AppBundleMeasure(of: $0).size }
    let uses = LimitUse.all(
      of: release, slices: update.new.variants?.slices ?? [], limits, appBundleSize: appBundle)
    return (uses, allBudgets(manifest).uses(on: update))
  }

  /// The budgets of a manifest, with those of flags in their place.
  private func allBudgets(_ manifest: Manifest?) -> Budgets {
    var all = manifest?.budgets ?? Budgets()
    all.replace(by: budgets)
    return all
  }

  private func show(_ history: History, _ manifest: Manifest?, _ session: Session) throws {
    guard history.updates.count == 1, let update = history.updates.first else {
      if form == .markdown { return try session.print(markdown: history.markdown) }
      return try session.print(form, history.text(showsAll: shared.isVerbose), history.json)
    }
    let report = UpdateReport(
      update, having: tags, bounds: bounds(on: update, manifest), showsAll: shared.isVerbose)
    if form == .markdown { return try session.print(markdown: report.markdown) }
    try session.print(form, report.text(on: session.screen(shared)), report.json)
  }

  /// The mistake of a tag that no release has, or that a history does not use.
  private func mistake(in releases: [ReleaseContents]) -> String? {
    if !tags.isEmpty && releases.count > 2 {
      return "flag \"--having\" goes with two releases; a history counts every tag"
    }
    let known = Set(releases.flatMap(\.tags))
    guard let unknown = tags.first(where: { !known.contains($0) }) else { return nil }
    let guess = suggestion(nearest(to: unknown, in: known))
    return "flag \"--having\" names the tag \(quoted(unknown)), which no release has\(guess)"
  }
}
