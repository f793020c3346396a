import Archiving

extension OutputFolder {
  /// Removes what was written beside the published files.
  func clearStaging() throws(SystemError) {
    try FileOperations.remove(stagingPath)
  }

  /// Removes files by their names, such as property lists that contradict those of a new build.
  func remove(_ names: [String]) throws(SystemError) {
    for name in names { try FileOperations.removeFile(joined(path, name)) }
  }

  /// Removes packs and contents that came to those that were there.
  func removeNew(since packs: Set<String>, files: Set<String>) {
    for name in (try? FileOperations.names(in: packsPath)) ?? [] where !packs.contains(name) {
      if layout.mayBePack(name) { try? removePack(name) }
    }
    for name in (try? FileOperations.names(in: path)) ?? [] where !files.contains(name) {
      if isContentsName(name) { try? FileOperations.removeFile(joined(path, name)) }
    }
  }

  /// Whether there is anything that looks like one of our packs.
  var holdsPacks: Bool {
    get throws(SystemError) {
      guard try FileOperations.statusIfThere(packsPath)?.kind == .folder else { return false }
      return try FileOperations.names(in: packsPath).contains(where: layout.mayBePack)
    }
  }

  /// Removes packs and contents of older builds: those of this app, and those that the index before named.
  func removeOld(except index: Index, before: [String] = []) throws(SystemError) {
    var kept = Set((index.packs ?? []).map(\.archive.path))
    if let contents = index.contents { kept.insert(contents.path) }
    for name in try FileOperations.names(in: packsPath) {
      let relative = joined(layout.packsFolder, name)
      if kept.contains(relative) { continue }
      guard layout.mayBePack(name) else { continue }
      let isOurs = layout.isPackName(name, of: index.plan.manifest.bundleIdentifier)
      if isOurs || before.contains(relative) { try removePack(name) }
    }
    if layout.isXcodes { return }
    for name in try FileOperations.names(in: path) where !kept.contains(name) {
      if isContentsName(name) { try FileOperations.removeFile(joined(path, name)) }
    }
  }

  /// Removes a pack by its name; a folder goes only where that is one of a pack's folder.
  private func removePack(_ name: String) throws(SystemError) {
    let pack = joined(packsPath, name)
    if layout.mayBeFolder(name) { return try FileOperations.remove(pack) }
    if try FileOperations.statusIfThere(pack, following: false)?.kind == .folder { return }
    try FileOperations.removeFile(pack)
  }
}

extension Layout {
  /// Whether a name is one that packtool gives a pack of this app.
  fileprivate func isPackName(_ name: String, of bundleIdentifier: String) -> Bool {
    name.hasPrefix(bundleIdentifier + ".") && mayBePack(name)
  }

  /// Whether a name that has the form of a pack's is one of a pack that is a folder.
  fileprivate func mayBeFolder(_ name: String) -> Bool {
    switch self {
    case .packtool: Container.allCases.allSatisfy { $0.suffix.isEmpty || !name.hasSuffix($0.suffix) }
    case .xcode: true
    case .hosted: false
    }
  }

  /// Whether a name has the form of a pack's.
  fileprivate func mayBePack(_ name: String) -> Bool {
    if isXcodes { return name.hasSuffix(Self.packSuffix) && endsInMD5(name.dropLast(Self.packSuffix.count)) }
    return Container.allCases.contains { container in
      name.hasSuffix(container.suffix) && endsInDigest(name.dropLast(container.suffix.count))
    }
  }
}

/// Whether a name is one that packtool gives a list of files.
func isContentsName(_ name: String) -> Bool {
  name.hasPrefix("contents.") && name.hasSuffix(".json") && endsInDigest(name.dropLast(5))
}

private func endsInDigest(_ name: Substring) -> Bool { ends(name, in: 16, behind: ".") }

private func endsInMD5(_ name: Substring) -> Bool { ends(name, in: 32, behind: "-") }

/// Whether a name ends in so many lower-case hex digits behind a mark.
private func ends(_ name: Substring, in digits: Int, behind mark: Character) -> Bool {
  let digest = name.suffix(digits)
  return digest.count == digits && digest.allSatisfy { $0.isASCII && $0.isHexDigit && !$0.isUppercase }
    && name.dropLast(digits).last == mark
}
