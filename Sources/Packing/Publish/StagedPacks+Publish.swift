import Formats
import Model
import Pipeline
import System

/// The release that a build left in its output folder, and what the build changed there.
struct BuildOutcome: Sendable {
  let release: Release
  let changes: OutputChanges
}

/// A release that the output folder holds already.
struct PublishedRelease: Sendable {
  let release: Release
  /// The file by which the next build recognizes the release.
  let list: PublishedFile
}

/// What happens to packs of older builds that the new index does not name.
enum OutdatedPacks: Sendable {
  case removed
  case kept
}

extension StagedPacks {
  /// Publishes all packs, or none: after an error the output folder is as it was.
  func publish(
    from staging: Staging, by layout: any PackLayout, outdated: OutdatedPacks
  ) throws -> BuildOutcome {
    let result: PublishResult
    let sidecar: StagedContents?
    let previousPaths: [String]
    do {
      previousPaths = try output.publishedPaths
      // One that describes other packs would be worse than none.
      try output.hideSidecarIndex()
      sidecar = try output.files.writesSidecarIndex ? stageContents() : nil
      result = try layout.publish(self)
    } catch {
      output.restoreSidecarIndex()
      if (error as? SystemError)?.isInterruption == true { throw InterruptedBuild(path: output.path) }
      throw error
    }
    staging.keepPublishedFiles()
    // The build is published; the rest is too short to be worth an interruption.
    Interruption.ignore()
    return BuildOutcome(
      release: result.release,
      changes: try finishPublishing(result, sidecar: sidecar, old: previousPaths, outdated: outdated))
  }

  /// Writes what follows the publication, syncs it to the disk, writes the record, and removes files that the index no
  /// longer names.
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

  /// Removes what is outdated next to a release that is published already, and renews the record of file times.
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
