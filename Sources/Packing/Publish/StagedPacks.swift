import Formats
import Model
import Pipeline
import System

/// A build whose packs are complete: new packs are in the staging folder, and all other packs are already
/// published.
struct StagedPacks: Sendable {
  let target: BuildTarget
  /// The packs in the plan's order.
  let packs: [FinishedPack]
  /// The time at which the scan began, from the clock of the file system, in nanoseconds since 1970.
  let scanTime: Int64
  /// The paths, relative to the root, of files with a content finding.
  let pathsWithFindings: Set<String>
  /// Whether the build cache is up to date, so that a new build cache would not make the next build faster.
  let isRecordCurrent: Bool
  /// The number of threads to use.
  let jobs: Int
  /// The patches; nil if the user specified no earlier release for patches.
  var patches: StagedPatches?

  var plan: PackPlan { target.plan }
  var settings: PackSettings { target.settings }
  var output: OutputFolder { target.output }

  /// The release that will be published, without its file list.
  var release: Release {
    Release(of: plan, packs: zip(plan.packs, packs).map(published), patches: patches?.sets ?? [])
  }

  private func published(_ pack: AssetPack, finished: FinishedPack) -> PublishedPack {
    if let kept = finished.kept { return kept }
    let path = target.path(of: pack, archive: finished.archive)
    return PublishedPack(
      digest: finished.digest, archive: PublishedFile(path: path, file: finished.archive))
  }

  /// Returns the renames that publish the staged packs.
  ///
  /// A pack that is already published needs no rename.
  func packRenames() throws(SystemError) -> PackRenames {
    var result = PackRenames()
    for (pack, finished) in zip(plan.packs, packs) {
      let published = published(pack, finished: finished)
      result.packs.append(published)
      if finished.kept != nil { continue }
      let rename = try output.pendingRename(
        from: finished.stagedPath, to: published.archive.path, written: finished.archive,
        kind: finished.isFolder ? .folder : .file)
      if let rename {
        result.renames.append(rename)
        result.written.append(published.archive.path)
      }
    }
    return result
  }

  /// Writes the lists to the staging folder, and then publishes packs and lists with renames.
  ///
  /// The last element of `lists` is renamed last. Everything is written and synced before the first rename.
  func publish(_ packs: PackRenames, lists: [NamedBytes]) throws(SystemError) -> PublishResult {
    let record = try draftRecord()
    let (last, isListWritten) = try output.publish(packs.renames, lists: lists)
    return PublishResult(
      release: Release(of: plan, packs: packs.packs), packs: packs.packs,
      changes: OutputChanges(written: packs.written, isListWritten: isListWritten), list: last, record: record
    )
  }

  func draftRecord() throws(SystemError) -> RecordDraft {
    let head = BuildRecord.Head(
      key: settings.key(for: plan.manifest), scanTime: scanTime, packCount: plan.packs.count)
    var draft = try RecordWriter(creating: joined(output.stagingPath, "record"), head: head)
    for (pack, finished) in zip(plan.packs, packs) {
      draft.beginPack(pack.identity.identifier, fileCount: pack.files.count)
      for (number, packed) in zip(pack.files, finished.files) {
        let file = plan.tree.files[number]
        // A pointer's stamp does not show whether the file that it represents has changed.
        let record = BuildRecord.File(
          size: file.size, stamp: file.pointer == nil ? file.stamp : .unknown, packed: packed,
          hasContentFinding: hasContentFinding(file))
        try draft.add(record, at: file.packPath)
      }
    }
    return RecordDraft(draft)
  }

  /// Whether the next build has to inspect a file.\n\nA pointer must always be inspected.
  private func hasContentFinding(_ file: AssetFile) -> Bool {
    file.pointer != nil || (!pathsWithFindings.isEmpty && pathsWithFindings.contains(file.path))
  }
}

/// The published packs of a build, and the renames that are still needed to publish them.
struct PackRenames: Sendable {
  /// The packs in the plan's order.
  var packs: [PublishedPack] = []
  var renames: [PendingRename] = []
  /// The paths of the packs with a rename, relative to the output folder.
  var written: [String] = []
}

extension StagedPacks {
  /// Writes `contents.<digest>.json` to the staging folder.
  func stageContents() throws(SystemError) -> StagedContents {
    let staged = joined(output.stagingPath, "contents.json")
    var file = try OutputFile(creating: staged)
    try writeContents(to: &file)
    let written = try file.finish(readableBy: .everyone)
    let list = PublishedFile(path: PublishedNames.contents(written.digest), file: written)
    return StagedContents(stagedPath: staged, list: list)
  }

  /// Writes the list and publishes it, unless the same list is published already.
  func publishContents() throws(SystemError) -> PublishedContentsList {
    let staged = try stageContents()
    try FileOperations.sync(staged.stagedPath)
    let rename = try output.pendingRename(
      from: staged.stagedPath, to: staged.list.path, written: staged.list.file, kind: .file)
    try rename?.perform()
    return PublishedContentsList(file: staged.list, isWritten: rename != nil)
  }

  /// Writes a line for each file, sorted by the path inside the pack.
  ///
  /// The function does not make another list of all files in memory, because there can be a million files.
  private func writeContents(to file: inout OutputFile) throws(SystemError) {
    var lines = ByteBuffer()
    lines.append("{\n  \"files\": [")
    var separator = "\n"
    let packOfTagSet = plan.packOfTagSet
    let packed = packs.map(\.files)
    // The files of each pack are in the same order as the list of all files.
    var next = Array(repeating: 0, count: packs.count)
    for number in plan.filesByPackPath {
      let asset = plan.tree.files[number]
      let pack = packOfTagSet[Int(asset.tagSet)]
      let packedFile = packed[pack][next[pack]]
      next[pack] += 1
      lines.append(separator)
      lines.append("    {\"digest\": \"sha256:")
      lines.append(hexOf: packedFile.digest)
      lines.append("\", \"pack\": ")
      lines.append(json: plan.packs[pack].identity.identifier)
      if let size = packedFile.packedSize { lines.append(", \"packed\": \(size)") }
      lines.append(", \"path\": ")
      lines.append(json: asset.packPath)
      lines.append(", \"size\": \(asset.size)}")
      separator = ",\n"
      if lines.count > 1 << 16 {
        try file.write(lines)
        lines.clear()
      }
    }
    lines.append("\n  ],\n  \"formatVersion\": \(IndexFormat.version)\n}\n")
    try file.write(lines)
  }
}

/// The list of all files, which is still in the staging folder.
struct StagedContents: Sendable {
  let stagedPath: String
  let list: PublishedFile
}

/// The published list of all files.
struct PublishedContentsList: Sendable {
  let file: PublishedFile
  /// Whether this build wrote the list.
  let isWritten: Bool
}
