import Findings
import Formats
import PackKit
import System

extension OutputFolder {
  /// What a staged pack will be once it has been given its name, and how it gets it; nil where it stands there already.
  func stage(_ pack: WrittenPack, named name: String, in container: Container) throws(SystemError)
    -> (PublishedPack, PendingRename?)
  {
    let relative = layout.path(ofPack: name, pack, in: container)
    let rename = try pending(pack.stagedPath, as: relative, pack.archive, isFolder: container == .folder)
    let published = PublishedFile(path: relative, file: pack.archive)
    return (PublishedPack(digest: pack.digest, archive: published), rename)
  }

  /// Writes and publishes the list of all files.
  func publish(_ contents: ContentsFormat) throws(SystemError) -> PublishedFile {
    let staged = joined(stagingPath, "contents.json")
    var file = try OutputFile(creating: staged)
    try contents.write(to: &file)
    let written = try file.finish(isPublished: true)
    try FileOperations.sync(staged)
    let relative = PublishedNames.contents(written.digest)
    try publish(staged, as: relative, written, isFolder: false)
    return PublishedFile(path: relative, file: written)
  }

  /// Brings packs that are folders to the disk, before they get names that an index relies on.
  func syncStagedFolders() throws(SystemError) {
    try FileOperations.syncFileSystem(of: stagingPath)
  }

  /// Brings the names of what was published to the disk.
  func syncFolders() throws(SystemError) {
    if packsPath != path { try FileOperations.sync(packsPath) }
    try FileOperations.sync(path)
  }

  /// Publishes packs and property lists of Xcode's, the lists last; where that fails, what was there is put back.
  ///
  /// All is written and brought to the disk before the first rename. Packs keep their names here, so readers see
  /// packs and lists that do not agree from the first rename to the last.
  func publish(
    _ packs: [PendingRename], _ lists: [NamedBytes]
  ) throws(SystemError) -> PublishedFile? {
    var renames = packs
    var last: PublishedFile?
    for list in lists {
      let staged = joined(stagingPath, list.name)
      var file = try OutputFile(creating: staged)
      try file.write(list.bytes)
      let written = try file.finish(isPublished: true)
      try FileOperations.sync(staged)
      if let rename = try pending(staged, as: list.name, written, isFolder: false) { renames.append(rename) }
      last = PublishedFile(path: list.name, file: written)
    }
    for (number, rename) in renames.enumerated() {
      do throws(SystemError) {
        try rename.perform()
      } catch {
        for done in renames[..<number].reversed() { done.undo() }
        throw error
      }
    }
    return last
  }

  private func publish(
    _ staged: String, as relative: String, _ written: WrittenFile, isFolder: Bool
  ) throws(SystemError) {
    try pending(staged, as: relative, written, isFolder: isFolder)?.perform()
  }

  /// How something staged gets its name; nil, and it is removed, where just that has the name already.
  private func pending(
    _ staged: String, as relative: String, _ written: WrittenFile, isFolder: Bool
  ) throws(SystemError) -> PendingRename? {
    let target = joined(path, relative)
    // A file that would not change is not touched: whoever copies the folder by time copies less.
    if isFolder ? isSameFolder(target, staged) : isSame(target, written) {
      try FileOperations.remove(staged)
      return nil
    }
    // What has a digest in its name is never wanted back.
    let replaces = isFolder || layout.replacesInPlace ? try exists(target) : false
    return PendingRename(staged: staged, target: target, replaces: replaces, isFolder: isFolder)
  }

  /// Whether two folders hold the same files with the same times; what cannot be read is not the same.
  private func isSameFolder(_ first: String, _ second: String) -> Bool {
    (try? hasSameContent(Folder(first), Folder(second))) ?? false
  }

  private func hasSameContent(_ first: Folder, _ second: Folder) throws(SystemError) -> Bool {
    var ours = FolderWalk(first)
    var theirs = FolderWalk(second)
    while let one = try ours.next() {
      guard let other = try theirs.next(), one.path == other.path, one.status.kind == other.status.kind else {
        return false
      }
      if one.status.kind == .folder { continue }
      guard one.status.size == other.status.size, one.status.modified == other.status.modified,
        try first.openFile(one.path).digest() == second.openFile(other.path).digest()
      else { return false }
    }
    return try theirs.next() == nil
  }

  private func isSame(_ path: String, _ written: WrittenFile) -> Bool {
    guard let file = try? InputFile(path), let status = try? file.status(),
      status.kind == .file && status.size == written.size
    else { return false }
    return (try? file.digest()) == written.digest
  }
}
