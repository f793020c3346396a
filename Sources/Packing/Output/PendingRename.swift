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
    guard replaces && isFolder else {
      if replaces { try? FileOperations.linkOrCopy(target, to: aside) }
      return try FileOperations.rename(staged, to: target)
    }
    // Without an atomic exchange an old folder is moved away first.
    try FileOperations.moveFolder(target, to: aside)
    do throws(SystemError) {
      try FileOperations.rename(staged, to: target)
    } catch {
      try? FileOperations.rename(aside, to: target)
      throw error
    }
  }

  /// Where what is replaced is kept if it cannot be exchanged.
  private var aside: String { "\(staged).old" }

  /// Restores what was replaced; where that fails, the next build repairs it.
  func undo() {
    guard replaces else { return (try? FileOperations.rename(target, to: staged)) ?? () }
    if (try? FileOperations.exchange(staged, target)) == true { return }
    if isFolder { try? FileOperations.rename(target, to: staged) }
    try? FileOperations.rename(aside, to: target)
  }
}
