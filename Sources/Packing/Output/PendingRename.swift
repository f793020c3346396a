import System

/// The rename that publishes a staged file or folder.
struct PendingRename: Sendable {
  let staged: String
  let target: String
  /// Whether it replaces a file that may have to be restored.
  let replaces: Bool
  /// Whether it is a folder, which a rename cannot put in place of another.
  let isFolder: Bool

  func perform() throws(SystemError) {
    // Without an atomic exchange an old folder is moved away first.
    if replaces, try FileOperations.exchange(staged, target) { return }
    if replaces && isFolder { try FileOperations.rename(target, to: "\(staged).old") }
    try FileOperations.rename(staged, to: target)
  }

  /// Restores the replaced file; if the file system cannot exchange files, the next build repairs the folder.
  func undo() {
    if replaces {
      _ = try? FileOperations.exchange(staged, target)
    } else {
      try? FileOperations.rename(target, to: staged)
    }
  }
}
