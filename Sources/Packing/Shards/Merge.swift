package import Findings
package import PackKit
import System

/// The parts of a build, to be put together in one output folder.
package struct MergeRequest: Sendable {
  /// The folders of the parts as the user typed them.
  package var shards: [String]
  package var output: String
  /// Whether packs that the new index does not name are kept.
  package var keepsOld = false
  package var patience = OutputLock.Patience.fails
  /// The number of threads.
  package var jobs: Int

  package init(_ shards: [String], output: String, jobs: Int) {
    self.shards = shards
    self.output = output
    self.jobs = jobs
  }
}

/// How a merge ended.
package struct MergeResult: Sendable {
  /// The release in the output folder; nil if the merge was refused.
  package let release: Release?
  package let changes: OutputChanges
  package let findings: [Diagnostic]
  /// The output folder for messages.
  package let output: String
}

extension MergeRequest {
  /// The whole merge, top to bottom: read the parts, put the plan together, check, take the archives, publish.
  ///
  /// The files that it publishes are the bytes of one build of the whole plan; no asset is read.
  ///
  /// - Throws: if the machine fails; parts that do not belong together are findings of the result.
  package func run() throws -> MergeResult {
    do {
      // The mistake of the first part is the one that is told, whichever thread comes first.
      let read = onThreads(jobs, each: shards) { folder in Result { try ShardReader(folder: folder).read() } }
      let parts = try MergedParts(read.map { try $0.get() })
      let output = OutputFolder(output, layout: parts.settings.layout)
      let findings = try output.findings(about: parts.plan, root: nil)
      if !findings.isEmpty { return refused(findings) }
      let lock = try OutputLock(output, patience)
      let publisher = Publisher(
        plan: parts.plan, settings: parts.settings, output: output, keepsOld: keepsOld, timings: Timings())
      let published = try publisher.publish(under: lock) { _ in
        let archives = ArchiveTransfer(parts, into: output)
        return UnpublishedBuild(
          plan: parts.plan, settings: parts.settings, output: output, jobs: jobs,
          packs: try archives.take(jobs: jobs).map { .written($0) }, scanTime: 0, pathsWithFindings: [])
      }
      return MergeResult(
        release: published?.0, changes: published?.1 ?? OutputChanges(), findings: [], output: output.path)
    } catch let mistake as ShardMistake {
      return refused([mistake.diagnostic])
    }
  }

  private func refused(_ findings: [Diagnostic]) -> MergeResult {
    MergeResult(release: nil, changes: OutputChanges(), findings: findings, output: trimmed(output))
  }
}
