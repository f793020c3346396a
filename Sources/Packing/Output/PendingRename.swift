import System

/// Something that has been written and waits for its name.
struct PendingRename: Sendable {
  let staged: String
  let target: String
  /// Whether something has the name that could be wanted back.
  let replaces: Bool
  /// Whether it is a folder, which no rename puts in the place of another.
  let isFolder: Bool

  func perform() throws(SystemError) {
    // The two change places, or where the file system cannot do that, a folder makes way.
    if replaces, try FileOperations.exchange(staged, target) { return }
    if replaces && isFolder { try FileOperations.rename(target, to: "\(staged).old") }
    try FileOperations.rename(staged, to: target)
  }

  /// Gives the name back to what had it before; where the file system cannot exchange, the next build has to mend it.
  func undo() {
    if replaces {
      _ = try? FileOperations.exchange(staged, target)
    } else {
      try? FileOperations.rename(target, to: staged)
    }
  }
}
