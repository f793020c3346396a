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
    if replaces, try FileOperations.exchange(staged, target) { return }
    guard replaces && isFolder else { return try FileOperations.rename(staged, to: target) }
    // Without an atomic exchange an old folder is moved away first.
    try FileOperations.moveFolder(target, to: aside)
    do throws(SystemError) {
      try FileOperations.rename(staged, to: target)
    } catch {
      try? FileOperations.rename(aside, to: target)
      throw error
    }
  }

  /// Where an old folder is moved if it cannot be exchanged.
  private var aside: String { "\(staged).old" }

  /// Restores what was replaced; if the file system cannot exchange files, the next build repairs a replaced file.
  func undo() {
    guard replaces else { return (try? FileOperations.rename(target, to: staged)) ?? () }
    if (try? FileOperations.exchange(staged, target)) == true || !isFolder { return }
    try? FileOperations.rename(target, to: staged)
    try? FileOperations.rename(aside, to: target)
  }
}
