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
  var last: LastBuild?
  let scanTime: Int64
  let jobs: Int
  let keepsOld: Bool
  let timings: Timings
  let reads: AssetReads

  private var publisher: Publisher {
    Publisher(plan: plan, settings: settings, output: output, keepsOld: keepsOld, timings: timings)
  }

  /// Whether each pack of the plan is kept or written, and why.
  func decisions() -> [BuildDecision] {
    let key = settings.key(for: plan.manifest)
    return plan.packs.indices.map { last?.decision(on: $0, key) ?? .write(.noRecord) }
  }

  /// Content findings of kept packs, which packing does not read again.
  func contentFindings(inKept decisions: [BuildDecision]) throws -> [ContentFinding] {
    guard let last else { return [] }
    let kept = zip(plan.packs, decisions).filter(\.1.isKeep).flatMap(\.0.files)
    let files = kept.filter { last.file($0)?.hasContentFinding == true }
    return try ContentInspection(of: files, in: plan, root: root, reads: reads).findings(jobs: jobs)
  }

  /// The published release, if nothing but perhaps the record needs to be written; otherwise nil.
  func unchanged(
    _ decisions: [BuildDecision], _ findings: [ContentFinding]
  ) throws -> (Release, OutputChanges)? {
    guard let last, decisions.allSatisfy(\.isKeep), let list = last.intactList else { return nil }
    let packs = plan.packs.indices.compactMap(last.pack)
    let contents = settings.layout.mayBeList(list.path) ? list : nil
    let release = Release(of: plan, packs: packs, contents: contents)
    guard try settings.layout.isPublished(release, plan, settings, in: output) else { return nil }
    try output.clearStaging()
    if !last.isRecordCurrent { try renewRecord(packs, list, findings) }
    return (release, OutputChanges(removed: keepsOld ? [] : try output.removeOld(except: release)))
  }

  /// Records the times of files and archives that have the same contents as before.
  private func renewRecord(_ packs: [PublishedPack], _ list: PublishedFile, _ findings: [ContentFinding])
    throws
  {
    try FileOperations.makeFolder(output.stagingPath)
    let record = try unpublished([:], findings).draftRecord()
    try publisher.leaveRecord(record, packs, list)
    try output.clearStaging()
  }

  /// Writes the changed packs to the staging folder, then publishes all; publishes nothing if files changed
  /// meanwhile, or if the policy rejects their content findings.
  func write(
    _ decisions: [BuildDecision], _ kept: [ContentFinding], under lock: OutputLock, _ policy: Policy,
    _ progress: (@Sendable (Int64) -> Void)?
  ) throws -> ((Release, OutputChanges)?, [Diagnostic]) {
    var findings: [Diagnostic] = []
    let published = try publisher.publish(under: lock) {
      let (written, job) = try pack(decisions, progress)
      let found = job.contentFindings
      findings = found.map(\.finding)
      guard job.diagnostics.isEmpty, policy.accepts(findings) else {
        findings += job.diagnostics
        return nil
      }
      return unpublished(written, kept + found)
    }
    return (published, findings)
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
      guard let last, let old = last.pack(number) else {
        preconditionFailure("every pack is written or known")
      }
      return .kept(old, plan.packs[number].files.compactMap { last.file($0)?.packed })
    }
    return UnpublishedBuild(
      plan: plan, settings: settings, output: output, jobs: jobs, packs: packs, scanTime: scanTime,
      pathsWithFindings: Set(found.map(\.path)))
  }
}
