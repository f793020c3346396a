import Formats
import Model
import Pipeline
import System

/// A build with a decision about every pack of the plan; nothing has been written yet.
package struct DecidedBuild: Sendable {
  /// The result of the build so far.
  package internal(set) var result: BuildResult
  let checked: CheckedBuild
  /// The remaining work; nil if findings forbid the build.
  var work: Work?

  /// Whether the build has to write packs or lists.
  package var isWriting: Bool { work != nil && work?.published == nil }

  /// The work that remains.
  struct Work: Sendable {
    let target: BuildTarget
    let layout: any PackLayout
    let root: Folder
    /// The previous build, including the list of packs whose cache entries must not be used; nil if there is
    /// no build cache.
    let lastBuild: LastBuild?
    let kept: KeptPacks
    /// The published release; nil if a pack or a list has to be written.
    let published: PublishedRelease?
  }
}

/// The packs that a build does not write, because it keeps or reuses them.
struct KeptPacks: Sendable {
  /// The packs that an earlier release or the previous build has published, by their index in the plan.
  var packs: [Int: PublishedPack] = [:]
  /// The packs that are reused from an earlier release, with their files.
  var reused: [Int: FinishedPack] = [:]
  /// Findings about the contents of their files, which packing does not read.
  var contentFindings: [ContentFinding] = []
}

extension CheckedBuild {
  /// Decides for each pack whether to keep it, to reuse it from a release, or to write it.
  ///
  /// If the findings forbid the build, it is refused. In this case, the function also inspects the contents
  /// of all files, because then the findings are complete.
  package func decide() throws -> DecidedBuild {
    var result = BuildResult(self)
    guard let target, let layout, let root = prepared.root, policy.accepts(result.findings) else {
      result.findings += try timings.measure(.check) {
        try prepared.contentFindings(unchanged: unchanged, jobs: request.input.jobs)
      }
      return DecidedBuild(result: result, checked: self, work: nil)
    }
    let reused = try reusablePacks(for: target, root: root)
    var lastBuild = lastBuild
    result.decisions = decisions(for: target, last: lastBuild, reused: reused.packs)
    var kept = KeptPacks(
      packs: keptPacks(result.decisions, last: lastBuild, reused: reused.packs), reused: reused.packs)
    let published = try publishedRelease(
      of: target, layout: layout, decisions: result.decisions, kept: kept, last: lastBuild)
    if published == nil, lastBuild != nil {
      // Only a build that writes packs needs this list. If nothing has changed, the published index already
      // proves that the packs are right.
      lastBuild?.damaged = try target.output.damagedPacks
      result.decisions = decisions(for: target, last: lastBuild, reused: reused.packs)
      kept.packs = keptPacks(result.decisions, last: lastBuild, reused: reused.packs)
    }
    // Packing finds the contents of the packs that it writes, so these findings need the final decisions.
    kept.contentFindings = try contentFindings(
      inKept: result.decisions, of: target.plan, root: root, last: lastBuild)
    let gaps = target.plan.findings(onPointersToWrite: result.decisions)
    let findings = kept.contentFindings.compactMap(\.finding).countingPointers + reused.diagnostics + gaps
    result.findings += findings
    if !policy.accepts(findings) {
      result.findings += try contentFindings(inWritten: result.decisions, of: target.plan, root: root)
      return DecidedBuild(result: result, checked: self, work: nil)
    }
    let work = DecidedBuild.Work(
      target: target, layout: layout, root: root, lastBuild: lastBuild, kept: kept, published: published)
    return DecidedBuild(result: result, checked: self, work: work)
  }

  private func reusablePacks(for target: BuildTarget, root: Folder) throws(SystemError) -> PacksOfRelease {
    guard let release = request.reusedRelease else { return PacksOfRelease() }
    return try target.packs(
      publishedBy: release, root: root, unchanged: unchanged, readCounter: prepared.readCounter,
      jobs: request.input.jobs)
  }

  /// Decides for each pack of the plan whether to keep it, reuse it or write it.
  ///
  /// The decisions contain the reasons.
  private func decisions(
    for target: BuildTarget, last: LastBuild?, reused: [Int: FinishedPack]
  ) -> [BuildDecision] {
    let key = target.settings.key(for: target.plan.manifest)
    return target.plan.packs.indices.map { number in
      let decision = last?.decision(onPack: number, key: key, in: target) ?? .write(.noRecord)
      guard let reusedPack = reused[number]?.kept else { return decision }
      // An archive that is already in the output folder is kept and not reused from another release.
      let isHere = decision.isKeep && last?.pack(number)?.archive == reusedPack.archive
      return isHere ? decision : .reuse
    }
  }

