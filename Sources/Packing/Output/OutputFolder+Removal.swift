import Findings
import PackKit
import System

extension OutputFolder {
  /// Removes the staging folder.
  func clearStaging() throws(SystemError) {
    try FileOperations.remove(stagingPath)
  }

  /// Removes files by their names, such as property lists that contradict those of a new build.
  func remove(_ names: [String]) throws(SystemError) {
    for name in names { try FileOperations.removeFile(joined(path, name)) }
  }

  /// Removes packs and lists except those that existed before.
  func removeNew(since packs: Set<String>, files: Set<String>) {
    for name in (try? FileOperations.names(in: packsPath)) ?? [] where !packs.contains(name) {
      if layout.mayBePack(name) { try? removePack(name) }
    }
    for name in (try? FileOperations.names(in: path)) ?? [] where !files.contains(name) {
      if layout.mayBeList(name) { try? FileOperations.removeFile(joined(path, name)) }
    }
  }

  /// Whether any file has a name of the form that packs have.
  var holdsPacks: Bool {
    get throws(SystemError) {
      guard try FileOperations.statusIfThere(packsPath)?.kind == .folder else { return false }
      return try FileOperations.names(in: packsPath).contains(where: layout.mayBePack)
    }
  }

  /// Removes packs and lists of older builds: those of this app, and those that the previous index named.
  func removeOld(except release: Release, before: [String] = []) throws(SystemError) {
    var kept = Set(release.packs.compactMap(\.published?.archive.path))
    if let contents = release.contents { kept.insert(contents.path) }
    for name in try FileOperations.names(in: packsPath) {
      let relative = joined(layout.packsFolder, name)
      if kept.contains(relative) { continue }
      guard layout.mayBePack(name) else { continue }
      let isOurs = layout.isPackName(name, of: release.bundleIdentifier)
      if isOurs || before.contains(relative) { try removePack(name) }
    }
    for name in try FileOperations.names(in: path) where !kept.contains(name) {
      if layout.mayBeList(name) { try FileOperations.removeFile(joined(path, name)) }
    }
  }

  /// Removes a pack by its name; a folder only if packs of that name are folders.
  private func removePack(_ name: String) throws(SystemError) {
    let pack = joined(packsPath, name)
    if layout.mayBeFolder(name) { return try FileOperations.remove(pack) }
    if try FileOperations.statusIfThere(pack, following: false)?.kind == .folder { return }
    try FileOperations.removeFile(pack)
  }
}
