import System

/// The staging folder of one build, in a locked output folder.
///
/// Unless the build is published, the output folder is restored when the last reference to this object goes.
final class Staging: Sendable {
  private let lock: OutputLock
  private let before: OutputLock.Before
  private let isPublished = Monitor(false)

  /// Locks the folder, unless it is locked already, and makes an empty staging folder.
  init(in output: OutputFolder, under lock: OutputLock?, patience: OutputLock.Patience) throws {
    let lock = try lock ?? OutputLock(output, patience: patience)
    self.lock = lock
    do {
      before = try lock.begin()
    } catch {
      lock.abandon(nil)
      if error.isInterruption { throw InterruptedBuild(path: output.path) }
      throw error
    }
  }

  /// Keeps the published files: the build has ended.
  func keepPublishedFiles() { isPublished.change { $0 = true } }

  deinit { if !isPublished.change({ $0 }) { lock.abandon(before) } }
}
