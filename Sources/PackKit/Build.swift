import Archiving

/// A plan turned into packs and an index.
package struct Build: Sendable {
  package let plan: PackPlan
  package let output: OutputFolder
  package let settings: PackSettings
  package let jobs: Int
  /// Whether packs stay that the new index does not name.
  package let keepsOld: Bool
  private let claim: OutputClaim?
  private let patience: OutputClaim.Patience
  let preparation: Preparation

  /// How a build ended.
  package struct Outcome: Sendable {
    /// What was published; nil where nothing was: files changed while they were packed, or are not accepted.
    package let index: Index?
    /// What was found while packing.
    package let diagnostics: [Diagnostic]
    /// For each pack of the plan why it was written; nil where it was left as it is.
    package let reasons: [String?]

    /// Whether all that was built stood there already.
    package let isUnchanged: Bool
  }

  /// The building of what was prepared; nil where there is no plan.
  ///
  /// `claim` is the hold on the output folder, nil where nothing stood there when the preparation began; `patience`
  /// says what to do where another build makes that folder in the meantime.
  package init?(
    _ preparation: Preparation, into output: OutputFolder, settings: PackSettings, jobs: Int, keepsOld: Bool,
    claim: OutputClaim? = nil, patience: OutputClaim.Patience = .fails
  ) {
    guard let plan = preparation.plan else { return nil }
    self.claim = claim
    self.patience = patience
    self.preparation = preparation
    self.plan = plan
    self.output = output
    self.settings = settings
    self.jobs = jobs
    self.keepsOld = keepsOld
  }

  /// Writes what changed beside the published packs, then publishes all by the rename of the index.
  ///
  /// `accepts` says whether packs may be published in spite of what a look into their files found; `progress` is
  /// told, from any thread, how many bytes more have been packed.
  package func run(
    accepts: ([Diagnostic]) -> Bool = { _ in true }, progress: (@Sendable (Int64) -> Void)? = nil
  ) throws -> Outcome {
    let prior = preparation.prior
    let reasons = plan.packs.map { pack in
      prior.map { $0.reasonToBuild(pack, key: key, in: output) } ?? "there is no record of a build"
    }
    let found = try findingsInKeptPacks(reasons)
    guard accepts(found) else {
      return Outcome(index: nil, diagnostics: found, reasons: reasons, isUnchanged: true)
    }
    if let prior, let index = unchangedIndex(prior, reasons), try hasPublished(index) {
      try output.clearStaging()
      if !keepsOld { try output.removeOld(except: index) }
      return Outcome(index: index, diagnostics: found, reasons: reasons, isUnchanged: true)
    }
    return try write(prior, reasons, found, accepts, progress)
  }

  private func write(
    _ prior: PriorBuild?, _ reasons: [String?], _ found: [Diagnostic], _ accepts: ([Diagnostic]) -> Bool,
    _ progress: (@Sendable (Int64) -> Void)?
  ) throws -> Outcome {
    let claim = try claim ?? OutputClaim(output, patience)
    var before: OutputClaim.Before?
    let outcome: Outcome
    let published: Publication
    do {
      before = try claim.begin()
      let (packs, job) = try pack(prior, reasons, progress)
      let found = found + job.inspected
      guard job.diagnostics.isEmpty, accepts(found) else {
        claim.abandon(before)
        return Outcome(index: nil, diagnostics: found + job.diagnostics, reasons: reasons, isUnchanged: false)
      }
      let remarkable = (preparation.diagnostics + found).remarkablePaths
      published = try preparation.timings.measure(.publish) { try publish(packs, remarkable) }
      outcome = Outcome(index: published.index, diagnostics: found, reasons: reasons, isUnchanged: false)
    } catch {
      claim.abandon(before)
      if (error as? SystemError)?.isInterruption == true { throw InterruptedBuild(path: output.path) }
      throw error
    }
    try preparation.timings.measure(.publish) { try settle(published) }
    return outcome
  }

  /// Writes the packs that changed beside those that are published.
  private func pack(
    _ prior: PriorBuild?, _ reasons: [String?], _ progress: (@Sendable (Int64) -> Void)?
  ) throws -> ([Int: WrittenPack], PackJob) {
    let job = PackJob(
      plan, settings, into: output, prior: prior, inspects: !preparation.isInspected,
      timings: preparation.timings, progress: progress)
    let changed = plan.packs.indices.filter { reasons[$0] != nil }
    let size = changed.saturatingSum { plan.packs[$0].size }
    let sync = PackSync()
    let written: [Int: WrittenPack]
    do {
      written = try preparation.timings.measure(.pack, bytes: size) {
        try PackQueue(changed, of: job, staging: output.stagingPath, sync: sync).writeAll(jobs: jobs)
      }
    } catch {
      sync.abandon()
      throw error
    }
    try preparation.timings.measure(.sync) {
      try sync.finish()
      if written.values.contains(where: \.isFolder) { try output.syncStagedFolders() }
    }
    return (written, job)
  }

  /// What there is to say of files that packing will not read: a look into them once found something.
  private func findingsInKeptPacks(_ reasons: [String?]) throws -> [Diagnostic] {
    guard let prior = preparation.prior, !preparation.isInspected else { return [] }
    let kept = zip(plan.packs, reasons).filter { $0.1 == nil }.flatMap(\.0.files)
    let files = kept.filter { prior.file($0)?.isRemarkable == true }
    return try ContentInspection(plan: plan, files: files).findings(jobs: jobs)
  }

  /// Whether what readers look at first is what this build would write.
  private func hasPublished(_ index: Index) throws -> Bool {
    if !settings.layout.isXcodes { return output.hasPublished(index) }
    let files = try XcodeOutput(of: plan, settings).files(of: index.packs ?? [], in: output)
    return try output.holds(files, without: settings.staleNames)
  }

  /// The index of a build that has nothing to write; nil where it has.
  private func unchangedIndex(_ prior: PriorBuild, _ reasons: [String?]) -> Index? {
    let record = prior.record
    guard reasons.allSatisfy({ $0 == nil }), record.packs.count == plan.packs.count,
      output.stamp(of: record.contents) == record.contentsStamp
    else { return nil }
    let packs = plan.packs.compactMap { prior.pack($0)?.published }
    return Index(of: plan, packs: packs, contents: settings.layout.isXcodes ? nil : record.contents)
  }

  var key: String { settings.key(for: plan) }
}
