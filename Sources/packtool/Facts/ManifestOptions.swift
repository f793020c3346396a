import Findings
import Flags
import Formats
import PackKit
import Projects
import Releases
import System

/// The options of commands that make a plan of a manifest: build, validate and plan.
struct ManifestOptions: Sendable {
  var update = BaselineOptions()
  var project = ProjectChoice()
  var takesPointers = false
  /// The class of devices to plan for; nil for all.
  var device: DeviceClass?
  var shared = SharedOptions()

  /// The flags of these options.
  static let flags: [Flag<ManifestOptions>] =
    [.pointers(into: \.takesPointers)] + BaselineOptions.flags.lifted(into: \.update)
    + projectFlags.lifted(into: \.project)
    + SharedOptions.flags(in: \.shared, checksLimits: true, scans: true)

  /// The message on conflicting flags.
  var mistake: String? { update.mistake }

  /// The source, with what the flags override.
  func input(_ argument: String?) throws(SystemError) -> Preparation.Request {
    let found = if let argument { argument } else { try ManifestSource.search() }
    var request = Preparation.Request(
      found, project: project, profile: shared.profile,
      budgets: update.budgets, jobs: shared.workers, scanJobs: shared.scanWorkers)
    let severity = shared.severities[Check.untaggedFile.id]
    request.reportsUntagged = severity != nil && severity != .ignore
    request.takesPointers = takesPointers
    request.device = device
    return request
  }

  /// Prints the notes of `--verbose` on a manifest and its files, which the session keeps.
  func adopt(_ prepared: Preparation, _ session: Session) {
    if let plan = prepared.plan { session.keep(plan) }
    if shared.isVerbose { session.narrate(prepared.notes(jobs: shared.workers), shared) }
  }

  /// Follows a manifest to its plan and through every check, for commands that write no packs.
  func findings(
    _ argument: String?, _ session: Session, listsUntagged: Bool = false
  ) throws -> (Preparation, [Diagnostic]) {
    var request = try input(argument)
    request.listsUntagged = listsUntagged
    let prepared = try Preparation(request)
    adopt(prepared, session)
    let checks = prepared.checks(jobs: shared.workers)
    var findings = prepared.diagnostics
    findings += try (checks?.findings() ?? []) + (checks?.contentFindings() ?? [])
    findings += try update.findings(on: prepared, .nothing, shared, session)
    findings += prepared.unusedAcceptances(in: findings)
    return (prepared, findings)
  }

  /// The facts of a report on a preparation; `packs` are those that are built.
  func facts(
    of prepared: Preparation, _ findings: Findings, packs: [PublishedPack?]? = nil,
    newest: ReleaseContents? = nil,
    simulations: [SimulationRun] = []
  ) throws -> ReportFacts {
    var earlier = try EarlierReleases(
      update.baseline.map { [$0] } ?? [], device: prepared.slice?.device, shared)
    let newest = try newest ?? earlier.newest(prepared, jobs: shared.workers)
    return ReportFacts(
      try ReportSubject(prepared, packs: packs), findings: findings, history: earlier.history(to: newest),
      simulations: simulations)
  }

  /// The same findings, judged.
  func check(
    _ argument: String?, _ session: Session, listsUntagged: Bool = false
  ) throws -> (Preparation, Findings) {
    let (prepared, findings) = try findings(argument, session, listsUntagged: listsUntagged)
    return (prepared, shared.judged(findings, about: prepared))
  }
}

/// The release to compare a manifest's packs with, and the budgets of the update from it.
struct BaselineOptions: Sendable {
  var baseline: String?
  /// Whether a baseline that is not there is a note, as before the first release.
  var isOptional = false
  var budgets = Budgets()

  /// The flags of these options.
  static let flags: [Flag<BaselineOptions>] =
    [
      .value(
        "--baseline", valueName: "INDEX", kind: .path,
        summary:
          "the packs that users have, a built folder or its index: checks the update against its budgets",
        into: \.baseline),
      .toggle(
        "--baseline-optional", summary: "a baseline that is not there yet is a note, not an error",
        sets: \.isOptional),
    ] + Budgets.flags.lifted(into: \.budgets)

  /// The message on a flag that needs a baseline.
  var mistake: String? {
    guard baseline == nil, !isOptional, budgets.needBaseline else { return nil }
    let flag = budgets.updateSize == nil ? "--budget-growth" : "--budget-update"
    return "flag \(quoted(flag)) needs a release to compare with: --baseline INDEX"
  }

  /// A finding about budgets of updates that nothing can be compared with.
  private func unchecked(_ budgets: Budgets, in manifest: Manifest) -> [Diagnostic] {
    guard budgets.needBaseline else { return [] }
    let offset = budgets.updateSize?.offset ?? budgets.growth?.offset
    let place = offset.map { manifest.text.place(at: $0) } ?? Place(manifest.text.path)
    if isOptional {
      return [Diagnostic(.missingBaseline, "without --baseline no budget of updates is checked", at: place)]
    }
    let message =
      "this budget is not checked without the packs that users have; name them by --baseline INDEX, or use "
      + "--baseline-optional before the first release"
    return [Diagnostic(.uncheckedBudget, message, at: place)]
  }

  /// Budgets that the update from the baseline exceeds, and errors in the baseline.
  func findings(
    on prepared: Preparation, _ known: KnownFiles, _ shared: SharedOptions, _ session: Session
  ) throws -> [Diagnostic] {
    guard let manifest = prepared.manifest else { return [] }
    guard let baseline else { return unchecked(manifest.budgets, in: manifest) }
    if isOptional, try !FileOperations.exists(baseline) {
      let message = "the baseline is not there yet, so no budget of updates is checked"
      return [Diagnostic(.missingBaseline, message, at: Place(baseline))]
    }
    let reader = try ReleaseReader(
      baseline, device: prepared.slice?.device, jobs: shared.workers, scanJobs: shared.scanWorkers)
    guard let release = reader.release else { return reader.diagnostics }
    if release.release.bundleIdentifier != manifest.bundleIdentifier {
      let message =
        "the baseline is of \(quoted(release.release.bundleIdentifier)), not of \(quoted(manifest.bundleIdentifier)); "
        + "name a build of this app"
      return [Diagnostic(.foreignBaseline, message, at: Place(reader.path))]
    }
    let devices = [(name: baseline, device: release.release.device)]
    if let mistake = deviceMistake(
      in: devices + [(prepared.path, prepared.slice?.device.map(ReleaseDevice.init))])
    {
      return [mistake.finding(at: reader.path)]
    }
    let (update, diagnostics) = try prepared.update(from: release, known: known, jobs: shared.workers)
    guard let update else { return diagnostics }
    if !shared.isQuiet {
      let size = update.download(of: .everything).byPacks
      session.narrate(
        "update from \(displayed(baseline)): \(ByteSize.text(size)) of \(ByteSize.text(update.new.size))\n",
        shared)
    }
    return BudgetFindings(manifest.budgets, text: manifest.text, path: prepared.path).findings(on: update)
  }
}
