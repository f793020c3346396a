import Archiving
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
    let digests = digests(of: files, in: described)
    let archive = parts.settings.container == .folder ? nil : described.published.archive.file
    func written(_ sizes: [Int64]?) -> WrittenPack {
      let packed = digests.enumerated().map { PackedFile(digest: $1, packedSize: sizes?[$0]) }
      return WrittenPack(files, packed, archive: archive, stagedPath: staged)
    }
    let expected = written(nil)
    // The path is made anew: what a part says about itself leads nowhere else.
    let path = output.layout.path(of: pack, expected.archive, in: parts.settings.container)
    let source = joined(folder, path)
    if archive == nil { try takeFolder(source, to: staged) } else { try takeFile(source, to: staged) }
    let published = PublishedPack(
      digest: expected.digest, archive: PublishedFile(path: staged, file: expected.archive))
    guard expected.digest == described.published.digest,
      try OutputFolder(".", layout: output.layout).isSame(published, info: output.layout.info(of: pack))
    else {
      throw ShardMistake(
        folder, "\(quoted(source)) is not the pack that \(quoted(folder)) describes; build the part again")
    }
    return written(try packedSizes(of: files, at: staged))
  }

  /// The digests of a pack's files in the plan's order.
  private func digests(of files: [AssetFile], in pack: ShardContents.Pack) -> [Digest] {
    let digests = Dictionary(pack.files.map { (ByteKey($0.path), $0.digest) }) { first, _ in first }
    return files.map { digests[ByteKey($0.packPath)] ?? .zero }
  }

  /// The sizes inside a zip that a list of files will state; nil where there is no such list.
  private func packedSizes(of files: [AssetFile], at path: String) throws -> [Int64]? {
    guard parts.settings.container == .zip, parts.settings.layout.kind == .packtool else { return nil }
    do {
      var layout = ZipLayout(try InputFile(path))
      return try layout.check(count: files.count) { (Array(files[$0].packPath.utf8)[...], files[$0].size) }
    } catch let mistake as ZipLayout.Mistake {
      if let cause = mistake.cause { throw cause }
      throw ShardMistake(path, "\(quoted(path)) is damaged: \(mistake.reason); build the part again")
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
