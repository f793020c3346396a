package import Formats
import Model
import Pipeline
import System

extension BuildRequest {
  /// The whole build, top to bottom: read, scan, plan, check, decide, pack, publish.
  ///
  /// - Throws: if the machine fails; mistakes in the input are findings of the result.
  package func run(_ policy: Policy, _ observer: BuildObserver = BuildObserver()) throws -> BuildResult {
    // Another build may be published into a release while patches are made from it.
    for _ in 1..<Self.mostTries {
      let result = try attempt(policy, observer)
      if result.release != nil { return result }
      let hasChanged = try result.baselines.contains { old throws(SystemError) in try old.hasChanged }
      if !hasChanged { return result }
    }
    return try attempt(policy, observer)
  }

  /// How often a build begins again because a release that patches are made from has changed.
  private static let mostTries = 3

  private func attempt(_ policy: Policy, _ observer: BuildObserver) throws -> BuildResult {
    let timings = Timings(measuresParts: measuresParts)
    let lock = try OutputLock(existing: folder, patience)
    let prepared = try Preparation(input, leavingOut: folder.identity, timings: timings)
    try observer.prepared(prepared)
    let baselines = try baselines()
    let whole = try self.settings(for: prepared, after: baselines)
    let (plan, settings) = part(of: prepared.slice.map { whole?.layout.arranged($0) ?? $0 }, whole)
    let last = try usesRecord ? lastBuild(of: plan, prepared, settings, under: lock, timings) : nil
    let known = last?.known ?? .nothing
    let policy = policy.adding(prepared.manifest)
    let output = settings.map { OutputFolder(folder.path, layout: $0.layout) } ?? folder
    var result = BuildResult(prepared: prepared, plan: plan, timings: timings, baselines: baselines)
    result.depfile =
      wantsDepfile
      ? prepared.plan.map {
        Depfile(of: $0, in: output, result.baselines, otherInputs: otherInputs)
      } : nil
    result.findings = try findings(on: result, whole?.layout, known)
    guard let plan, let root = prepared.root, let settings, policy.accepts(result.findings) else {
      result.findings += try timings.measure(.check) {
        try prepared.contentFindings(known: known, jobs: input.jobs)
      }
      return result
    }
    var work = BuildWork(
      plan: plan, root: root, settings: settings, output: output, last: last, scanTime: prepared.scanTime,
      jobs: input.jobs, keepsOld: keepsOld, timings: timings, reads: prepared.reads, usesRecord: usesRecord,
      baselines: result.usableBaselines)
    if let onto { try work.take(from: onto, known: known) }
    result.decisions = work.decisions()
    let kept = try work.contentFindings(inKept: result.decisions)
    let unread = kept.compactMap(\.finding).countingPointers + work.contentGaps(result.decisions)
    if !result.passes(unread, policy) { return result }
    if let ended = try work.unchanged(result.decisions, kept) {
      if result.passes(observer.packed(ended.0), policy) { result.ended = ended }
      return result
    }
    if last != nil { work.last?.damaged = try output.damagedPacks }
    result.decisions = work.decisions()
    let progress = observer.packing(plan, result.decisions, result.findings)
    let (ended, found) = try work.write(
      result.decisions, kept, under: lock ?? OutputLock(output, patience), policy, progress,
      observer.packed)
    result.findings += found
    result.ended = ended
    return result
  }

  /// All that is found before a pack is decided about.
  private func findings(
    on result: BuildResult, _ layout: (any PackLayout)?, _ known: KnownFiles
  ) throws -> [Diagnostic] {
    let prepared = result.prepared
    var findings =
      try prepared.diagnostics
      + folder.findings(about: prepared.plan, root: prepared.root, isPart: shard != nil)
    if shard == nil { findings += try folder.findings(replacedBy: (layout as? PacktoolLayout)?.signing) }
    findings += try result.timings.measure(.check) {
      try prepared.planFindings(known: known, jobs: input.jobs)
    }
    findings += result.depfile?.findings ?? []
    findings += try result.baselines.flatMap { old throws(SystemError) in
      try old.diagnostics + self.refusal(of: old, prepared.manifest)
    }
    if let layout { findings += prepared.findings(for: layout) }
    for check in moreChecks { findings += try check(prepared, known) }
    // What an update downloads by patches is known once they are made.
    return findings
      + prepared.unusedAcceptances(in: findings, besides: patchFrom.isEmpty ? [] : [.updateSize, .growth])
  }

  /// The releases that patches start from, each once, in byte order of their digests.
  private func baselines() throws(SystemError) -> [PatchBaseline] {
    var found: [PatchBaseline] = []
    for path in patchFrom {
      let old = try PatchBaseline(path)
      if !old.diagnostics.isEmpty || !found.contains(where: { $0.digest == old.digest }) { found.append(old) }
    }
    return found.sorted { $0.digest.hex < $1.digest.hex }
  }

  /// The finding on a release of another app, or one that lies where the build is written to: it would be gone once its
  /// patches are made.
  private func refusal(of old: PatchBaseline, _ manifest: Manifest?) throws(SystemError) -> [Diagnostic] {
    if let own = manifest?.bundleIdentifier, let other = old.index?.bundleIdentifier, own != other {
      let message =
        "\(quoted(old.path)) has the packs of \(quoted(other)), which no player of \(quoted(own)) has"
      return [Diagnostic(.foreignBaseline, message, at: Place(old.indexPath))]
    }
    guard let own = try folder.identity, try FileOperations.statusIfThere(old.path)?.identity == own else {
      return []
    }
    let message =
      "\(quoted(old.path)) is the output folder, where a build replaces the release that patches start from; keep a "
      + "copy of the release and name that"
    return [Diagnostic(.unsafeOutput, message, at: Place(old.path))]
  }

  /// The last build of a plan; nil without a record.
  private func lastBuild(
    of plan: PackPlan?, _ prepared: Preparation, _ settings: PackSettings?, under lock: OutputLock?,
    _ timings: Timings
  ) throws -> LastBuild? {
    try timings.measure(.compare) {
      try LastBuild(
        of: plan, root: prepared.root, key: plan.flatMap { settings?.key(for: $0.manifest) },
        settings?.layout, under: lock, jobs: input.jobs, reads: prepared.reads)
    }
  }
}
