import Findings
import Formats
import PackKit
import System

extension OutputFolder {
  /// Writes the list of all files and publishes it; false if the same list is published already.
  func publish(_ contents: ContentsFormat) throws(SystemError) -> (list: PublishedFile, isWritten: Bool) {
    let staged = joined(stagingPath, "contents.json")
    var file = try OutputFile(creating: staged)
    try contents.write(to: &file)
    let written = try file.finish(isPublished: true)
    try FileOperations.sync(staged)
    let relative = PublishedNames.contents(written.digest)
    let rename = try pending(staged, as: relative, written, isFolder: false)
    try rename?.perform()
    return (PublishedFile(path: relative, file: written), rename != nil)
  }

  /// Syncs packs that are folders before they get the names that an index refers to.
  func syncStagedFolders() throws(SystemError) {
    try FileOperations.syncFileSystem(of: stagingPath)
  }

  /// Syncs the folders of published files.
  func syncFolders() throws(SystemError) {
    if packsPath != path { try FileOperations.sync(packsPath) }
    for folder in layout.folders { try FileOperations.sync(joined(path, folder)) }
    try FileOperations.sync(path)
  }

  /// Publishes packs and property lists of the Apple layouts, the lists last; a failure restores the previous
  /// files.
  ///
  /// Everything is written and synced before the first rename. Packs have fixed names in these layouts, so readers
  /// see packs and lists that do not match between the first rename and the last.
  func publish(
    _ packs: [PendingRename], _ lists: [NamedBytes]
  ) throws(SystemError) -> (last: PublishedFile?, isListWritten: Bool) {
    var renames = packs
    var last: PublishedFile?
    for list in lists {
      let staged = joined(stagingPath, list.name)
      if list.name.contains("/") { try FileOperations.makeFolder(folderPath(of: staged)) }
      var file = try OutputFile(creating: staged)
      try file.write(list.bytes)
      let written = try file.finish(isPublished: true)
      try FileOperations.sync(staged)
      if let rename = try pending(staged, as: list.name, written, isFolder: false) { renames.append(rename) }
      last = PublishedFile(path: list.name, file: written)
    }
    try Self.perform(renames)
    return (last, renames.count > packs.count)
  }

  /// Performs renames in order; a failure undoes those before it.
  static func perform(_ renames: [PendingRename]) throws(SystemError) {
    for (number, rename) in renames.enumerated() {
      do throws(SystemError) {
        try rename.perform()
      } catch {
        for done in renames[..<number].reversed() { done.undo() }
        throw error
      }
    }
  }

  /// The rename of a staged file or folder; if the target is the same already, removes the staged one and returns
  /// nil.
  func pending(
    _ staged: String, as relative: String, _ written: WrittenFile, isFolder: Bool
  ) throws(SystemError) -> PendingRename? {
    let target = joined(path, relative)
    // A file that would not change is not touched, so that tools that compare times copy less.
    if isFolder ? isSameFolder(target, staged) : isSame(target, written) {
      try FileOperations.remove(staged)
      return nil
    }
    // A file with its digest in its name never replaces another content, so there is nothing to restore.
    let replaces = isFolder || layout.replacesInPlace ? try exists(target) : false
    return PendingRename(staged: staged, target: target, replaces: replaces, isFolder: isFolder)
  }
}
