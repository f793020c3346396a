import Archiving

/// Something that has been written and waits for its name.
struct PendingRename: Sendable {
  let staged: String
  let target: String
  /// Whether a folder has the name, which no rename puts another one in the place of.
  let replacesFolder: Bool

  func perform() throws(SystemError) {
    if replacesFolder {
      // The two change places, or where the file system cannot do that, one makes way.
      if try FileOperations.exchange(staged, target) { return }
      try FileOperations.rename(target, to: "\(staged).old")
    }
    try FileOperations.rename(staged, to: target)
  }
}
