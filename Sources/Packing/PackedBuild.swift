package import Formats
package import Model
import Pipeline
import System

/// A build whose packs are complete but not published.
package struct PackedBuild: Sendable {
  /// The result of the build so far.
  package private(set) var result: BuildResult
  private let checked: CheckedBuild
  private var content: Content

  fileprivate enum Content {
    /// The build was refused because of findings, and its staged files have been removed.
    case refused
    /// The output folder already contains the release.
    ///
    /// At most, the build cache has to be written again.
    case alreadyPublished(PublishedRelease, StagedPacks)
    /// Changed packs are in the staging folder.
    case staged(StagedPacks, any PackLayout, Staging)
  }

  fileprivate init(_ result: BuildResult, checked: CheckedBuild, content: Content) {
    self.result = result
    self.checked = checked
    self.content = content
  }

  /// The release that will be published, with its patches; nil if the build was refused.
  package var release: Release? {
    switch content {
    case .refused: nil
    case .alreadyPublished(let published, _): published.release
    case .staged(let build, _, _): build.release
    }
  }

  /// Adds the caller's findings about the release.
  ///
  /// They can cause the build to be refused.
  package mutating func add(_ findings: [Diagnostic]) {
    result.findings += findings
    if !checked.policy.accepts(findings) { content = .refused }
  }

  /// Publishes all packs or none, and returns the result of the build.
  package consuming func publish() throws -> BuildResult {
    let outdated: OutdatedPacks = checked.request.keepsOld ? .kept : .removed
    do {
      switch content {
      case .refused: break
      case .alreadyPublished(let published, let build):
        result.outcome = try build.renew(published, outdated: outdated)
      case .staged(let build, let layout, let staging):
        result.outcome = try checked.timings.measure(.publish) {
          try build.publish(from: staging, by: layout, outdated: outdated)
        }
      }
      if result.outcome != nil { try checked.target?.output.finish(with: checked.request.state) }
    } catch let refusal as Refusal {
      result.findings.append(refusal.diagnostic)
    }
    return result
  }
}

extension DecidedBuild {
  /// Writes the changed packs to the staging folder, and the patches from earlier releases to these packs.
  ///
  /// The build is refused if a file changed in the meantime, or if findings about contents forbid it.
  /// `progress` can be called on any thread. It is called for each part of a file that was packed.
  package func pack(_ progress: PackProgress? = nil) throws -> PackedBuild {
    guard let work else { return PackedBuild(result, checked: checked, content: .refused) }
    if let published = work.published {
      let build = stagedPacks(of: work, written: [:], contentFindings: [])
      return PackedBuild(result, checked: checked, content: .alreadyPublished(published, build))
    }
    let staging = try Staging(in: work.target.output, under: checked.lock, lockWait: checked.request.lockWait)
    do {
      return try pack(work, into: staging, progress: progress)
    } catch let refusal as Refusal {
      var refused = result
      refused.findings.append(refusal.diagnostic)
      return PackedBuild(refused, checked: checked, content: .refused)
    } catch let error as SystemError where error.isInterruption {
      throw InterruptedBuild(path: work.target.output.path)
    }
  }

  private func pack(_ work: Work, into staging: Staging, progress: PackProgress?) throws -> PackedBuild {
    var result = result
    let job = PackJob(
      work.target, root: work.root, last: work.lastBuild, timings: checked.timings,
      readCounter: checked.prepared.readCounter,
      progress: progress)
    let written = try write(work, by: job)
    let contentFindings = job.contentFindings
    let findings = contentFindings.compactMap(\.finding).countingPointers
    result.findings += findings + job.diagnostics
    guard job.diagnostics.isEmpty, checked.policy.accepts(findings) else {
      return PackedBuild(result, checked: checked, content: .refused)
    }
    var build = stagedPacks(of: work, written: written, contentFindings: contentFindings)
    if !checked.usableBaselines.isEmpty {
      let (patches, findings) = try checked.timings.measure(.patch) {
        try PatchMaker(
          for: build, from: checked.usableBaselines, known: knownPatches(of: work.target), root: work.root,
          readCounter: checked.prepared.readCounter
        ).make()
      }
      result.findings += findings
      guard checked.policy.accepts(findings) else {
        return PackedBuild(result, checked: checked, content: .refused)
      }
      build.patches = findings.isEmpty ? patches : nil
    }
    return PackedBuild(result, checked: checked, content: .staged(build, work.layout, staging))
  }

  private func knownPatches(of target: BuildTarget) throws(SystemError) -> PatchRecord {
    let maker = target.settings.patchMaker
    return checked.request.usesRecord ? try PatchRecord(in: target.output, maker: maker) : PatchRecord(maker)
  }

  /// Writes the changed packs and syncs them to the disk.
  private func write(_ work: Work, by job: PackJob) throws -> [Int: FinishedPack] {
    let plan = work.target.plan
    let changedPacks = plan.packs.indices.filter { result.decisions[$0].isWrite }
    let size = changedPacks.saturatingSum { plan.packs[$0].size }
    let sync = PackSync()
    let written: [Int: FinishedPack]
    do {
      written = try checked.timings.measure(.pack, bytes: size) {
        try PackQueue(changedPacks, of: job, staging: work.target.output.stagingPath, sync: sync)
          .writeAll(jobs: checked.request.input.jobs)
      }
    } catch {
      sync.abandon()
      throw error
    }
    try checked.timings.measure(.sync) {
      try sync.finish()
      if written.values.contains(where: \.isFolder) { try work.target.output.syncStagedFolders() }
    }
    return written
  }

  /// Returns the build with all packs, including the packs that were not written.
  private func stagedPacks(
    of work: Work, written: [Int: FinishedPack], contentFindings: [ContentFinding]
  ) -> StagedPacks {
    // The files of the packs are only needed if the build cache must be written again.
    let isUnchanged = work.published != nil && work.lastBuild?.isRecordCurrent == true
    let packs = work.target.plan.packs.indices.map { number in
      if let pack = written[number] { return pack }
      guard let pack = work.kept.packs[number] else { preconditionFailure("every pack is written or kept") }
      if pack.isElsewhere, let reused = work.kept.reused[number] { return reused }
      return FinishedPack(
        kept: pack, files: isUnchanged ? [] : work.lastBuild?.packedFiles(ofPack: number) ?? [])
    }
    return StagedPacks(
      target: work.target, packs: packs, scanTime: checked.prepared.scanTime,
      pathsWithFindings: Set((work.kept.contentFindings + contentFindings).map(\.path)),
      isRecordCurrent: work.lastBuild?.isRecordCurrent ?? false, jobs: checked.request.input.jobs)
  }
}
