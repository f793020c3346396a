package import Formats
import Model
package import Pipeline
import System

/// A build whose input has been read, scanned, planned and checked.
///
/// Nothing has been decided or written yet.
package struct CheckedBuild: Sendable {
  package let prepared: Preparation
  /// The contents of files that have not changed since the previous build, as far as they are known.
  ///
  /// Checks can use them without reading the files.
  package let unchanged: UnchangedFiles
  /// Findings of the caller's own checks, such as the budgets of an update.
  package var moreFindings: [Diagnostic] = []

  let request: BuildRequest
  /// The caller's policy with the manifest's settings added.
  let policy: Policy
  /// The target; nil if no plan could be made from the input.
  let target: BuildTarget?
  /// The layout that publishes the target; nil if no plan could be made from the input.
  let layout: (any PackLayout)?
  /// The previous build; nil if there is no usable build cache.
  let lastBuild: LastBuild?
  /// The lock on the output folder; nil if no build has written to it yet.
  let lock: OutputLock?
  /// The releases that patches start from, in byte order of their digests.
  let baselines: [PatchBaseline]
  let depfile: Depfile?
  let timings: Timings
  fileprivate let ownFindings: [Diagnostic]
}

extension CheckedBuild {
  /// All findings before the decisions about packs.
  var findings: [Diagnostic] {
    let found = ownFindings + moreFindings
    // If the build makes patches, the download size of an update is not known before the patches exist.
    let later: Set<Check> = baselines.isEmpty ? [] : [.updateSize, .growth]
    return found + prepared.unusedAcceptances(in: found, excluding: later)
  }
}

extension BuildRequest {
  /// Reads the manifest, scans the manifest's files, plans their packs, and runs all checks that need no
  /// packing.
  ///
  /// - Throws: `MissingURLPrefix`, or if the system fails.
  package func check(_ policy: Policy) throws -> CheckedBuild {
    let timings = Timings(measuresParts: measuresParts)
    // Without the lock, another build could publish after this build has read the build cache and before it
    // has checked the files that the cache lists.
    let lock = try OutputLock(existing: folder, lockWait: lockWait)
    var request = input
    // The packing step reads each file completely and inspects it at the same time.
    request.inspector = .caller
    let prepared = try Preparation(request, leavingOut: folder.identity, timings: timings)
    let baselines = try patchBaselines()
    let signing = try signing?.following(baselines)
    let (whole, layout) = try target(for: prepared, signing: signing)
    let target = whole.map { shard?.target(from: $0) ?? $0 }
    let lastBuild = try lastBuild(of: target, prepared: prepared, under: lock, timings: timings)
    let unchanged = lastBuild?.unchanged ?? .nothing
    var depfile: Depfile?
    if wantsDepfile, let plan = prepared.plan {
      depfile = Depfile(
        of: plan, in: target?.output ?? folder, baselines: baselines, otherInputs: otherInputs)
    }
    var found = try prepared.diagnostics + findings(onFolderFor: prepared, signing: signing)
    found += try timings.measure(.check) { try prepared.planFindings(unchanged: unchanged, jobs: input.jobs) }
    found += depfile?.findings ?? []
    found += try findings(on: baselines, for: prepared.manifest)
    found += layout.map { prepared.findings(for: $0) } ?? []
    found += findings
    return CheckedBuild(
      prepared: prepared, unchanged: unchanged, request: self, policy: policy.adding(prepared.manifest),
      target: target, layout: whole.flatMap { shard?.layout(for: $0) } ?? layout, lastBuild: lastBuild,
      lock: lock,
      baselines: baselines, depfile: depfile, timings: timings,
      ownFindings: found)
  }

  /// The target of the whole build, and the layout that publishes it; nil if no plan could be made from the
  /// input.
  private func target(
    for prepared: Preparation, signing: Signing?
  ) throws -> (BuildTarget?, (any PackLayout)?) {
    guard let manifest = prepared.manifest else { return (nil, nil) }
    let settings = PackSettings(
      container: manifest.container, compression: compression ?? manifest.compression, entryTime: entryTime,
      layout: layout.layout,
      xcode: try layout.settings(for: manifest, sourceDate: hasSourceDate ? entryTime : nil).leaving(state))
    guard let whole = prepared.plan, let plan = prepared.slice else { return (nil, nil) }
    let layout = try layout.packLayout(for: whole, settings: settings, signing: signing, output: folder.path)
    let output = OutputFolder(output, files: layout.files)
    return (BuildTarget(plan: layout.adjusted(plan), settings: settings, output: output), layout)
  }

  /// The releases that patches start from, without duplicates, in byte order of their digests.
  private func patchBaselines() throws(SystemError) -> [PatchBaseline] {
    var found: [PatchBaseline] = []
    for path in patchFrom {
      let baseline = try PatchBaseline(path)
      if !baseline.diagnostics.isEmpty || !found.contains(where: { $0.digest == baseline.digest }) {
        found.append(baseline)
      }
    }
    return found.sorted { $0.digest.hex < $1.digest.hex }
  }

  private func lastBuild(
    of target: BuildTarget?, prepared: Preparation, under lock: OutputLock?, timings: Timings
  ) throws -> LastBuild? {
    guard usesRecord, let target, let root = prepared.root, let lock else { return nil }
    return try timings.measure(.compare) {
      try LastBuild(of: target, root: root, under: lock, jobs: input.jobs, readCounter: prepared.readCounter)
    }
  }

  private func findings(
    onFolderFor prepared: Preparation, signing: Signing?
  ) throws(SystemError) -> [Diagnostic] {
    let found = try folder.findings(
      about: prepared.plan, root: prepared.root, scope: shard == nil ? .whole : .shard)
    return shard == nil ? try found + folder.findings(replacedBy: signing) : found
  }

  private func findings(
    on baselines: [PatchBaseline], for manifest: Manifest?
  ) throws(SystemError) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    for baseline in baselines {
      findings += try baseline.diagnostics + refusal(of: baseline, manifest: manifest)
    }
    return findings
  }

  /// Returns findings about a release that patches cannot start from: a release of another app, or a release
  /// in the output folder, which the build would replace.
  private func refusal(of old: PatchBaseline, manifest: Manifest?) throws(SystemError) -> [Diagnostic] {
    if let own = manifest?.bundleIdentifier, let other = old.index?.bundleIdentifier, own != other {
      let message =
        "\(quoted(old.path)) is a release of the app \(quoted(other)), but this build is for the app "
        + quoted(own)
      return [Diagnostic(.foreignBaseline, message: message, at: Place(old.indexPath))]
    }
    guard let own = try folder.identity, try FileOperations.statusIfThere(old.path)?.identity == own else {
      return []
    }
    let message =
      "\(quoted(old.path)) is the output folder, so the build would replace the release that patches are "
      + "made from; pass a copy of the release"
    return [Diagnostic(.unsafeOutput, message: message, at: Place(old.path))]
  }
}

extension Signing {
  /// Returns these signature settings with a release number that is higher than the numbers of the earlier
  /// releases.
  fileprivate func following(_ releases: [PatchBaseline]) throws(SystemError) -> Signing {
    var signing = self
    for old in releases { try signing.raiseNumber(above: old.index, ifSignedAt: old.indexPath) }
    return signing
  }
}
