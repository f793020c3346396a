package import Archiving

/// The folder that a build writes to: `index.json` names all that counts in it.
package struct OutputFolder: Sendable {
  /// As the user would type it.
  package let path: String
  package let layout: Layout

  private var indexPath: String { joined(path, "index.json") }
  var packsPath: String { layout.packsFolder == "." ? path : joined(path, layout.packsFolder) }
  var recordFolder: String { joined(path, ".packtool") }
  /// What builds into the same folder lock.
  var lockPath: String { joined(recordFolder, "lock") }
  /// Where files are written before they are published by a rename.
  var stagingPath: String { joined(path, ".packtool/staging") }

  package init(_ path: String, layout: Layout = .packtool) {
    var path = path[...]
    while path.count > 1 && path.last == "/" { path.removeLast() }
    self.path = String(path)
    self.layout = layout
  }

  /// What tells the folder from others; nil where it is not there yet.
  package var identity: FileIdentity? {
    (try? FileOperations.status(of: path, following: true))?.identity
  }

  /// Whether a build has been here.
  var hasRecordFolder: Bool { exists(recordFolder) }

  /// What the last build left for this one; nil where it cannot be read.
  var record: BuildRecord? {
    guard let file = try? InputFile(joined(recordFolder, "record")),
      let bytes = try? file.contents(limit: Self.longestRecord)
    else { return nil }
    return try? RecordFormat.record(from: bytes)
  }

  /// Bytes of a record that are read: some ten million files.
  private static let longestRecord = 2 << 30

  /// Leaves a record for the next build.
  func write(_ record: BuildRecord) throws(SystemError) {
    let staged = joined(stagingPath, "record")
    var file = try OutputFile(creating: staged)
    try RecordFormat.write(record, to: &file)
    _ = try file.finish()
    try FileOperations.rename(staged, to: joined(recordFolder, "record"))
  }

  /// The stamp of a published file, or of all in a folder; nil where it is not there in its size.
  func stamp(of published: PublishedFile) -> FileStamp? {
    guard let status = try? FileOperations.status(of: joined(path, published.path), following: false),
      status.kind == .folder || (status.kind == .file && status.size == published.file.size)
    else { return nil }
    return status.kind == .folder ? FileStamp(ofAllIn: joined(path, published.path)) : FileStamp(status)
  }

  /// The stamp of a file that has just been published.
  func requiredStamp(of published: PublishedFile) throws(SystemError) -> FileStamp {
    guard let stamp = stamp(of: published) else {
      throw SystemError("look at", joined(path, published.path), code: SystemError.truncated)
    }
    return stamp
  }

  /// Whether something other than a folder stands at the path.
  var isFile: Bool {
    let status = try? FileOperations.status(of: path, following: true)
    return status != nil && status?.kind != .folder
  }

  /// Whether an index.json stands here that packtool did not write.
  package var isForeign: Bool {
    if layout.isXcodes { return false }
    if exists(recordFolder) || exists(packsPath) { return false }
    guard let file = try? InputFile(indexPath) else { return false }
    guard let bytes = try? file.contents(limit: ManifestReader.longestManifest) else { return true }
    let value = JSONReader.read(SourceText(path: indexPath, bytes: bytes)).value
    guard case .object(let members) = value?.content else { return true }
    return !["formatVersion", "bundleIdentifier", "packs"].allSatisfy { key in
      members.contains { $0.key == key }
    }
  }

  /// Removes what was written beside the published files.
  func clearStaging() throws(SystemError) {
    try FileOperations.remove(stagingPath)
  }

  /// Removes packs and contents that came to those that were there.
  func removeNew(since packs: Set<String>, files: Set<String>) {
    for name in (try? FileOperations.names(in: packsPath)) ?? [] where !packs.contains(name) {
      if layout.mayBePack(name) { try? FileOperations.remove(joined(packsPath, name)) }
    }
    for name in (try? FileOperations.names(in: path)) ?? [] where !files.contains(name) {
      if isContentsName(name) { try? FileOperations.remove(joined(path, name)) }
    }
  }

  /// The packs and contents that the current index names, relative to the folder.
  func publishedPaths() -> [String] {
    if layout.isXcodes { return (record?.packs ?? []).map(\.published.archive.path) }
    guard let bytes = try? InputFile(indexPath).contents(limit: ManifestReader.longestManifest) else {
      return []
    }
    let index = JSONReader.read(SourceText(path: indexPath, bytes: bytes)).value
    let files =
      (index?.member("packs")?.elements ?? []).map { $0.member("archive") } + [index?.member("contents")]
    return files.compactMap { file in
      guard case .string(let path) = file?.member("path")?.content else { return nil }
      return path
    }
  }

  /// Gives a staged pack the name that it keeps for ever.
  func publish(_ pack: WrittenPack, named name: String, in container: Container) throws(SystemError)
    -> PublishedPack
  {
    let (published, rename) = try stage(pack, named: name, in: container)
    try rename?.perform()
    return published
  }

  /// What a staged pack will be once it has been given its name, and how it gets it; nil where it stands there already.
  func stage(_ pack: WrittenPack, named name: String, in container: Container) throws(SystemError)
    -> (PublishedPack, PendingRename?)
  {
    let file = layout.fileName(ofPack: name, digest: pack.archive.digest.short, in: container)
    let relative = joined(layout.packsFolder, file)
    let rename = try pending(pack.stagedPath, as: relative, pack.archive, isFolder: container == .folder)
    let published = PublishedFile(path: relative, file: pack.archive)
    return (PublishedPack(digest: pack.digest, archive: published), rename)
  }

  /// Writes and publishes the list of all files.
  func publish(_ contents: ContentsFormat) throws(SystemError) -> PublishedFile {
    let staged = joined(stagingPath, "contents.json")
    var file = try OutputFile(creating: staged)
    try contents.write(to: &file)
    let written = try file.finish()
    try FileOperations.sync(staged)
    let relative = "contents.\(written.digest.short).json"
    try publish(staged, as: relative, written, isFolder: false)
    return PublishedFile(path: relative, file: written)
  }

  /// Whether an index is the current one already.
  func hasPublished(_ index: Index) -> Bool {
    FileOperations.holds(indexPath, JSONText.object(index.members).bytes())
  }

  /// Makes a build the current one: the one rename that readers see.
  func publish(_ index: Index) throws(SystemError) {
    let bytes = JSONText.object(index.members).bytes()
    if FileOperations.holds(indexPath, bytes) { return }
    let staged = joined(stagingPath, "index.json")
    try FileOperations.write(bytes, toNew: staged)
    try FileOperations.sync(staged)
    // What the index names must be there to stay before the index is.
    try syncFolders()
    try FileOperations.rename(staged, to: indexPath)
  }

  /// Brings staged packs to the disk, before they get names that an index relies on.
  func sync(_ packs: [WrittenPack], jobs: Int) throws(SystemError) {
    if packs.contains(where: { $0.isFolder }) { return try FileOperations.syncFileSystem(of: stagingPath) }
    // The disk works, not the processor: more threads than those let it choose its order.
    let queue = Monitor((waiting: packs.map(\.stagedPath), failure: SystemError?.none))
    onThreads(min(packs.count, max(jobs, 8))) { _ in
      while let path = queue.change({ $0.failure == nil ? $0.waiting.popLast() : nil }) {
        do throws(SystemError) {
          try FileOperations.sync(path)
        } catch {
          queue.change { $0.failure = error }
        }
      }
    }
    if let failure = queue.change({ $0.failure }) { throw failure }
  }

  /// Brings the names of what was published to the disk.
  func syncFolders() throws(SystemError) {
    if packsPath != path { try FileOperations.sync(packsPath) }
    try FileOperations.sync(path)
  }

  /// Removes packs and contents of older builds: those of this app, and those that the index before named.
  func removeOld(except index: Index, before: [String] = []) throws(SystemError) {
    var kept = Set((index.packs ?? []).map(\.archive.path))
    if let contents = index.contents { kept.insert(contents.path) }
    for name in try FileOperations.names(in: packsPath) {
      let relative = joined(layout.packsFolder, name)
      if kept.contains(relative) { continue }
      let isOurs = layout.isPackName(name, of: index.plan.manifest.bundleIdentifier)
      if isOurs || before.contains(relative) { try FileOperations.remove(joined(path, relative)) }
    }
    if layout.isXcodes { return }
    for name in try FileOperations.names(in: path) where !kept.contains(name) {
      if isContentsName(name) { try FileOperations.remove(joined(path, name)) }
    }
  }

  /// The layout of a build that stands here, where it is not this one's.
  var otherLayout: Layout? {
    let found: Layout? =
      if exists(indexPath) && exists(joined(path, Layout.packtool.packsFolder)) {
        .packtool
      } else if exists(joined(path, Layout.xcode.packsFolder)) {
        .xcode
      } else if exists(joined(path, Layout.hosted.indexName)) {
        .hosted
      } else {
        nil
      }
    return found == layout ? nil : found
  }

  /// Whether Xcode's property lists are the current ones already.
  func holds(_ files: [(name: String, bytes: ByteBuffer)], without stale: [String]) -> Bool {
    files.allSatisfy { FileOperations.holds(joined(path, $0.name), $0.bytes) }
      && !stale.contains { exists(joined(path, $0)) }
  }

  /// Publishes packs and property lists of Xcode's, the lists last, and removes those that would contradict them.
  ///
  /// All is written and brought to the disk before the first rename. Packs keep their names here, so readers see
  /// packs and lists that do not agree from the first rename to the last.
  func publish(
    _ packs: [PendingRename], _ files: [(name: String, bytes: ByteBuffer)], without stale: [String]
  ) throws(SystemError) -> PublishedFile? {
    var renames = packs
    var last: PublishedFile?
    for (name, bytes) in files {
      let staged = joined(stagingPath, name)
      var file = try OutputFile(creating: staged)
      try bytes.withBytes { bytes throws(SystemError) in try file.write(bytes) }
      let written = try file.finish()
      try FileOperations.sync(staged)
      if let rename = try pending(staged, as: name, written, isFolder: false) { renames.append(rename) }
      last = PublishedFile(path: name, file: written)
    }
    for rename in renames { try rename.perform() }
    for name in stale { try FileOperations.remove(joined(path, name)) }
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
    return PendingRename(staged: staged, target: target, replacesFolder: isFolder && exists(target))
  }

  /// Whether two folders hold the same files with the same times.
  private func isSameFolder(_ first: String, _ second: String) -> Bool {
    guard let first = try? Folder(first), let second = try? Folder(second) else { return false }
    var waiting: [[UInt8]] = [[]]
    while let folder = waiting.popLast() {
      guard let ours = try? first.listing(of: folder), let theirs = try? second.listing(of: folder),
        ours.entries.count == theirs.entries.count
      else { return false }
      for (one, other) in zip(ours.entries, theirs.entries) {
        let path = (folder.isEmpty ? [] : folder + [UInt8(ascii: "/")]) + ours.name(of: one)
        guard ours.name(of: one) == theirs.name(of: other), one.status.kind == other.status.kind else {
          return false
        }
        if one.status.kind == .folder {
          waiting.append(path)
        } else if one.status.size != other.status.size || one.status.modified != other.status.modified
          || (try? first.openFile(path).digest()) != (try? second.openFile(path).digest())
        {
          return false
        }
      }
    }
    return true
  }

  private func exists(_ path: String) -> Bool {
    (try? FileOperations.status(of: path, following: false)) != nil
  }

  private func isSame(_ path: String, _ written: WrittenFile) -> Bool {
    guard let file = try? InputFile(path), let status = try? file.status(),
      status.kind == .file && status.size == written.size
    else { return false }
    return (try? file.digest()) == written.digest
  }
}

extension Layout {
  /// Whether a name is one that packtool gives a pack of this app.
  fileprivate func isPackName(_ name: String, of bundleIdentifier: String) -> Bool {
    name.hasPrefix(bundleIdentifier + ".") && mayBePack(name)
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
