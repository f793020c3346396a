import Findings
import Formats
import PackKit
import System

/// The packs of another layout with `shard.json` in place of its lists.
struct ShardLayout: PackLayout {
  let base: any PackLayout
  let format: ShardFormat

  let indexName = PublishedNames.part
  var kind: Layout { base.kind }
  var packsFolder: String { base.packsFolder }
  var reservedNames: [String] { base.reservedNames }
  var replacesInPlace: Bool { base.replacesInPlace }
  var keepsTimes: Bool { base.keepsTimes }

  func container(_ chosen: Container) -> Container { base.container(chosen) }
  func compression(_ chosen: Compression) -> Compression { base.compression(chosen) }
  func key(for manifest: Manifest) -> [SettingsKey.Part] { base.key(for: manifest) }
  func info(of pack: AssetPack) -> PackInfo? { base.info(of: pack) }
  func frame(of pack: AssetPack, _ files: [AssetFile]) -> HostedFrame? { base.frame(of: pack, files) }

  func fileName(of pack: AssetPack, digest: String, in container: Container) -> String {
    base.fileName(of: pack, digest: digest, in: container)
  }

  func mayBePack(_ name: String) -> Bool { base.mayBePack(name) }
  func mayBeFolder(_ name: String) -> Bool { base.mayBeFolder(name) }

  func stands(in folder: OutputFolder) throws(SystemError) -> Bool { try folder.exists(folder.indexPath) }

  func foreignFile(in folder: OutputFolder) throws(SystemError) -> String? { nil }

  func publishedPaths(in folder: OutputFolder) throws(SystemError) -> [String] {
    folder.recordedPacks.map(\.archive.path)
  }

  func publish(_ build: UnpublishedBuild) throws -> Publication {
    var renames: [PendingRename] = []
    let (packs, written) = try build.stagedPacks { renames.append($0) }
    let record = try build.draftRecord()
    let staged = joined(build.output.stagingPath, PublishedNames.part)
    var file = try OutputFile(creating: staged)
    try format.write(build, packs, to: &file)
    let list = try file.finish(isPublished: true)
    try FileOperations.sync(staged)
    let rename = try build.output.pending(staged, as: PublishedNames.part, list, isFolder: false)
    try OutputFolder.perform(renames + (rename.map { [$0] } ?? []))
    return Publication(
      release: Release(of: build.plan, packs: packs), packs: packs,
      changes: OutputChanges(written: written, isListWritten: rename != nil),
      list: PublishedFile(path: PublishedNames.part, file: list), record: record)
  }

  func isPublished(
    _ release: Release, _ plan: PackPlan, _ settings: PackSettings, in folder: OutputFolder
  ) throws(SystemError) -> Bool {
    // The digest of the file, which the record has, shows that the packs behind its head are these.
    let head = format.head.array()
    return try InputFile(folder.indexPath).bytes(head.count, at: 0) == head
  }
}
