import System

/// The rename that publishes a staged file or folder.
struct PendingRename: Sendable {
  let staged: String
  let target: String
  /// Whether the rename replaces a file that packtool might have to restore.
  let replaces: Bool
  /// Whether a folder is renamed.
  ///
  /// A folder needs more steps, because a rename cannot replace an existing folder.
  let isFolder: Bool

  func perform() throws(SystemError) {
    if replaces, try FileOperations.exchange(staged, target) { return }
    guard replaces && isFolder else {
      if replaces { try? FileOperations.linkOrCopy(target, to: backup) }
      return try FileOperations.rename(staged, to: target)
    }
    // If the system cannot exchange two folders atomically, the old folder must be moved away first.
    try FileOperations.moveFolder(target, to: backup)
    do throws(SystemError) {
      try FileOperations.rename(staged, to: target)
    } catch {
      try? FileOperations.rename(backup, to: target)
      throw error
    }
  }

  /// The path to which the old file or folder is moved if an exchange is not possible.
  private var backup: String { "\(staged).old" }

  /// Restores the old file or folder.
  ///
  /// If that fails, the next build repairs the output folder.
  func undo() {
    guard replaces else { return (try? FileOperations.rename(target, to: staged)) ?? () }
    if (try? FileOperations.exchange(staged, target)) == true { return }
    if isFolder { try? FileOperations.rename(target, to: staged) }
    try? FileOperations.rename(backup, to: target)
  }
}
