import Findings
import PackKit
import System

/// Takes the archives of all parts into the staging folder, by links where the file system has them, and checks each.
struct ArchiveTransfer: Sendable {
  private let parts: MergedParts
  private let output: OutputFolder

  init(_ parts: MergedParts, into output: OutputFolder) {
    self.parts = parts
    self.output = output
  }

  /// The packs in the plan's order.
  func take(jobs: Int) throws -> [WrittenPack] {
    let sync = PackSync()
    do {
      let largestFirst = parts.packs.indices.sorted { parts.plan.packs[$0].size > parts.plan.packs[$1].size }
      let packs = try onThreads(jobs, each: largestFirst) { number in
        let pack = try take(number)
        if !pack.isFolder { sync.add(pack.stagedPath) }
        return (number, pack)
      }
      try sync.finish()
      if packs.contains(where: \.1.isFolder) { try output.syncStagedFolders() }
      return packs.sorted { $0.0 < $1.0 }.map(\.1)
    } catch {
      sync.abandon()
      throw error
    }
  }

  private func take(_ number: Int) throws -> WrittenPack {
    let (folder, described) = parts.packs[number]
    let pack = parts.plan.packs[number]
    let staged = joined(output.stagingPath, "\(number)")
    let files = pack.files.map { parts.plan.tree.files[$0] }
    let packed = packed(files, in: described)
    let isFolder = parts.settings.container == .folder
    let written = WrittenPack(
      files, packed, archive: isFolder ? nil : described.published.archive.file, stagedPath: staged)
    // The path is made anew: what a part says about itself leads nowhere else.
    let path = output.layout.path(ofPack: pack.identity.name, written.archive, in: parts.settings.container)
    let source = joined(folder, path)
    if isFolder { try takeFolder(source, to: staged) } else { try takeFile(source, to: staged) }
    let published = PublishedPack(
      digest: written.digest, archive: PublishedFile(path: staged, file: written.archive))
    guard written.digest == described.published.digest,
      try OutputFolder(".", layout: output.layout).isSame(published, info: output.layout.info(of: pack))
    else {
      throw ShardMistake(
        folder, "\(quoted(source)) is not the pack that \(quoted(folder)) describes; build the part again")
    }
    return written
  }

  /// The digests and packed sizes of a pack's files in the plan's order.
  private func packed(_ files: [AssetFile], in pack: ShardContents.Pack) -> [PackedFile] {
    let described = Dictionary(pack.files.map { (ByteKey($0.path), $0) }) { first, _ in first }
    return files.map { file in
      let found = described[ByteKey(file.packPath)]
      return PackedFile(digest: found?.digest ?? .zero, packedSize: found?.packedSize)
    }
  }

  private func takeFile(_ source: String, to staged: String) throws {
    do throws(SystemError) {
      try FileOperations.linkOrCopy(source, to: staged)
    } catch {
      guard error.isMissing || error.isLink else { throw error }
      throw ShardMistake(source, "\(quoted(source)) is missing; build the part again")
    }
    guard try FileOperations.status(of: staged, following: false).kind == .file else {
      throw ShardMistake(source, "\(quoted(source)) is no file")
    }
    try FileOperations.publish(file: staged)
  }

  private func takeFolder(_ source: String, to staged: String) throws {
    guard try FileOperations.statusIfThere(source, following: false)?.kind == .folder else {
      throw ShardMistake(source, "\(quoted(source)) is missing; build the part again")
    }
    try FileOperations.makeFolder(staged)
    try FileOperations.publish(folder: staged)
    var folders: [(path: String, modified: Int64)] = []
    var walk = FolderWalk(try Folder(source, followingLinks: false))
    while let entry = try walk.next() {
      guard let name = String(validating: entry.path, as: UTF8.self) else {
        throw ShardMistake(source, "\(quoted(source)) has a name that is no UTF-8")
      }
      let (path, target) = ("\(source)/\(name)", "\(staged)/\(name)")
      if entry.status.kind == .folder {
        try FileOperations.makeFolder(target)
        try FileOperations.publish(folder: target)
        folders.append((target, entry.status.modified))
      } else {
        try takeFile(path, to: target)
      }
    }
    // After their files, which change the times of folders.
    for folder in folders.reversed() { try FileOperations.setTime(of: folder.path, to: folder.modified) }
  }
}
