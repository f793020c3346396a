import Formats
import Model
import Pipeline
import System

/// A build whose packs are complete but not published.
struct UnpublishedBuild: Sendable {
  let plan: PackPlan
  let settings: PackSettings
  let output: OutputFolder
  let jobs: Int
  let packs: [FinishedPack]
  /// When the scan began, by the file system's clock, in nanoseconds since 1970.
  let scanTime: Int64
  /// The paths, relative to the root, of files with a content finding.
  let pathsWithFindings: Set<String>
  /// Nil where no release was given to make patches from.
  var patches: StagedPatches?

  /// Passes the rename of every staged pack to `take`, unless the pack is published already; returns the packs, and
  /// the paths of those with a rename.
  func stagedPacks(
    _ take: (PendingRename) throws -> Void
  ) throws -> (packs: [PublishedPack], written: [String]) {
    var renamed: [String] = []
    let packs = try zip(plan.packs, packs).map { pack, finished in
      let published = published(pack, finished)
      if finished.kept != nil { return published }
      let path = published.archive.path
      let rename = try output.pending(
        finished.stagedPath, as: path, finished.archive, isFolder: finished.isFolder)
      if let rename {
        try take(rename)
        renamed.append(path)
      }
      return published
    }
    return (packs, renamed)
  }

  private func published(_ pack: AssetPack, _ finished: FinishedPack) -> PublishedPack {
    if let kept = finished.kept { return kept }
    let path = output.layout.path(of: pack, finished.archive, in: settings.container)
    return PublishedPack(
      digest: finished.digest, archive: PublishedFile(path: path, file: finished.archive))
  }

  /// The release that is to be published, without its list of contents.
  var release: Release {
    Release(of: plan, packs: zip(plan.packs, packs).map(published), patches: patches?.sets ?? [])
  }

  /// Publishes the packs and the lists of them by renames, the last list last.
  ///
  /// Everything is written and synced before the first rename.
  func publish(_ lists: (Release, _ written: [String]) throws -> [NamedBytes]) throws -> Publication {
    var renames: [PendingRename] = []
    let (packs, written) = try stagedPacks { renames.append($0) }
    let record = try draftRecord()
    let release = Release(of: plan, packs: packs)
    let (last, isListWritten) = try output.publish(renames, lists(release, written))
    let changes = OutputChanges(written: written, isListWritten: isListWritten)
    return Publication(release: release, packs: packs, changes: changes, list: last, record: record)
  }

  func draftRecord() throws(SystemError) -> RecordDraft {
    let head = BuildRecord.Head(
      key: settings.key(for: plan.manifest), scanTime: scanTime, packCount: plan.packs.count)
    var draft = try RecordWriter(creating: joined(output.stagingPath, "record"), head)
    for (pack, finished) in zip(plan.packs, packs) {
      draft.beginPack(pack.identity.identifier, fileCount: pack.files.count)
      for (number, packed) in zip(pack.files, finished.files) {
        let file = plan.tree.files[number]
        // The stamp of a pointer says nothing about its file.
        let record = BuildRecord.File(
          size: file.size, stamp: file.pointer == nil ? file.stamp : .unknown, packed: packed,
          hasContentFinding: hasContentFinding(file))
        try draft.add(record, at: file.packPath)
      }
    }
    return RecordDraft(draft)
  }

  /// Whether the next build has to inspect a file, as it has where only a pointer was here.
  private func hasContentFinding(_ file: AssetFile) -> Bool {
    file.pointer != nil || (!pathsWithFindings.isEmpty && pathsWithFindings.contains(file.path))
  }
}

extension UnpublishedBuild {
  /// Writes `contents.<digest>.json` to the staging folder.
  func stageContents() throws(SystemError) -> (stagedPath: String, list: PublishedFile) {
    let staged = joined(output.stagingPath, "contents.json")
    var file = try OutputFile(creating: staged)
    try writeContents(to: &file)
    let written = try file.finish(isPublished: true)
    return (staged, PublishedFile(path: PublishedNames.contents(written.digest), file: written))
  }

  /// The same, and publishes it; false if the same list is published already.
  func publishContents() throws(SystemError) -> (list: PublishedFile, isWritten: Bool) {
    let (staged, list) = try stageContents()
    try FileOperations.sync(staged)
    let rename = try output.pending(staged, as: list.path, list.file, isFolder: false)
    try rename?.perform()
    return (list, rename != nil)
  }

  /// Writes a line for each file, by its path inside the pack: a million files are not held in memory a second time.
  private func writeContents(to file: inout OutputFile) throws(SystemError) {
    var lines = ByteBuffer()
    lines.append("{\n  \"files\": [")
    var separator = "\n"
    let packOfTagSet = plan.packOfTagSet
    let packed = packs.map(\.files)
    // A pack's files are in the order of all files.
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

/// A published build whose clean-up is still to come.
struct Publication {
  let release: Release
  let packs: [PublishedPack]
  /// The written files; nothing has been removed yet.
  let changes: OutputChanges
  /// The file by which the next build recognizes this one.
  let list: PublishedFile?
  /// The record of the files, which is not at its path yet.
  let record: RecordDraft
  /// The record of patches; nil where none were asked for.
  var patchRecord: PatchRecord?
  /// Writes what may never be ahead of the published lists; true where it had to be written.
  var follow: (() throws -> Bool)?
}

/// One layout with its way of publishing.
protocol PackLayout: LayoutNames {
  /// Publishes the staged files by renames; the file that readers open first is renamed last.
  func publish(_ build: UnpublishedBuild) throws -> Publication
  /// Whether the published lists are those that a build of these packs would publish.
  func isPublished(
    _ release: Release, _ plan: PackPlan, _ settings: PackSettings,
    in folder: OutputFolder
  ) throws(SystemError) -> Bool
}
