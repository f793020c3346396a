import Formats
import Model
import Pipeline
import System

/// The packs that a shard contains.
package enum ShardKind: Sendable, Hashable {
  /// Some packs of a plan that every shard of the build is made from.
  case part(Shard)
  /// All packs of a manifest that describes only some packs of the release.
  case manifest
}

/// One of several shards of a plan; the shards of a build can be made on different machines.
package struct Shard: Sendable, Hashable {
  /// The number of the shard, from 1.
  package let number: Int
  /// The number of shards.
  package let count: Int

  /// The maximum number of shards of a build.
  package static let maxShards = 10_000

  /// Creates a shard; nil unless 1 ≤ number ≤ count.
  package init?(_ number: Int, of count: Int) {
    guard (1...Self.maxShards).contains(count), (1...count).contains(number) else { return nil }
    self.number = number
    self.count = count
  }

  /// Returns the indices of this shard's packs in a plan, in ascending order.
  ///
  /// Packs are assigned to shards one by one, the largest pack first. Each pack goes to the shard with the
  /// fewest bytes so far. If several shards have the fewest bytes, the shard with the lowest number gets the
  /// pack. Packs of equal size are sorted by identifier.
  func packs(of plan: PackPlan) -> [Int] {
    var sizes = Array(repeating: Int64(0), count: count)
    var mine: [Int] = []
    // A smaller index means a smaller identifier, because the packs of a plan are sorted by identifier.
    for pack in plan.packs.indices.sorted(by: { (-plan.packs[$0].size, $0) < (-plan.packs[$1].size, $1) }) {
      guard let part = sizes.indices.min(by: { (sizes[$0], $0) < (sizes[$1], $1) }) else { break }
      sizes[part] = sizes[part].saturatingSum(with: plan.packs[pack].size)
      if part == number - 1 { mine.append(pack) }
    }
    return mine.sorted()
  }
}

extension PackPlan {
  /// The digest of everything that must be equal in all shards of a build.
  ///
  /// It covers the index without archives, and the paths and sizes of all files.
  var digest: Digest {
    var digest = SHA256()
    IndexFormat.bytes(of: Release(of: self)).withBytes { digest.update($0) }
    var lines = ByteBuffer()
    for pack in packs {
      for number in pack.files {
        lines.append("\(tree.files[number].size) ")
        lines.append(json: tree.files[number].packPath)
        lines.append(UInt8(ascii: "\n"))
      }
      lines.withBytes { digest.update($0) }
      lines.clear()
    }
    return digest.finish()
  }
}

extension ShardKind {
  /// Returns the target of a build that makes only this shard.
  func target(from whole: BuildTarget) -> BuildTarget {
    let files = LayoutFiles(whole.settings.layout, scope: .shard)
    let plan =
      switch self {
      case .part(let shard): whole.plan.part(shard.packs(of: whole.plan))
      case .manifest: whole.plan
      }
    return BuildTarget(
      plan: plan, settings: whole.settings,
      output: OutputFolder(whole.output.path, files: files))
  }

  /// Returns the layout that publishes this shard of a build.
  func layout(for whole: BuildTarget) -> any PackLayout {
    ShardLayout(format: ShardFormat(shard: self, whole: whole.plan, settings: whole.settings))
  }
}

/// A layout that publishes packs as another layout does, but with `shard.json` instead of that layout's
/// lists.
struct ShardLayout: PackLayout {
  let format: ShardFormat

  var files: LayoutFiles { LayoutFiles(format.settings.layout, scope: .shard) }

  func adjusted(_ plan: PackPlan) -> PackPlan { plan }

  func findings(about plan: PackPlan) -> [Diagnostic] { [] }

  func publish(_ build: StagedPacks) throws -> PublishResult {
    let packs = try build.packRenames()
    let record = try build.draftRecord()
    let staged = joined(build.output.stagingPath, PublishedNames.shardFile)
    var file = try OutputFile(creating: staged)
    try format.write(build, packs: packs.packs, to: &file)
    let list = try file.finish(readableBy: .everyone)
    try FileOperations.sync(staged)
    let rename = try build.output.pendingRename(
      from: staged, to: PublishedNames.shardFile, written: list, kind: .file)
    try build.output.performWithSync(packs.renames + (rename.map { [$0] } ?? []))
    return PublishResult(
      release: Release(of: build.plan, packs: packs.packs), packs: packs.packs,
      changes: OutputChanges(written: packs.written, isListWritten: rename != nil),
      list: PublishedFile(path: PublishedNames.shardFile, file: list), record: record)
  }

  func isPublished(
    _ release: Release, of plan: PackPlan, in folder: OutputFolder
  ) throws(SystemError) -> Bool {
    // Only the head of the file is compared. The packs after the head are unchanged, because the build cache
    // contains the digest of the whole file.
    let head = format.head.array()
    return try InputFile(outputPath: folder.indexPath).bytes(count: head.count, at: 0) == head
  }
}