  /// Returns the packs that are not written.
  ///
  /// Their names and sizes are those in the earlier release or the previous build.
  private func keptPacks(
    _ decisions: [BuildDecision], last: LastBuild?, reused: [Int: FinishedPack]
  ) -> [Int: PublishedPack] {
    var packs: [Int: PublishedPack] = [:]
    for (number, decision) in decisions.enumerated() {
      switch decision {
      case .write: break
      case .reuse: packs[number] = reused[number]?.kept
      case .keep: packs[number] = last?.pack(number)
      }
    }
    return packs
  }

  /// Returns findings about the contents of packs that are not written.
  ///
  /// They are needed because packing does not read the files of these packs.
  private func contentFindings(
    inKept decisions: [BuildDecision], of plan: PackPlan, root: Folder, last: LastBuild?
  ) throws -> [ContentFinding] {
    let files = zip(plan.packs, decisions).flatMap { pack, decision -> [Int] in
      switch decision {
      case .keep: pack.files.filter { last?.file($0)?.hasContentFinding == true }
      case .reuse: pack.files.filter { last?.file($0)?.hasContentFinding != false }
      case .write: []
      }
    }
    return try plan.contentFindings(
      in: files, root: root, readCounter: prepared.readCounter, jobs: request.input.jobs)
  }

  /// Returns findings about the contents of packs that would be written.
  ///
  /// They are needed because the build is refused before packing reads the files.
  private func contentFindings(
    inWritten decisions: [BuildDecision], of plan: PackPlan, root: Folder
  ) throws -> [Diagnostic] {
    let files = zip(plan.packs, decisions).flatMap { pack, decision in decision.isWrite ? pack.files : [] }
    return try plan.contentFindings(
      in: files, root: root, readCounter: prepared.readCounter, jobs: request.input.jobs
    ).compactMap(\.finding).countingPointers
  }

  /// Returns the published release if no file except the build cache must be written; otherwise nil.
  private func publishedRelease(
    of target: BuildTarget, layout: any PackLayout, decisions: [BuildDecision], kept: KeptPacks,
    last: LastBuild?
  ) throws -> PublishedRelease? {
    guard !decisions.contains(where: \.isWrite), let list = last?.intactList else { return nil }
    let packs = target.plan.packs.indices.compactMap { kept.packs[$0] }
    guard let patches = try knownPatches(of: target, packs: packs) else { return nil }
    let contents = target.output.files.isListName(list.path) ? list : nil
    let release = Release(of: target.plan, packs: packs, contents: contents, patches: patches)
    guard try layout.isPublished(release, of: target.plan, in: target.output),
      !target.output.files.writesSidecarIndex || target.output.hasSidecarIndex(of: release)
    else { return nil }
    return PublishedRelease(release: release, list: list)
  }

  /// Returns the existing patches of published packs if no patch has to be made; otherwise nil.
  private func knownPatches(
    of target: BuildTarget, packs: [PublishedPack]
  ) throws(SystemError) -> [PatchSet]? {
    if usableBaselines.isEmpty { return [] }
    let record = try PatchRecord(in: target.output, maker: target.settings.patchMaker)
    let contentsOfPacks = zip(target.plan.packs, packs).map { ($0.identity.identifier, $1.digest) }
    var sets: [PatchSet] = []
    for baseline in usableBaselines {
      guard let packs = record.patches(of: contentsOfPacks, from: baseline) else { return nil }
      let set = PatchSet(from: baseline.digest, packs: packs)
      guard target.output.isSame(set.list) else { return nil }
      sets.append(set)
    }
    return sets
  }

  /// The earlier releases without mistakes.
  ///
  /// Releases whose mistakes the policy accepts are left out.
  var usableBaselines: [PatchBaseline] { baselines.filter(\.diagnostics.isEmpty) }
}

extension LastBuild {
  /// Decides whether a pack is kept or written, based on its files, its archive and its name.
  fileprivate func decision(onPack number: Int, key: SettingsKey, in target: BuildTarget) -> BuildDecision {
    let decision = decision(onPack: number, settings: key)
    guard decision.isKeep, let archive = pack(number)?.archive else { return decision }
    let path = target.path(of: plan.packs[number], archive: archive.file)
    return archive.path == path ? decision : .write(.renamed)
  }

  /// Returns the packed files of a pack that is kept, in the order of the pack.
  func packedFiles(ofPack number: Int) -> [PackedFile] {
    plan.packs[number].files.compactMap { file($0)?.packed }
  }
}

extension PackPlan {
  /// Returns findings about pointers in packs that have to be written.
  fileprivate func findings(onPointersToWrite decisions: [BuildDecision]) -> [Diagnostic] {
    let missing = pointers(toWrite: decisions).lazy.map { number in
      self.finding(.missingContent, file: self.tree.files[number], statement: AssetFile.missingContent)
    }
    return FindingList(missing).findings
  }
}
