import Formats
import Model
import Pipeline
import System

extension OutputFolder {
  /// Syncs packs that are folders.
  ///
  /// The function is called before the packs get the names that an index refers to.
  func syncStagedFolders() throws(SystemError) { try FileOperations.syncFileSystem(of: stagingPath) }

  /// Syncs the folders of published files.
  func syncFolders() throws(SystemError) {
    if packsPath != path { try FileOperations.sync(packsPath) }
    for folder in files.madeFolders { try FileOperations.sync(joined(path, folder)) }
    try FileOperations.sync(path)
  }

  /// Publishes packs and property lists of the Apple layouts; the lists are renamed last.
  ///
  /// If publishing fails, the previous files are restored. Everything is written and synced before the first
  /// rename. Packs have fixed names in these layouts. Between the first rename and the last, readers can
  /// therefore see packs and lists that do not match.
  func publish(
    _ packs: [PendingRename], lists: [NamedBytes]
  ) throws(SystemError) -> (last: PublishedFile?, isListWritten: Bool) {
    var renames = packs
    var last: PublishedFile?
    for list in lists {
      let staged = joined(stagingPath, list.name)
      if list.name.contains("/") { try FileOperations.makeFolder(folderPath(of: staged)) }
      var file = try OutputFile(creating: staged)
      try file.write(list.bytes)
      let written = try file.finish(readableBy: .everyone)
      try FileOperations.sync(staged)
      if let rename = try pendingRename(from: staged, to: list.name, written: written, kind: .file) {
        renames.append(rename)
      }
      last = PublishedFile(path: list.name, file: written)
    }
    try performWithSync(renames)
    return (last, renames.count > packs.count)
  }

  /// Performs renames in order.
  ///
  /// If a rename fails, all earlier renames are undone.
  func perform(_ renames: [PendingRename]) throws(SystemError) {
    try perform(renames) { _ throws(SystemError) in }
  }

  /// Performs renames in order, and syncs the folders before the last rename.
  ///
  /// So after a power failure, the last list exists only if all files that it lists exist.
  func performWithSync(_ renames: [PendingRename]) throws(SystemError) {
    try perform(renames) { number throws(SystemError) in
      if number > 0 && number == renames.count - 1 { try syncFolders() }
    }
  }

  private func perform(
    _ renames: [PendingRename], before prepare: (Int) throws(SystemError) -> Void
  ) throws(SystemError) {
    for (number, rename) in renames.enumerated() {
      do throws(SystemError) {
        try prepare(number)
        try rename.perform()
      } catch {
        for done in renames[..<number].reversed() { done.undo() }
        throw error
      }
    }
  }

  /// Prepares the rename of a staged file or folder; nil if the target already has the same contents.
  ///
  /// In the latter case, the staged file or folder is removed.
  func pendingRename(
    from staged: String, to relative: String, written: WrittenFile, kind: FileStatus.Kind
  ) throws(SystemError) -> PendingRename? {
    let target = joined(path, relative)
    // An unchanged file is not replaced, because tools that compare times then copy fewer files.
    let isFolder = kind == .folder
    if isFolder ? isSameFolder(target, staged) : isSame(fileAt: target, as: written) {
      try FileOperations.remove(staged)
      return nil
    }
    // A file whose name contains its digest never replaces a file with other contents, so nothing needs to be
    // restored.
    let replaces = isFolder || files.replacesInPlace ? try exists(target) : false
    return PendingRename(staged: staged, target: target, replaces: replaces, isFolder: isFolder)
  }
}
