import Findings
import Formats
import PackKit
import System

/// The plan and settings of all parts of a build, which belong together.
struct MergedParts: Sendable {
  let plan: PackPlan
  let settings: PackSettings
  /// The part and the description of each pack, in the plan's order.
  let packs: [(folder: String, pack: ShardContents.Pack)]

  /// - Throws: ShardMistake if parts are of different builds, or missing.
  init(_ shards: [ShardContents]) throws {
    guard let first = shards.first else { throw ShardMistake(".", "there is no part to merge") }
    try Self.expectSameBuild(shards)
    try Self.expectAllParts(shards)
    let all = shards.flatMap { shard in shard.packs.map { (folder: shard.folder, pack: $0) } }
    guard let profile = LimitProfile.named(first.release.profile) else {
      throw ShardMistake(
        first.folder, "\(quoted(first.folder)) names the unknown limits \(quoted(first.release.profile))")
    }
    let manifest = Self.manifest(of: first, profile)
    plan = PackPlan(grouping: Self.tree(of: all.map(\.pack), untagged: first.release.untagged), of: manifest)
    settings = first.settings
    let found = Dictionary(all.map { ($0.pack.identifier, $0) }) { first, _ in first }
    packs = plan.packs.compactMap { found[$0.identity.identifier] }
    guard plan.digest == first.plan, packs.count == plan.packs.count, all.count == plan.packs.count else {
      throw ShardMistake(
        first.folder, "the parts do not add up to the plan that they were made from; build them again")
    }
    let changes = settings.key(for: manifest).changes(since: first.key)
    if !changes.isEmpty {
      throw ShardMistake(
        first.folder,
        "the parts were made by other settings or versions: \(changes.map(\.words).joined(separator: "; "))")
    }
  }

  private static func expectSameBuild(_ shards: [ShardContents]) throws {
    let first = shards[0]
    for shard in shards.dropFirst() {
      let pair = "\(quoted(first.folder)) and \(quoted(shard.folder))"
      let changes = shard.key.changes(since: first.key)
      if !changes.isEmpty {
        throw ShardMistake(
          shard.folder,
          "\(pair) were made by different settings: \(changes.map(\.words).joined(separator: "; "))")
      }
      guard shard.plan == first.plan, shard.release == first.release,
        shard.settings.isSame(as: first.settings)
      else {
        throw ShardMistake(
          shard.folder,
          "\(pair) were made from different plans; build all parts from the same manifest and files")
      }
      if shard.shard.count != first.shard.count {
        throw ShardMistake(
          shard.folder,
          "\(quoted(first.folder)) is one of \(first.shard.count) parts and \(quoted(shard.folder)) one of \(shard.shard.count)"
        )
      }
    }
  }

  private static func expectAllParts(_ shards: [ShardContents]) throws {
    var folders: [Int: String] = [:]
    for shard in shards {
      if let other = folders.updateValue(shard.folder, forKey: shard.shard.number) {
        throw ShardMistake(
          shard.folder,
          "\(quoted(other)) and \(quoted(shard.folder)) are both part \(shard.shard.number) of \(shard.shard.count)"
        )
      }
    }
    let count = shards[0].shard.count
    let missing = (1...count).filter { folders[$0] == nil }
    if missing.isEmpty { return }
    let names = missing.prefix(10).map { "\($0)/\(count)" }.joined(separator: ", ")
    let more = missing.count > 10 ? " and \(missing.count - 10) more" : ""
    throw ShardMistake(
      shards[0].folder,
      "\(missing.count == 1 ? "part" : "parts") \(names)\(more) \(missing.count == 1 ? "is" : "are") missing")
  }

  private static func manifest(of shard: ShardContents, _ profile: LimitProfile) -> Manifest {
    let path = joined(shard.folder, PublishedNames.part)
    var manifest = Manifest(text: SourceText(path: path, bytes: []), folder: shard.folder)
    manifest.bundleIdentifier = shard.release.bundleIdentifier
    manifest.initialInstallTags = shard.release.initialInstallTags.map { Located($0, at: 0) }
    manifest.prefetchTagOrder = shard.release.prefetchTagOrder.map { Located($0, at: 0) }
    manifest.limits = LimitSettings(profile: profile)
    manifest.rules = shard.release.taggedPaths.map { tagged in
      ResourceRule(
        pattern: .path(tagged.path), text: Located(tagged.path.text, at: 0),
        tags: tagged.tags.map { Located($0, at: 0) })
    }
    return manifest
  }

  /// The files of all packs in the order of a scan.
  private static func tree(of packs: [ShardContents.Pack], untagged: FileCount) -> AssetTree {
    var tagSets = TagSets(of: packs.flatMap(\.tags))
    var files: [AssetFile] = []
    for pack in packs {
      let set = tagSets.id(of: pack.tags)
      // No file has this stamp, so the next build compares contents.
      let stamp = FileStamp(
        modified: pack.modified, changed: 0, identity: FileIdentity(device: 0, inode: 0))
      for file in pack.files {
        files.append(
          AssetFile(
            path: file.source ?? file.path, size: file.size, stamp: stamp, tagSet: set,
            destination: file.source == nil ? nil : file.path))
      }
    }
    var tree = AssetTree(files: FileList(files.sorted { $0.path.precedesInBytes($1.path) }), tagSets: tagSets)
    tree.untagged = untagged
    return tree
  }
}
