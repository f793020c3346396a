import Formats
import Model
import Pipeline
import System

extension OutputFolder {
  /// Syncs packs that are folders before they get the names that an index refers to.
  func syncStagedFolders() throws(SystemError) { try FileOperations.syncFileSystem(of: stagingPath) }

  /// Syncs the folders of published files.
  func syncFolders() throws(SystemError) {
    if packsPath != path { try FileOperations.sync(packsPath) }
    for folder in files.madeFolders { try FileOperations.sync(joined(path, folder)) }
    try FileOperations.sync(path)
  }

  /// Publishes packs and property lists of the Apple layouts, the lists last; a failure restores the previous
  /// files.
  ///
  /// Everything is written and synced before the first rename. Packs have fixed names in these layouts, so readers
  /// see packs and lists that do not match between the first rename and the last.
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
      if let rename = try pending(staged, as: list.name, written: written, kind: .file) {
        renames.append(rename)
      }
      last = PublishedFile(path: list.name, file: written)
    }
    try performWithSync(renames)
    return (last, renames.count > packs.count)
  }

  /// Performs renames in order; a failure undoes those before it.
  func perform(_ renames: [PendingRename]) throws(SystemError) {
    try perform(renames) { _ throws(SystemError) in }
  }

  /// The same with a sync of the folders before the last rename: after a power cut the last list exists only with all that
  /// it names.
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

  /// The rename of a staged file or folder; if the target is the same already, removes the staged one and returns
  /// nil.
  func pending(
    _ staged: String, as relative: String, written: WrittenFile, kind: FileStatus.Kind
  ) throws(SystemError) -> PendingRename? {
    let target = joined(path, relative)
    // A file that would not change is not touched, so that tools that compare times copy less.
    let isFolder = kind == .folder
    if isFolder ? isSameFolder(target, staged) : isSame(target, written) {
      try FileOperations.remove(staged)
      return nil
    }
    // A file with its digest in its name never replaces another content, so there is nothing to restore.
    let replaces = isFolder || files.replacesInPlace ? try exists(target) : false
    return PendingRename(staged: staged, target: target, replaces: replaces, isFolder: isFolder)
  }
}

extension OutputFolder {
  /// Whether a published file still has the size and digest that it was published with.
  func isSame(_ published: PublishedFile) -> Bool { isSame(joined(path, published.path), published.file) }

  /// Whether a published archive, or a folder with this Info.plist, still has the contents that it was published
  /// with.
  func isSame(_ pack: PublishedPack, info: ByteBuffer?) throws(SystemError) -> Bool {
    let path = joined(path, pack.archive.path)
    do throws(SystemError) {
      if try FileOperations.statusIfThere(path, symlinks: .notFollowed)?.kind != .folder {
        return try isSame(joined(self.path, pack.archive.path), lookingAt: pack.archive.file)
      }
      return try contentsDigest(ofPack: Folder(path, symlinks: .notFollowed), info: info) == pack.digest
    } catch {
      if error.isInterruption || error.isShortage { throw error }
      return false
    }
  }

  /// The digest of the files of a pack that is a folder; nil if it holds anything but files, folders and its
  /// Info.plist.
  private func contentsDigest(ofPack folder: Folder, info: ByteBuffer?) throws(SystemError) -> Digest? {
    var files: [FolderWalk.Entry] = []
    var walk = FolderWalk(folder)
    while let entry = try walk.next() {
      if entry.status.kind == .folder { continue }
      guard entry.status.kind == .file else { return nil }
      files.append(entry)
    }
    if let info {
      let place = files.firstIndex { $0.path == Array(PublishedNames.packInfo.utf8) }
      guard let place, FileOperations.holds(joined(folder.path, PublishedNames.packInfo), bytes: info) else {
        return nil
      }
      files.remove(at: place)
    }
    var digest = ContentsDigest()
    for file in files.sorted(by: { $0.path.lexicographicallyPrecedes($1.path) }) {
      digest.add(file.path[...], size: file.status.size, file: try folder.openFile(file.path).digest())
    }
    return digest.finish()
  }

  /// Whether two folders have the same files with the same times; false if one cannot be read.
  func isSameFolder(_ first: String, _ second: String) -> Bool {
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

  func isSame(_ path: String, _ written: WrittenFile) -> Bool {
    (try? isSame(path, lookingAt: written)) ?? false
  }

  private func isSame(_ path: String, lookingAt written: WrittenFile) throws(SystemError) -> Bool {
    let file = try InputFile(written: path)
    let status = try file.status()
    if status.kind != .file || status.size != written.size { return false }
    return try file.digest() == written.digest
  }
}

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
