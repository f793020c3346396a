import Findings
import Flags
import PackKit
import Projects
import Releases
import System

/// The options of commands that make a plan of a manifest: build, validate and plan.
struct ManifestOptions: Sendable {
  var update = BaselineOptions()
  var project = ProjectOptions()
  var takesPointers = false
  /// The class of devices to plan for; nil for all.
  var device: DeviceClass?
  var shared = SharedOptions()

  /// The flags, for a command whose options hold these as a part.
  static func flags<Options>(in part: Flag<Options>.Target<ManifestOptions>) -> [Flag<Options>] {
    let own: [Flag<ManifestOptions>] =
      [.pointers(into: \.takesPointers)] + BaselineOptions.flags(in: \.update)
      + ProjectOptions.flags(in: \.project)
      + SharedOptions.flags(in: \.shared, checksLimits: true, scans: true)
    return own.map { $0.lifted(into: part) }
  }

  /// The message on conflicting flags.
  var mistake: String? { update.mistake }

  /// The source, with what the flags override.
  func input(_ argument: String?) throws(SystemError) -> Preparation.Request {
    let found = if let argument { argument } else { try ManifestSource.search() }
    var request = Preparation.Request(
      found, project: project.choice, profile: shared.profile,
      budgets: update.budgets.budgets, jobs: shared.workers, scanJobs: shared.scanWorkers)
    let severity = shared.severities[Check.untaggedFile.id]
    request.reportsUntagged = severity != nil && severity != .ignore
    request.takesPointers = takesPointers
    request.device = device
    return request
  }

  /// Prints the notes of `--verbose` on a manifest and its files, which the session keeps.
  func adopt(_ prepared: Preparation, _ session: Session) {
    if let plan = prepared.plan { session.keep(plan) }
    if shared.isVerbose { session.narrate(PreparationText.text(of: prepared, jobs: shared.workers), shared) }
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

  /// What a report says of a preparation; `packs` are those that are built.
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
