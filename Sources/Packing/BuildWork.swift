import Findings
import PackKit
import System

/// The second half of a build: decides about packs, writes and publishes them.
struct BuildWork: Sendable {
  let plan: PackPlan
  /// The open root folder.
  let root: Folder
  let settings: PackSettings
  let output: OutputFolder
  /// Nil without a usable record of the last build.
  let last: LastBuild?
  let scanTime: Int64
  let jobs: Int
  let keepsOld: Bool
  let timings: Timings
  let reads: AssetReads

  private var key: String { settings.key(for: plan.manifest) }

  /// Whether each pack of the plan is kept or written, and why.
  func decisions() -> [BuildDecision] {
    plan.packs.map { last?.decision(on: $0, key: key, in: output) ?? .write(.noRecord) }
  }

  /// Content findings of kept packs, which packing does not read again.
  func contentFindings(inKept decisions: [BuildDecision]) throws -> [ContentFinding] {
    guard let last else { return [] }
    let kept = zip(plan.packs, decisions).filter(\.1.isKeep).flatMap(\.0.files)
    let files = kept.filter { last.file($0)?.hasContentFinding == true }
    return try ContentInspection(of: files, in: plan, root: root, reads: reads).findings(jobs: jobs)
  }

  /// The published release, if nothing needs to be written; otherwise nil.
  func unchanged(_ decisions: [BuildDecision]) throws -> (Release, OutputChanges)? {
    guard let last, decisions.allSatisfy(\.isKeep), last.record.packs.count == plan.packs.count,
      output.stamp(of: last.record.contents) == last.record.contentsStamp
    else { return nil }
    let packs = plan.packs.compactMap { last.pack($0)?.published }
    let contents = settings.layout.mayBeList(last.record.contents.path) ? last.record.contents : nil
    let release = Release(of: plan, packs: packs, contents: contents)
    guard try settings.layout.isPublished(release, plan, settings, in: output) else { return nil }
    try output.clearStaging()
    return (release, OutputChanges(removed: keepsOld ? [] : try output.removeOld(except: release)))
  }

  /// Writes the changed packs to the staging folder, then publishes all; publishes nothing if files changed
  /// meanwhile, or if the policy rejects their content findings.
  func write(
    _ decisions: [BuildDecision], _ kept: [ContentFinding], under lock: OutputLock, _ policy: Policy,
    _ progress: (@Sendable (Int64) -> Void)?
  ) throws -> ((Release, OutputChanges)?, [Diagnostic]) {
    var before: OutputLock.Before?
    let publication: Publication
    let found: [ContentFinding]
    let old: [String]
    do {
      before = try lock.begin()
      let (written, job) = try pack(decisions, progress)
      found = job.contentFindings
      let findings = found.map(\.finding)
      guard job.diagnostics.isEmpty, policy.accepts(findings) else {
        lock.abandon(before)
        return (nil, findings + job.diagnostics)
      }
      old = try settings.layout.publishedPaths(in: output)
      let build = unpublished(written, kept + found)
      publication = try timings.measure(.publish) { try settings.layout.publish(build) }
    } catch {
      lock.abandon(before)
      if (error as? SystemError)?.isInterruption == true { throw InterruptedBuild(path: output.path) }
      throw error
    }
    var changes = publication.changes
    changes.removed = try timings.measure(.publish) { try settle(publication, old) }
    return ((publication.release, changes), found.map(\.finding))
  }

  /// Writes the changed packs to the staging folder.
  private func pack(
    _ decisions: [BuildDecision], _ progress: (@Sendable (Int64) -> Void)?
  ) throws -> ([Int: WrittenPack], PackJob) {
    let job = PackJob(
      plan, root, settings, into: output, last: last, timings: timings, reads: reads, progress: progress)
    let changed = plan.packs.indices.filter { !decisions[$0].isKeep }
    let size = changed.saturatingSum { plan.packs[$0].size }
    let sync = PackSync()
    let written: [Int: WrittenPack]
    do {
      written = try timings.measure(.pack, bytes: size) {
        try PackQueue(changed, of: job, staging: output.stagingPath, sync: sync).writeAll(jobs: jobs)
      }
    } catch {
      sync.abandon()
      throw error
    }
    try timings.measure(.sync) {
      try sync.finish()
      if written.values.contains(where: \.isFolder) { try output.syncStagedFolders() }
    }
    return (written, job)
  }

  private func unpublished(_ written: [Int: WrittenPack], _ found: [ContentFinding]) -> UnpublishedBuild {
    let packs = plan.packs.indices.map { number in
      if let written = written[number] { return FinishedPack.written(written) }
      guard let last, let old = last.pack(plan.packs[number]) else {
        preconditionFailure("every pack is written or known")
      }
      return .kept(old.published, last.record.files[old.files].map(\.packed))
    }
    return UnpublishedBuild(
      plan: plan, settings: settings, output: output, jobs: jobs, packs: packs, scanTime: scanTime,
      pathsWithFindings: Set(found.map(\.path)))
  }

  /// Syncs the publication to the disk, writes the record, and removes files that the index no longer names.
  ///
  /// - Returns: the paths of what was removed, relative to the output folder.
  private func settle(_ publication: Publication, _ old: [String]) throws -> [String] {
    // The build is published; the rest is too short to be worth an interruption.
    Interruption.ignore()
    let stale = try output.remove(settings.layout.staleNames)
    try output.syncFolders()
    try leaveRecord(of: publication)
    try output.clearStaging()
    return stale + (keepsOld ? [] : try output.removeOld(except: publication.release, before: old))
  }

  private func leaveRecord(of publication: Publication) throws(SystemError) {
    guard let list = publication.list else { return }
    var packs: [BuildRecord.Pack] = []
    var end = 0
    for (pack, published) in zip(plan.packs, publication.packs) {
      let start = end
      end += pack.files.count
      packs.append(
        BuildRecord.Pack(
          identifier: pack.identity.identifier, published: published,
          stamp: try output.requiredStamp(of: published.archive), files: start..<end))
    }
    let stamp = try output.requiredStamp(of: list)
    try publication.record.finish(packs, contents: list, stamp: stamp, as: output.recordPath)
  }
}
