import System

/// The staging folder of one build, in a locked output folder.
///
/// Unless the build is published, the output folder is restored when the last reference to this object is
/// released.
final class Staging: Sendable {
  private let lock: OutputLock
  private let snapshot: OutputLock.FolderSnapshot
  private let isPublished = Monitor(false)

  /// Locks the output folder, unless `lock` is not nil, and makes an empty staging folder.
  init(in output: OutputFolder, under lock: OutputLock?, lockWait: OutputLock.WaitPolicy) throws {
    let lock = try lock ?? OutputLock(output, lockWait: lockWait)
    self.lock = lock
    do {
      snapshot = try lock.prepareForWriting()
    } catch {
      lock.abandon(nil)
      if error.isInterruption { throw InterruptedBuild(path: output.path) }
      throw error
    }
  }

  /// Marks the build as published.
  ///
  /// The output folder is then not restored.
  func keepPublishedFiles() { isPublished.change { $0 = true } }

  deinit { if !isPublished.change({ $0 }) { lock.abandon(snapshot) } }
}
