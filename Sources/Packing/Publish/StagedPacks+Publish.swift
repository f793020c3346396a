import Formats
import Model
import Pipeline
import System

/// The release in the output folder after a build, and the changes of the build.
struct BuildOutcome: Sendable {
  let release: Release
  let changes: OutputChanges
}

/// A release that the output folder already contains.
struct PublishedRelease: Sendable {
  let release: Release
  /// The file that the next build uses to recognize the release.
  let list: PublishedFile
}

/// Whether packs of older builds that are not in the new index are removed or kept.
enum OutdatedPacks: Sendable {
  case removed
  case kept
}

extension StagedPacks {
  /// Publishes all packs or none.
  ///
  /// After an error, the output folder is unchanged.
  func publish(
    from staging: Staging, by layout: any PackLayout, outdated: OutdatedPacks
  ) throws -> BuildOutcome {
    let result: PublishResult
    let sidecar: StagedContents?
    let previousPaths: [String]
    do {
      previousPaths = try output.publishedPaths
      // The old index is moved away, because an index that describes other packs would be worse than no
      // index.
      try output.hideSidecarIndex()
      sidecar = try output.files.writesSidecarIndex ? stageContents() : nil
      result = try layout.publish(self)
    } catch {
      output.restoreSidecarIndex()
      if (error as? SystemError)?.isInterruption == true { throw InterruptedBuild(path: output.path) }
      throw error
    }
    staging.keepPublishedFiles()
    // The build is published now. Signals are ignored, because the remaining work is short.
    Interruption.ignore()
    return BuildOutcome(
      release: result.release,
      changes: try finishPublishing(result, sidecar: sidecar, old: previousPaths, outdated: outdated))
  }

  /// Completes the publication of a build.
  ///
  /// The function makes the changes that must come after the publication, and syncs them to the disk. Then it
  /// writes the build cache, and removes files that are no longer in the index.
  private func finishPublishing(
    _ result: PublishResult, sidecar: StagedContents?, old: [String], outdated: OutdatedPacks
  ) throws -> OutputChanges {
    var changes = result.changes
    for change in result.laterChanges { try change.perform(in: output) }
    if let sidecar { try output.writeSidecarIndex(of: result.release, contents: sidecar) }
    let stale = try output.remove(result.staleNames)
    try output.syncFolders()
    if let list = result.list { try write(result.record, packs: result.packs, list: list) }
    try result.patchRecord?.write(to: output)
    try output.clearStaging()
    changes.removed = stale
    if outdated == .removed {
      changes.removed += try output.removeOld(except: result.release, previousPaths: old)
    }
    return changes
  }

  /// Removes outdated files from an output folder that already contains the release, and updates the file
  /// times in the build cache.
  func renew(_ published: PublishedRelease, outdated: OutdatedPacks) throws -> BuildOutcome {
    try output.clearStaging()
    if !isRecordCurrent {
      try FileOperations.makeFolder(output.stagingPath)
      try write(draftRecord(), packs: packs.compactMap(\.kept), list: published.list)
      try output.clearStaging()
    }
    let removed = outdated == .kept ? [] : try output.removeOld(except: published.release)
    return BuildOutcome(release: published.release, changes: OutputChanges(removed: removed))
  }

  private func write(
    _ record: RecordDraft, packs: [PublishedPack], list: PublishedFile
  ) throws(SystemError) {
    var recorded: [BuildRecord.Pack] = []
    for pack in packs {
      let stamp = pack.isElsewhere ? .unknown : try output.requiredStamp(of: pack.archive)
      recorded.append(BuildRecord.Pack(published: pack, stamp: stamp))
    }
    let stamp = try output.requiredStamp(of: list)
    try record.change { writer throws(SystemError) in
      try writer.take()?.finish(
        withPacks: recorded, list: BuildRecord.List(published: list, stamp: stamp), at: output.recordPath)
    }
  }
}
