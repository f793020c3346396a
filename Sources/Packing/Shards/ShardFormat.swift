import Findings
import Formats
import PackKit
import System

/// Models `shard.json`, which describes a part of a build for `merge`: the whole plan in short, then the part's packs
/// with all their files.
struct ShardFormat: Sendable {
  static let version = 1
  static let longest = 1 << 30

  let shard: Shard
  let whole: PackPlan
  let settings: PackSettings

  /// The members before the packs: all that another build of the same packs may change.
  var head: ByteBuffer {
    let members: [(String, JSONText)] = [
      ("formatVersion", .integer(Self.version)),
      ("shard", .integer(shard.number)),
      ("shards", .integer(shard.count)),
      ("plan", .string(whole.digest.prefixed)),
      ("settings", .ordered(settings.key(for: whole.manifest).parts.map { ($0.name, .string($0.value)) })),
      ("build", .object(build)),
      ("release", .object(release)),
    ]
    var text = JSONText.ordered(members).bytes()
    text.truncate(to: text.count - "\n}\n".utf8.count)
    text.append(",\n  \"packs\": [")
    return text
  }

  private var build: [String: JSONText] {
    var members: [String: JSONText] = [
      "layout": .string(settings.layout.kind.rawValue), "container": .string(settings.container.rawValue),
      "compression": .string(settings.compression.rawValue), "entryTime": .integer(settings.modified),
      "contentHash": .string(settings.xcode.contentHash.rawValue),
    ]
    if settings.xcode.hasOwnManifest { members["hasOwnManifest"] = .bool(true) }
    members["sourceDate"] = settings.xcode.sourceDate.map(JSONText.integer)
    switch settings.xcode.location {
    case .prefix(let prefix): members["urlPrefix"] = .string(prefix)
    case .app: members["embedsPacks"] = .bool(true)
    case .buildFolder: break
    }
    return members
  }

  private var release: [String: JSONText] {
    let manifest = whole.manifest
    return [
      "taggedPaths": .array(taggedPaths),
      "bundleIdentifier": .string(manifest.bundleIdentifier),
      "limits": .string(manifest.limits.profile.name),
      "initialInstallTags": .strings(manifest.initialInstallTags.map(\.value)),
      "prefetchTagOrder": .strings(manifest.prefetchTagOrder.map(\.value)),
      "untagged": .object([
        "fileCount": .integer(whole.tree.untagged.files), "size": .integer(whole.tree.untagged.size),
      ]),
    ]
  }

  /// The rules that tag a folder as a whole, which only the lists of the layout `xcode` tell from its files.
  private var taggedPaths: [JSONText] {
    if settings.layout.kind != .xcode { return [] }
    return whole.manifest.rules.compactMap { rule in
      guard case .path(let path) = rule.pattern else { return nil }
      return .object(["path": .string(path.text), "tags": .strings(rule.tags.map(\.value))])
    }
  }

  /// Writes the packs of the part, which a build has made, line by line.
  func write(_ build: UnpublishedBuild, _ packs: [PublishedPack], to file: inout OutputFile)
    throws(SystemError)
  {
    try file.write(head)
    var lines = ByteBuffer()
    for (number, pack) in build.plan.packs.enumerated() {
      lines.append(number == 0 ? "\n" : ",\n")
      append(pack, packs[number], build, to: &lines)
      for (place, packed) in build.packs[number].files.enumerated() {
        append(build.plan.tree.files[pack.files[place]], packed, isFirst: place == 0, to: &lines)
        if lines.count > 1 << 16 {
          try file.write(lines)
          lines.clear()
        }
      }
      lines.append("\n    ]}")
    }
    lines.append(build.plan.packs.isEmpty ? "]\n}\n" : "\n  ]\n}\n")
    try file.write(lines)
  }

  private func append(
    _ pack: AssetPack, _ published: PublishedPack, _ build: UnpublishedBuild, to lines: inout ByteBuffer
  ) {
    let newest = settings.newestTime(of: pack.files.map { build.plan.tree.files[$0] })
    lines.append("    {\"id\": ")
    lines.append(json: pack.identity.identifier)
    lines.append(", \"tags\": [")
    for (place, tag) in pack.tags.enumerated() {
      if place > 0 { lines.append(", ") }
      lines.append(json: tag)
    }
    lines.append("], \"path\": ")
    lines.append(json: published.archive.path)
    lines.append(", \"size\": \(published.archive.file.size), ")
    lines.append("\"digest\": \"\(published.archive.file.digest.prefixed)\"")
    lines.append(", \"contents\": \"\(published.digest.prefixed)\", \"modified\": \(newest), \"files\": [")
  }

  private func append(_ file: AssetFile, _ packed: PackedFile, isFirst: Bool, to lines: inout ByteBuffer) {
    lines.append(isFirst ? "\n      {\"path\": " : ",\n      {\"path\": ")
    lines.append(json: file.packPath)
    if file.destination != nil {
      lines.append(", \"source\": ")
      lines.append(json: file.path)
    }
    lines.append(", \"size\": \(file.size), \"digest\": \"sha256:")
    lines.append(hexOf: packed.digest)
    lines.append("\"}")
  }
}
