import Formats
import Model
import Pipeline
import System

/// A build's lock on its output folder.
///
/// The lock keeps out other builds, and restores the folder after a failure.
package final class OutputLock: Sendable {
  /// The behavior if another build has locked the folder.
  package enum WaitPolicy: Sendable {
    /// Calls `notice` with the process id of the other build, if known, and then waits.
    case waits(notice: @Sendable (Int32?) -> Void)
    case fails
  }

  let output: OutputFolder
  private let lock: FileLock
  /// The folders that were made for the lock, from the outermost to the innermost.
  private let made: [String]

  /// Locks a folder that a build has written to; nil if no build has written to it.
  package convenience init?(existing output: OutputFolder, lockWait: WaitPolicy) throws {
    guard try output.hasRecordFolder, try output.unsafeParts.isEmpty else { return nil }
    try self.init(output, lockWait: lockWait)
  }

  /// Locks a folder, and creates it if it does not exist.
  init(_ output: OutputFolder, lockWait: WaitPolicy) throws {
    self.output = output
    if let part = try output.unsafeParts.first { throw part }
    var folders = try FileOperations.makeFolder(output.recordFolder)
    do {
      if folders.contains(output.recordFolder) { try output.ignoreRecordFolder() }
      lock = try Self.lock(output, made: &folders, lockWait: lockWait)
      made = folders
    } catch {
      // The lock file is removed only if this build made its folder. If another build holds the lock, the
      // lock file belongs to that build.
      let isFree =
        (error as? SystemError)?.isInterruption == false && folders.contains(output.recordFolder)
      Self.remove(folders, files: isFree ? [output.lockPath, output.ignorePath] : [])
      throw error
    }
  }

  /// Acquires the lock, and adds the folders that it makes for the lock to `made`.
  private static func lock(
    _ output: OutputFolder, made: inout [String], lockWait: WaitPolicy
  ) throws -> FileLock {
    while true {
      do {
        return try FileLock(output.lockPath) { holder in
          switch lockWait {
          case .waits(let notice): notice(holder)
          case .fails: throw BusyFolder(path: output.path, holder: holder)
          }
        }
      } catch let error as SystemError where error.isMissing {
        // The build that had the lock has removed the folder of the lock.
        for folder in try FileOperations.makeFolder(output.recordFolder) where !made.contains(folder) {
          made.append(folder)
        }
      }
    }
  }

  /// The contents of the folder before a build began to write.
  struct FolderSnapshot {
    /// Folders that the build made, from the outermost to the innermost.
    var made: [String]
    var packs: Set<String>
    var files: Set<String>
    /// The paths of patches; nil if there is no folder of patches.
    var patches: [String]?
  }

  /// Removes staged files of an unfinished build, and makes the folders to write to.
  func prepareForWriting() throws(SystemError) -> FolderSnapshot {
    try output.clearStaging()
    // The visible folder is made last, because it would otherwise remain if the staging folder cannot be
    // made.
    try FileOperations.makeFolder(output.stagingPath)
    var folders = try FileOperations.makeFolder(output.packsPath)
    do throws(SystemError) {
      for name in output.files.madeFolders {
        folders += try FileOperations.makeFolder(joined(output.path, name))
      }
      try syncNames()
      return FolderSnapshot(
        made: made + folders, packs: Set(try FileOperations.names(in: output.packsPath)),
        files: Set(try FileOperations.names(in: output.path)), patches: try output.patches())
    } catch {
      Self.remove(folders, files: [])
      throw error
    }
  }

  /// Syncs the names of the output folder and its parents if these folders are new.
  ///
  /// Otherwise, a power failure could lose a new folder with all its files.
  private func syncNames() throws(SystemError) {
    let length = output.path.utf8.count
    for folder in made where folder.utf8.count <= length { try FileOperations.syncName(ofFolder: folder) }
  }

  /// Restores the folder after a build that published nothing.
  func abandon(_ snapshot: FolderSnapshot?) {
    Interruption.ignore()
    try? output.clearStaging()
    if let snapshot { output.removeNew(since: snapshot) }
    let made = snapshot?.made ?? self.made
    if made.contains(output.recordFolder) { try? FileOperations.removeFile(output.journalPath) }
    let isNew = made.contains(output.recordFolder)
    Self.remove(made, files: isNew ? [output.lockPath, output.ignorePath] : [])
  }

  private static func remove(_ made: [String], files: [String]) {
    for file in files { try? FileOperations.removeFile(file) }
    for folder in made.reversed() { FileOperations.removeFolderIfEmpty(folder) }
  }
}

/// The error for a build that a signal ended; the output folder is unchanged.
package struct InterruptedBuild: Error {
  package let path: String
}

/// The error for an output folder that another build has locked.
package struct BusyFolder: Error, CustomStringConvertible {
  let path: String
  /// The other build's process id, if known.
  let holder: Int32?

  package var description: String {
    let other = holder.map { " (process \($0))" } ?? ""
    return
      "another build\(other) is writing to \(quoted(path)); wait until that build ends, or run packtool "
      + "without \"--set failIfLocked=true\""
  }
}
