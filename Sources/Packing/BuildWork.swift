import Formats
import Model
import Pipeline
import System

/// The second half of a build: decides about packs, writes and publishes them.
struct BuildWork: Sendable {
  let plan: PackPlan
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
  /// Whether patches of the last build are known.
  let usesRecord: Bool
  /// The packs of a release to build onto that need not be written, by their index in the plan.
  var taken: [Int: (pack: PublishedPack, files: [PackedFile])] = [:]
  /// Findings about files that could not be read to compare them with that release.
  var unread: [Diagnostic] = []
  /// The releases that patches start from, in byte order of their digests.
  var baselines: [PatchBaseline] = []

  private var publisher: Publisher {
    Publisher(settings: settings, output: output, keepsOld: keepsOld, timings: timings)
  }

  /// Whether each pack of the plan is kept or written, and why.
  func decisions() -> [BuildDecision] {
    let key = settings.key(for: plan.manifest)
    return plan.packs.indices.map { number in
      let decision = named(last?.decision(on: number, key) ?? .write(.noRecord), number)
      guard let taken = taken[number]?.pack else { return decision }
      // An archive that is here already need not be looked for elsewhere.
      let isHere = decision.isKeep && last?.pack(number)?.archive == taken.archive
      return isHere ? decision : .takeOver
    }
  }

  /// A decision, unless the pack is kept under a name that it no longer has.
  private func named(_ decision: BuildDecision, _ number: Int) -> BuildDecision {
    guard decision.isKeep, let archive = last?.pack(number)?.archive else { return decision }
    let path = settings.layout.path(of: plan.packs[number], archive.file, in: settings.container)
    return archive.path == path ? decision : .write(.renamed)
  }

  /// Content findings of packs that are not written, which packing does not read.
  func contentFindings(inKept decisions: [BuildDecision]) throws -> [ContentFinding] {
    let files = zip(plan.packs, decisions).flatMap { pack, decision -> [Int] in
      switch decision {
      case .keep: pack.files.filter { last?.file($0)?.hasContentFinding == true }
      case .takeOver: pack.files.filter { last?.file($0)?.hasContentFinding != false }
      case .write: []
      }
    }
    return try plan.contentFindings(in: files, root: root, reads: reads, jobs: jobs)
  }

  /// The published release, if nothing but perhaps the record needs to be written; otherwise nil.
  func unchanged(
    _ decisions: [BuildDecision], _ findings: [ContentFinding]
  ) throws -> (Release, OutputChanges)? {
    guard let last, !decisions.contains(where: \.isWrite), let list = last.intactList else { return nil }
    let packs = plan.packs.indices.compactMap { kept($0, decisions[$0]) }
    let contents = settings.layout.mayBeList(list.path) ? list : nil
    guard let patches = try knownPatches(packs) else { return nil }
    let release = Release(of: plan, packs: packs, contents: contents, patches: patches)
    guard try settings.layout.isPublished(release, plan, settings, in: output),
      !settings.layout.leavesIndex || output.hasLeftIndex(of: release)
    else { return nil }
    try output.clearStaging()
    if !last.isRecordCurrent { try renewRecord(packs, list, findings, decisions) }
    return (release, OutputChanges(removed: keepsOld ? [] : try output.removeOld(except: release)))
  }

  /// Records the times of files and archives that have the same contents as before.
  private func renewRecord(
    _ packs: [PublishedPack], _ list: PublishedFile, _ findings: [ContentFinding],
    _ decisions: [BuildDecision]
  ) throws {
    try FileOperations.makeFolder(output.stagingPath)
    let record = try unpublished([:], findings, decisions).draftRecord()
    try publisher.leaveRecord(record, packs, list)
    try output.clearStaging()
  }

  /// Writes the changed packs to the staging folder, then publishes all; publishes nothing if files changed
  /// meanwhile, or if the policy rejects their content findings.
  func write(
    _ decisions: [BuildDecision], _ kept: [ContentFinding], under lock: OutputLock, _ policy: Policy,
    _ progress: PackProgress?, _ packed: (Release) -> [Diagnostic]
  ) throws -> ((Release, OutputChanges)?, [Diagnostic]) {
    var findings: [Diagnostic] = []
    do {
      let published = try publisher.publish(under: lock) {
        let (written, job) = try pack(decisions, progress)
        let found = job.contentFindings
        findings = found.compactMap(\.finding).countingPointers
        guard job.diagnostics.isEmpty, policy.accepts(findings) else {
          findings += job.diagnostics
          return nil
        }
        var build = unpublished(written, kept + found, decisions)
        if !baselines.isEmpty {
          let (patches, found) = try timings.measure(.patch) { try PatchMaker(self, build.packs).make() }
          findings += found
          guard policy.accepts(found) else { return nil }
          build.patches = found.isEmpty ? patches : nil
        }
        let last = packed(build.release)
        findings += last
        return policy.accepts(last) ? build : nil
      }
      return (published, findings)
    } catch let mistake as Refusal {
      return (nil, findings + [mistake.diagnostic])
    }
  }

  /// The patches of published packs, if none must be made; otherwise nil.
  private func knownPatches(_ packs: [PublishedPack]) throws(SystemError) -> [PatchSet]? {
    if baselines.isEmpty { return [] }
    let record = try PatchRecord(in: output, settings.patchMaker)
    let ids = zip(plan.packs, packs).map { ($0.identity.identifier, $1.digest) }
    var sets: [PatchSet] = []
    for old in baselines {
      guard let packs = record.packs(ids, from: old) else { return nil }
      let set = PatchSet(from: old.digest, packs)
      guard output.isSame(set.list) else { return nil }
      sets.append(set)
    }
    return sets
  }

  /// Writes the changed packs to the staging folder.
  private func pack(
    _ decisions: [BuildDecision], _ progress: PackProgress?
  ) throws -> ([Int: FinishedPack], PackJob) {
    let job = PackJob(
      plan, root, settings, into: output, last: last, timings: timings, reads: reads, progress: progress)
    let changed = plan.packs.indices.filter { decisions[$0].isWrite }
    let size = changed.saturatingSum { plan.packs[$0].size }
    let sync = PackSync()
    let written: [Int: FinishedPack]
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

  /// A pack that is not written, as the release or the last build published it.
  private func kept(_ number: Int, _ decision: BuildDecision) -> PublishedPack? {
    (decision == .takeOver ? taken[number]?.pack : nil) ?? last?.pack(number)
  }

  private func unpublished(
    _ written: [Int: FinishedPack], _ found: [ContentFinding], _ decisions: [BuildDecision]
  ) -> UnpublishedBuild {
    let packs = plan.packs.indices.map { number in
      if let written = written[number] { return written }
      if decisions[number] == .takeOver, let taken = taken[number] {
        return FinishedPack(kept: taken.pack, taken.files)
      }
      guard let last, let old = last.pack(number) else {
        preconditionFailure("every pack is written or known")
      }
      return FinishedPack(kept: old, plan.packs[number].files.compactMap { last.file($0)?.packed })
    }
    return UnpublishedBuild(
      plan: plan, settings: settings, output: output, jobs: jobs, packs: packs, scanTime: scanTime,
      pathsWithFindings: Set(found.map(\.path)))
  }
}
