import System

/// The rename that publishes a staged file or folder.
struct PendingRename: Sendable {
  let staged: String
  let target: String
  /// Whether the rename replaces a file that might have to be restored.
  let replaces: Bool
  /// Whether a folder is renamed; a rename cannot replace a folder with another folder.
  let isFolder: Bool

  func perform() throws(SystemError) {
    if replaces, try FileOperations.exchange(staged, target) { return }
    guard replaces && isFolder else {
      if replaces { try? FileOperations.linkOrCopy(target, to: aside) }
      return try FileOperations.rename(staged, to: target)
    }
    // Without an atomic exchange, an old folder must be moved away first.
    try FileOperations.moveFolder(target, to: aside)
    do throws(SystemError) {
      try FileOperations.rename(staged, to: target)
    } catch {
      try? FileOperations.rename(aside, to: target)
      throw error
    }
  }

  /// The path to which the replaced file or folder is moved if it cannot be exchanged.
  private var aside: String { "\(staged).old" }

  /// Restores the replaced file or folder; if that fails, the next build repairs it.
  func undo() {
    guard replaces else { return (try? FileOperations.rename(target, to: staged)) ?? () }
    if (try? FileOperations.exchange(staged, target)) == true { return }
    if isFolder { try? FileOperations.rename(target, to: staged) }
    try? FileOperations.rename(aside, to: target)
  }
}
