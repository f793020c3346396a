package import Formats
package import Model
package import Pipeline
import System

/// The result of a build.
package struct BuildResult: Sendable {
  package let prepared: Preparation
  /// The plan that was built; nil if there is no plan.
  ///
  /// For a shard, it contains only a part of the prepared plan's packs.
  package let plan: PackPlan?
  package let timings: Timings
  /// The state of the output folder; nil if the build was refused.
  var outcome: BuildOutcome?
  /// The release in the output folder; nil if the build was refused.
  package var release: Release? { outcome?.release }
  /// The changes in the output folder; empty if the build was refused.
  package var changes: OutputChanges { outcome?.changes ?? OutputChanges() }
  /// All findings, before the policy sets their severities.
  package internal(set) var findings: [Diagnostic] = []
  /// The decision for each pack of the plan; empty if the build was refused before the decisions.
  package internal(set) var decisions: [BuildDecision] = []
  /// The number of bytes of all files in the packs that the build writes.
  package var sizeToWrite: Int64 { plan?.size(toWrite: decisions) ?? 0 }
  /// The files that the build depends on; nil if no depfile was requested, or if there is no plan.
  package let depfile: Depfile?

  /// The releases that patches start from.
  let baselines: [PatchBaseline]

  init(_ checked: CheckedBuild) {
    prepared = checked.prepared
    plan = checked.target?.plan
    timings = checked.timings
    findings = checked.findings
    depfile = checked.depfile
    baselines = checked.baselines
  }

  /// The paths of the packs that were not changed, relative to the output folder.
  package var kept: [String] {
    let written = Set(changes.written)
    let packs = release?.packs.compactMap(\.published).filter { !$0.isElsewhere } ?? []
    return packs.map(\.archive.path).filter { !written.contains($0) }
  }

  /// The number of bytes of assets that were read and hashed.
  package var reads: ReadCounter.Count { prepared.readCounter.count }
}

extension PackPlan {
  /// Returns the number of bytes of all files in the packs that a build with these decisions writes.
  package func size(toWrite decisions: [BuildDecision]) -> Int64 {
    zip(packs, decisions).saturatingSum { $1.isWrite ? $0.size : 0 }
  }
}

extension BuildResult {
  /// Whether exactly this build was already published, and nothing else was in the output folder.
  ///
  /// To detect this, the build may have had to make packs again.
  package var isUnchanged: Bool { release != nil && changes.isNothingWritten && changes.removed.isEmpty }
}

extension BuildResult {
  /// The paths of pointers whose files the build needs, as findings show them, in byte order.
  ///
  /// It is nil if the build was refused before the decisions.
  package var missing: [String]? {
    guard let plan, decisions.count == plan.packs.count else { return nil }
    let paths = plan.pointers(toWrite: decisions).map { plan.place(of: plan.tree.files[$0]).path }
    return paths.sorted { $0.precedesInBytes($1) }
  }

  /// The paths of the packs that were reused from a release, relative to the output folder.
  package var reused: [String] {
    release?.packs.compactMap(\.published).filter(\.isElsewhere).map(\.archive.path) ?? []
  }
}
