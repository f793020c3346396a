import Formats
import Model
import Pipeline
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
    let contents: (stagedPath: String, list: PublishedFile)?
    let old: [String]
    do {
      begun = try lock.begin()
      guard let build = try make() else {
        lock.abandon(begun)
        return nil
      }
      old = try settings.layout.publishedPaths(in: output)
      // One that describes other packs would be worse than none.
      try output.hideLeftIndex()
      contents = try settings.layout.leavesIndex ? build.stageContents() : nil
      publication = try timings.measure(.publish) { try settings.layout.publish(build) }
    } catch {
      output.showLeftIndex()
      lock.abandon(begun)
      if (error as? SystemError)?.isInterruption == true { throw InterruptedBuild(path: output.path) }
      throw error
    }
    return try timings.measure(.publish) { (publication.release, try settle(publication, contents, old)) }
  }

  /// Writes what follows the publication, syncs it to the disk, writes the record, and removes files that the index no
  /// longer names; returns what has changed.
  private func settle(
    _ publication: Publication, _ contents: (stagedPath: String, list: PublishedFile)?, _ old: [String]
  ) throws -> OutputChanges {
    // The build is published; the rest is too short to be worth an interruption.
    Interruption.ignore()
    var changes = publication.changes
    if try publication.follow?() == true { changes.isListWritten = true }
    if let contents { try output.leaveIndex(of: publication.release, contents) }
    let stale = try output.remove(settings.layout.staleNames)
    try output.syncFolders()
    if let list = publication.list { try leaveRecord(publication.record, publication.packs, list) }
    try publication.patchRecord?.write(to: output)
    try output.clearStaging()
    changes.removed = stale
    if !keepsOld { changes.removed += try output.removeOld(except: publication.release, before: old) }
    return changes
  }

  func leaveRecord(
    _ record: RecordDraft, _ packs: [PublishedPack], _ list: PublishedFile
  ) throws(SystemError) {
    var recorded: [BuildRecord.Pack] = []
    for pack in packs {
      let stamp = pack.isElsewhere ? .unknown : try output.requiredStamp(of: pack.archive)
      recorded.append((pack, stamp))
    }
    let stamp = try output.requiredStamp(of: list)
    try record.change { writer throws(SystemError) in
      try writer.take()?.finish(recorded, (list, stamp), as: output.recordPath)
    }
  }
}

// The index and the list of files that a build leaves beside its record where its layout has neither, so that commands
// can read what was built.
extension OutputFolder {
  /// Takes the index of the last build away for as long as a build is published.
  fileprivate func hideLeftIndex() throws(SystemError) {
    let path = joined(path, PublishedNames.leftIndex)
    if try exists(path) { try FileOperations.rename(path, to: joined(stagingPath, "left")) }
  }

  /// Puts it back where nothing was published.
  fileprivate func showLeftIndex() {
    try? FileOperations.rename(joined(stagingPath, "left"), to: joined(path, PublishedNames.leftIndex))
  }

  /// Leaves the index of a release and its staged list of files.
  fileprivate func leaveIndex(
    of release: Release, _ contents: (stagedPath: String, list: PublishedFile)
  ) throws(SystemError) {
    for name in try FileOperations.names(in: recordFolder) where name.hasPrefix("contents.") {
      try FileOperations.removeFile(joined(recordFolder, name))
    }
    try FileOperations.rename(contents.stagedPath, to: joined(recordFolder, contents.list.path))
    let index = IndexFormat.bytes(of: release.listing(contents.list))
    try FileOperations.replace(joined(path, PublishedNames.leftIndex), by: index)
  }

  /// Whether the index that the last build left beside its record is the one that a release would get.
  func hasLeftIndex(of release: Release) -> Bool {
    let path = joined(path, PublishedNames.leftIndex)
    guard let list = (try? JSONValue(written: path, limit: IndexFormat.longest))?.member("contents"),
      let name = list.member("path")?.string, let digest = list.member("digest")?.digest,
      let size = list.member("size")?.wholeNumber
    else { return false }
    let contents = PublishedFile(path: name, file: WrittenFile(size: size, digest: digest))
    return FileOperations.holds(path, IndexFormat.bytes(of: release.listing(contents)))
  }
}
