package import Findings
import PackKit
import Projects
import System

extension BuildRequest {
  /// The whole build, top to bottom: read, scan, plan, check, decide, pack, publish.
  ///
  /// - Throws: if the machine fails; mistakes in the input are findings of the result.
  package func run(_ policy: Policy, _ observer: BuildObserver = BuildObserver()) throws -> BuildResult {
    let timings = Timings(measuresParts: measuresParts)
    let lock = try OutputLock(existing: folder, patience)
    let prepared = try Preparation(input, leavingOut: folder.identity, timings: timings)
    try observer.prepared(prepared)
    let whole = try self.settings(for: prepared)
    let (plan, settings) = part(of: prepared.slice.map { whole?.layout.arranged($0) ?? $0 }, whole)
    let last = try timings.measure(.compare) {
      try usesRecord ? lastBuild(of: plan, prepared, settings, under: lock) : nil
    }
    let known = last?.known ?? .nothing
    let policy = policy.adding(prepared.manifest)

    var findings =
      try prepared.diagnostics + undecidedVariants(of: prepared.plan)
      + folder.findings(
        about: prepared.plan, root: prepared.root, isPart: shard != nil)
    let checks = prepared.checks(known: known, jobs: input.jobs)
    findings += try timings.measure(.check) { try checks?.findings() ?? [] }
    let output = settings.map { OutputFolder(folder.path, layout: $0.layout) } ?? folder
    let depfile = wantsDepfile ? prepared.plan.map { Depfile(of: $0, in: output) } : nil
    findings += depfile?.findings ?? []
    findings += prepared.plan.flatMap { whole?.layout.findings(about: $0) } ?? []
    for check in moreChecks { findings += try check(prepared, known) }
    findings += prepared.unusedAcceptances(in: findings)
    guard let plan, let root = prepared.root, let settings, policy.accepts(findings) else {
      findings += try timings.measure(.check) { try checks?.contentFindings().refusingPointers ?? [] }
      return BuildResult(prepared, plan, .refused, findings, [], timings, depfile)
    }

    var work = BuildWork(
      plan: plan, root: root, settings: settings, output: output, last: last, scanTime: prepared.scanTime,
      jobs: input.jobs, keepsOld: keepsOld, timings: timings, reads: prepared.reads)
    work.published = try onto.map { try PublishedPacks(of: $0, for: work, known: known) }
    var decisions = work.decisions()
    let kept = try work.contentFindings(inKept: decisions)
    let unread = kept.map(\.finding).refusingPointers + work.contentGaps(decisions)
    findings += unread
    guard policy.accepts(unread) else {
      return BuildResult(prepared, plan, .refused, findings, decisions, timings, depfile)
    }
    if let (release, changes) = try work.unchanged(decisions, kept) {
      return BuildResult(prepared, plan, .unchanged(release, changes), findings, decisions, timings, depfile)
    }
    work.last = try last?.proven(in: output)
    decisions = work.decisions()
    let (published, more) = try work.write(
      decisions, kept, under: lock ?? OutputLock(output, patience), policy,
      observer.packing(plan, decisions, findings))
    return BuildResult(
      prepared, plan, published.map { .published($0, $1) } ?? .refused, findings + more, decisions, timings,
      depfile
    )
  }

  /// What the last build left of a plan; nil without a record.
  private func lastBuild(
    of plan: PackPlan?, _ prepared: Preparation, _ settings: PackSettings?, under lock: OutputLock?
  ) throws -> LastBuild? {
    try LastBuild(
      of: plan, root: prepared.root, key: plan.flatMap { settings?.key(for: $0.manifest) }, settings?.layout,
      under: lock, jobs: input.jobs, reads: prepared.reads)
  }
}
