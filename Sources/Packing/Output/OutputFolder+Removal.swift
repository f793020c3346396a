import Formats
import Model
import Pipeline
import System

extension OutputFolder {
  /// Removes the lock and the build cache after a build, unless they are kept.
  ///
  /// The caller has the lock. A process that waits for the lock notices that the lock file is gone.
  func finish(with state: OutputState) throws(SystemError) {
    if state == .removed { try FileOperations.remove(recordFolder) }
  }

  /// Removes the staging folder.
  func clearStaging() throws(SystemError) { try FileOperations.remove(stagingPath) }

  /// Removes the files with these names, and returns the names of the files that existed.
  ///
  /// For example, it removes a property list that would contradict the new build.
  func remove(_ names: [String]) throws(SystemError) -> [String] {
    var removed: [String] = []
    for name in names where try exists(joined(path, name)) {
      try FileOperations.removeFile(joined(path, name))
      removed.append(name)
    }
    return removed
  }

  /// Removes packs, patches and lists, except those that existed before the build.
  func removeNew(since before: OutputLock.FolderSnapshot) {
    for name in (try? FileOperations.names(in: packsPath)) ?? [] where !before.packs.contains(name) {
      if files.isPackName(name) { _ = try? removePack(name) }
    }
    for name in (try? FileOperations.names(in: path)) ?? [] where !before.files.contains(name) {
      if files.isListName(name) { try? FileOperations.removeFile(joined(path, name)) }
    }
    for patch in (try? patches(except: Set(before.patches ?? []))) ?? [] {
      try? FileOperations.removeFile(joined(path, patch))
    }
    if before.patches == nil {
      FileOperations.removeFolderIfEmpty(joined(path, PublishedNames.patchesFolder))
    }
  }

  /// Returns the paths of patches and their lists, relative to the output folder; nil if there is no folder
  /// of patches.
  func patches() throws(SystemError) -> [String]? {
    let folder = joined(path, PublishedNames.patchesFolder)
    guard try FileOperations.statusIfThere(folder, symlinks: .notFollowed)?.kind == .folder else {
      return nil
    }
    return try FileOperations.names(in: folder).filter(isPatchName).map {
      joined(PublishedNames.patchesFolder, $0)
    }
  }

  /// Returns the paths of patches and their lists, relative to the output folder, except those in `kept`.
  func patches(except kept: Set<String>) throws(SystemError) -> [String] {
    try patches()?.filter { !kept.contains($0) } ?? []
  }

  /// Returns the paths of patches and their lists, relative to the output folder, except those of a release.
  func patches(except release: Release) throws(SystemError) -> [String] {
    let sets = release.patches
    return try patches(except: Set(sets.map(\.list.path) + sets.flatMap { $0.packs.map(\.patch.path) }))
  }

  /// Whether any file has a name in the format of pack names.
  var holdsPacks: Bool {
    get throws(SystemError) {
      guard try FileOperations.statusIfThere(packsPath)?.kind == .folder else { return false }
      return try FileOperations.names(in: packsPath).contains(where: files.isPackName)
    }
  }

  /// Removes packs and lists of older builds, and returns their paths in byte order, relative to the output
  /// folder.
  ///
  /// The removed packs are those of this app, and those that were in the previous index.
  func removeOld(except release: Release, previousPaths: [String] = []) throws(SystemError) -> [String] {
    var removed: [String] = []
    var kept = Set(release.packs.compactMap(\.published?.archive.path))
    if let contents = release.contents { kept.insert(contents.path) }
    if let list = ElsewhereFormat.list(of: release) { kept.insert(list.name) }
    for name in try FileOperations.names(in: packsPath) {
      let relative = joined(files.packsFolder, name)
      if kept.contains(relative) { continue }
      guard files.isPackName(name) else { continue }
      let isOurs = files.isPackName(name, of: release.bundleIdentifier)
      guard isOurs || previousPaths.contains(relative), try removePack(name) else { continue }
      removed.append(relative)
    }
    for name in try FileOperations.names(in: path) where !kept.contains(name) {
      guard files.isListName(name), try removeUnlessFolder(joined(path, name)) else { continue }
      removed.append(name)
    }
    for name in try leftovers(ofRemoved: removed, except: release) {
      if try removeUnlessFolder(joined(path, name)) { removed.append(name) }
    }
    if release.patches.isEmpty
      && removed.contains(where: { $0.hasPrefix("\(PublishedNames.patchesFolder)/") })
    {
      FileOperations.removeFolderIfEmpty(joined(path, PublishedNames.patchesFolder))
    }
    return removed.sorted { $0.precedesInBytes($1) }
  }

  /// Removes the pack with a name.
  ///
  /// If the path is a folder but a pack with this name must be a file, nothing is removed, and the result is
  /// false.
  private func removePack(_ name: String) throws(SystemError) -> Bool {
    let pack = joined(packsPath, name)
    guard files.isFolderName(name) else { return try removeUnlessFolder(pack) }
    try FileOperations.remove(pack)
    return true
  }

  /// Removes a file.
  ///
  /// If the path is a folder, nothing is removed and the result is false, because a build never creates a
  /// folder at this path.
  private func removeUnlessFolder(_ path: String) throws(SystemError) -> Bool {
    if try FileOperations.statusIfThere(path, symlinks: .notFollowed)?.kind == .folder { return false }
    try FileOperations.removeFile(path)
    return true
  }
}

extension OutputFolder {
  /// The refusals for files and folders that a build could not write without changing files of other
  /// programs.
  var unsafeParts: [Refusal] {
    get throws(SystemError) {
      if let identity = try identity,
        try identity == FileOperations.status(of: "/", symlinks: .followed).identity
      {
        let message =
          "\(quoted(path)) is the root of the file system; choose another folder, such as \"build/packs\""
        return [Refusal(.unsafeOutput, message: message, at: path)]
      }
      let own = (files.madeFolders + files.cleanedFolders).map { joined(path, $0) }
      let folders = [recordFolder, stagingPath] + (packsPath == path ? [] : [packsPath]) + own
      var parts: [Refusal] = []
      for path in folders { try part(path, shouldBe: .folder).map { parts.append($0) } }
      for path in [lockPath, recordPath] { try part(path, shouldBe: .file).map { parts.append($0) } }
      return parts
    }
  }

  private func part(_ path: String, shouldBe kind: FileStatus.Kind) throws(SystemError) -> Refusal? {
    // If this folder is a symlink, only the symlink is reported, not the files below it.
    if path.hasPrefix(recordFolder + "/"),
      try FileOperations.statusIfThere(recordFolder, symlinks: .notFollowed)?.kind != .folder
    {
      return nil
    }
    guard let found = try FileOperations.statusIfThere(path, symlinks: .notFollowed)?.kind, found != kind
    else {
      return nil
    }
    let message =
      "\(quoted(path)) is \(found.words), not \(kind.words); remove it, or choose another folder"
    return Refusal(.unsafeOutput, message: message, at: path)
  }
}

extension FileStatus.Kind {
  /// The description of the kind in messages.
  fileprivate var words: String { self == .link ? "a symlink" : "a \(self)" }
}

/// Whether a name is the name of a patch or of a list of patches.
private func isPatchName(_ name: String) -> Bool {
  let parts = name.split(separator: ".", omittingEmptySubsequences: false)
  let sizes: [Int]? = parts.last == "zip" ? [32, 16, 16] : parts.last == "json" ? [16, 16] : nil
  return parts.dropLast().map(\.utf8.count) == sizes
    && parts.dropLast().allSatisfy { $0.allSatisfy { $0.isASCII && $0.isHexDigit && !$0.isUppercase } }
}
