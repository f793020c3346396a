import Findings
import PackKit
import System

/// The last part of a build: publishes complete packs, all of them or nothing.
struct Publisher: Sendable {
  let settings: PackSettings
  let output: OutputFolder
  /// Whether packs that the new index does not name are kept.
  let keepsOld: Bool
  let timings: Timings

  /// Publishes what `make` leaves in the staging folder; if that is nothing, or fails, the folder is as it was.
  func publish(
    under lock: OutputLock, _ make: () throws -> UnpublishedBuild?
  ) throws -> (Release, OutputChanges)? {
    var begun: OutputLock.Before?
    let publication: Publication
    let old: [String]
    do {
      begun = try lock.begin()
      guard let build = try make() else {
        lock.abandon(begun)
        return nil
      }
      old = try settings.layout.publishedPaths(in: output)
      publication = try timings.measure(.publish) { try settings.layout.publish(build) }
    } catch {
      lock.abandon(begun)
      if (error as? SystemError)?.isInterruption == true { throw InterruptedBuild(path: output.path) }
      throw error
    }
    var changes = publication.changes
    changes.removed = try timings.measure(.publish) { try settle(publication, old) }
    return (publication.release, changes)
  }

  /// Syncs the publication to the disk, writes the record, and removes files that the index no longer names;
  /// returns the paths of what was removed, relative to the output folder.
  private func settle(_ publication: Publication, _ old: [String]) throws -> [String] {
    // The build is published; the rest is too short to be worth an interruption.
    Interruption.ignore()
    let stale = try output.remove(settings.layout.staleNames)
    try output.syncFolders()
    if let list = publication.list { try leaveRecord(publication.record, publication.packs, list) }
    try publication.patchRecord?.write(to: output)
    try output.clearStaging()
    return stale + (keepsOld ? [] : try output.removeOld(except: publication.release, before: old))
  }

  func leaveRecord(
    _ record: RecordDraft, _ packs: [PublishedPack], _ list: PublishedFile
  ) throws(SystemError) {
    var recorded: [BuildRecord.Pack] = []
    for pack in packs {
      let stamp = pack.isElsewhere ? .unknown : try output.requiredStamp(of: pack.archive)
      recorded.append(BuildRecord.Pack(published: pack, stamp: stamp))
    }
    let list = BuildRecord.List(published: list, stamp: try output.requiredStamp(of: list))
    try record.change { writer throws(SystemError) in
      try writer.take()?.finish(recorded, list, as: output.recordPath)
    }
  }
}
