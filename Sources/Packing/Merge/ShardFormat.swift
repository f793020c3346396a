import Formats
import Model
import Pipeline
import System

/// The format of `shard.json`.
///
/// This file describes a shard of a build for `merge`. The file contains a summary of the whole plan, and
/// then the shard's packs with all their files. A shard of a manifest that describes only some packs has no
/// summary, because nothing is known about the other packs.
struct ShardFormat: Sendable {
  static let version = 1
  static let maxSize = 1 << 30

  let shard: ShardKind
  let whole: PackPlan
  let settings: PackSettings

  /// The members before the packs.
  ///
  /// These members contain everything that can differ between two builds of the same packs.
  var head: ByteBuffer {
    var summary: [(String, JSONText)] = []
    if case .part(let part) = shard {
      summary = [
        ("shard", .integer(part.number)), ("shards", .integer(part.count)),
        ("plan", .string(whole.digest.prefixed)),
      ]
    }
    let members: [(String, JSONText)] =
      [("formatVersion", .integer(Self.version))] + summary + [
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
      "layout": .string(settings.layout.rawValue), "container": .string(settings.container.rawValue),
      "compression": .string(settings.compression.rawValue), "entryTime": .integer(settings.modified),
      "contentHash": .string(settings.xcode.contentHash.rawValue),
    ]
    if settings.xcode.hasOwnManifest { members["hasOwnManifest"] = .bool(true) }
    members["sourceDate"] = settings.xcode.sourceDate.map(JSONText.integer)
    switch settings.xcode.location {
    case .prefix(let prefix): members["urlPrefix"] = .string(prefix.text)
    case .app: members["embedsPacks"] = .bool(true)
    case .buildFolder, .anyFolder: break
    }
    return members
  }

  private var release: [String: JSONText] {
    let manifest = whole.manifest
    if shard == .manifest { return ["bundleIdentifier": .string(manifest.bundleIdentifier)] }
    var members: [String: JSONText] = [
      "taggedPaths": .array(taggedPaths),
      "bundleIdentifier": .string(manifest.bundleIdentifier),
      "limits": .string(manifest.limits.profile.name),
      "initialInstallTags": .strings(manifest.initialInstallTags.map(\.value)),
      "prefetchTagOrder": .strings(manifest.prefetchTagOrder.map(\.value)),
      "untagged": .object([
        "fileCount": .integer(whole.tree.untagged.files), "size": .integer(whole.tree.untagged.size),
      ]),
    ]
    members["ownLimits"] = IndexFormat.ownLimits(manifest.limits.overrides)
    return members
  }

  /// The paths of the rules that tag a whole folder.
  ///
  /// Only the lists of the `xcode` layout distinguish such a folder from its files.
  private var taggedPaths: [JSONText] {
    if settings.layout != .xcode { return [] }
    return whole.manifest.rules.compactMap { rule in
      guard case .path(let path) = rule.pattern, rule.appliesToAllMatches else { return nil }
      return .object(["path": .string(path.text), "tags": .strings(rule.tags.map(\.value))])
    }
  }

  /// Writes the packs of a shard that a build has made, line by line.
  func write(_ build: StagedPacks, packs: [PublishedPack], to file: inout OutputFile)
    throws(SystemError)
  {
    try file.write(head)
    var lines = ByteBuffer()
    for (number, pack) in build.plan.packs.enumerated() {
      lines.append(number == 0 ? "\n" : ",\n")
      append(pack, published: packs[number], build: build, to: &lines)
      for (place, packed) in build.packs[number].files.enumerated() {
        append(build.plan.tree.files[pack.files[place]], packed: packed, at: place, to: &lines)
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
    _ pack: AssetPack, published: PublishedPack, build: StagedPacks, to lines: inout ByteBuffer
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

  private func append(_ file: AssetFile, packed: PackedFile, at place: Int, to lines: inout ByteBuffer) {
    lines.append(place == 0 ? "\n      {\"path\": " : ",\n      {\"path\": ")
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

/// The description of a shard of a build, read from its `shard.json`.
struct ShardContents: Sendable {
  let folder: String
  let shard: ShardKind
  /// The digest of the whole plan; nil if the shard is not a part of a plan.
  let plan: Digest?
  /// The settings and versions with which the shard's packs were made.
  let key: SettingsKey
  let settings: PackSettings
  /// The data that must be equal in all shards: settings, tags and their order, and limits.
  let shared: [UInt8]
  /// A manifest with the data of the whole build, without the limit profile.
  let manifest: Manifest
  /// The name of the limit profile.
  let limits: String
  let untagged: FileCount
  let packs: [Pack]

  /// A pack that is in the shard.
  struct Pack: Sendable {
    let identifier: String
    let tags: [String]
    let published: PublishedPack
    /// The newest modification time of the pack's files, in nanoseconds since 1970.
    let modified: Int64
    let files: [File]
  }

  /// A file of a pack.
  struct File: Sendable {
    let path: String
    /// The path relative to the root, if it differs from the path in the pack; otherwise nil.
    let source: String?
    let size: Int64
    let digest: Digest
  }
}

extension Refusal {
  /// Creates a refusal for a folder that is not a usable shard of a build.
  init(shard path: String, message: String) { self.init(.unusableShard, message: message, at: path) }
}

extension ShardContents {
  /// Reads the shard in a folder.
  ///
  /// The file `shard.json` of the shard can be damaged or malicious.
  init(in folder: String) throws {
    let folder = trimmed(folder)
    let path = joined(folder, PublishedNames.shardFile)
    let bytes: [UInt8]
    switch try FileContents(of: path, limit: ShardFormat.maxSize) {
    case .bytes(let read): bytes = read
    case .tooLong:
      throw Refusal(
        shard: path, message: "\(quoted(path)) is larger than \(ByteSize.text(Int64(ShardFormat.maxSize)))")
    case .missing where try FileOperations.exists(joined(folder, PublishedNames.index)):
      throw Refusal(
        shard: path,
        message:
          "\(quoted(folder)) is a complete build, which needs no merge; pass folders that \"packtool build --shard\" "
          + "wrote")
    case .missing, .noFile:
      throw Refusal(
        shard: path,
        message: "\(quoted(path)) does not exist; pass folders that \"packtool build --shard\" wrote")
    }
    let reading = JSONReader.read(SourceText(path: path, bytes: bytes))
    guard let value = reading.value, reading.diagnostics.isEmpty, let contents = Self(value, in: folder)
    else {
      throw Refusal(shard: path, message: "\(quoted(path)) is damaged; build the shard again")
    }
    self = contents
  }

  private init?(_ value: JSONValue, in folder: String) {
    guard value.member("formatVersion")?.wholeNumber == Int64(ShardFormat.version),
      let (shard, plan) = Self.share(value), let key = value.member("settings").flatMap(SettingsKey.init),
      let settings = value.member("build").flatMap(PackSettings.init),
      let release = value.member("release"), let manifest = Self.manifest(release, of: shard, in: folder),
      let limits = shard == .manifest ? LimitProfile.appStore.name : release.member("limits")?.string,
      let untagged = shard == .manifest ? FileCount() : release.member("untagged").flatMap(Self.count),
      let packs = value.member("packs")?.elements?.all(Pack.init)
    else { return nil }
    let shared = ["build", "release"].flatMap { key in
      value.member(key).map { JSONText.read($0).bytes().array() } ?? []
    }
    self.init(
      folder: folder, shard: shard, plan: plan, key: key, settings: settings, shared: shared,
      manifest: manifest, limits: limits, untagged: untagged, packs: packs)
  }

  /// The kind of the shard, and the digest of its plan; nil if the file has only some of the members.
  private static func share(_ value: JSONValue) -> (ShardKind, Digest?)? {
    let names = ["shard", "shards", "plan"]
    if names.allSatisfy({ value.member($0) == nil }) { return (.manifest, nil) }
    guard let number = value.member("shard")?.wholeNumber, let count = value.member("shards")?.wholeNumber,
      let shard = Shard(Int(clamping: number), of: Int(clamping: count)),
      let plan = value.member("plan")?.digest
    else { return nil }
    return (.part(shard), plan)
  }

  private static func count(_ untagged: JSONValue) -> FileCount? {
    guard let files = untagged.member("fileCount")?.size, let size = untagged.member("size")?.size else {
      return nil
    }
    var count = FileCount()
    (count.files, count.size) = (Int(files), size)
    return count
  }

  private static func manifest(
    _ release: JSONValue, of shard: ShardKind, in folder: String
  ) -> Manifest? {
    guard let identifier = release.member("bundleIdentifier")?.string else { return nil }
    var manifest = Manifest(
      text: SourceText(path: joined(folder, PublishedNames.shardFile), bytes: []), folder: folder)
    manifest.bundleIdentifier = identifier
    if shard == .manifest { return manifest }
    guard
      let initial = release.member("initialInstallTags")?.strings,
      let prefetch = release.member("prefetchTagOrder")?.strings,
      let rules = release.member("taggedPaths")?.elements?.all(rule)
    else { return nil }
    manifest.initialInstallTags = initial.map { Located($0, at: 0) }
    manifest.prefetchTagOrder = prefetch.map { Located($0, at: 0) }
    manifest.rules = rules
    if let limits = release.member("ownLimits") {
      guard let overrides = IndexFormat.ownLimits(of: limits) else { return nil }
      manifest.limits.overrides = overrides
    }
    return manifest
  }

  private static func rule(_ value: JSONValue) -> ResourceRule? {
    guard let path = value.member("path")?.string, let path = try? RelativePath(path),
      let tags = value.member("tags")?.strings
    else { return nil }
    return ResourceRule(
      pattern: .path(path), text: Located(path.text, at: 0), tags: tags.map { Located($0, at: 0) })
  }
}

extension SettingsKey {
  fileprivate init?(_ value: JSONValue) {
    guard case .object(let members) = value.content else { return nil }
    self.init(members.map { .init(name: $0.key, value: $0.value.string ?? "") })
  }
}

extension PackSettings {
  fileprivate init?(_ value: JSONValue) {
    guard let layout = value.choice("layout", as: Layout.self), layout.description.reasonAgainstParts == nil,
      let container = value.choice("container", as: Container.self),
      let compression = value.choice("compression", as: Compression.self),
      let hash = value.choice("contentHash", as: ContentHash.self),
      let entryTime = value.member("entryTime")?.wholeNumber
    else { return nil }
    var location: PackLocation = value.member("embedsPacks") == nil ? .buildFolder : .app
    if let text = value.member("urlPrefix")?.string {
      guard let prefix = try? PackURLPrefix(text) else { return nil }
      location = .prefix(prefix)
    }
    var xcode = XcodeSettings(
      location: location, contentHash: hash, sourceDate: value.member("sourceDate")?.wholeNumber)
    xcode.hasOwnManifest = value.member("hasOwnManifest") != nil
    self.init(
      container: container, compression: compression, entryTime: entryTime, layout: layout, xcode: xcode)
  }
}

extension ShardContents.Pack {
  fileprivate init?(_ value: JSONValue) {
    guard let identifier = value.member("id")?.string, let tags = value.member("tags")?.strings,
      !tags.isEmpty,
      let path = value.member("path")?.string, let size = value.member("size")?.size,
      let digest = value.member("digest")?.digest, let contents = value.member("contents")?.digest,
      let modified = value.member("modified")?.integer,
      let files = value.member("files")?.elements?.all(ShardContents.File.init)
    else { return nil }
    let archive = PublishedFile(path: path, file: WrittenFile(size: size, digest: digest))
    self.init(
      identifier: identifier, tags: tags, published: PublishedPack(digest: contents, archive: archive),
      modified: modified, files: files)
  }
}

extension ShardContents.File {
  fileprivate init?(_ value: JSONValue) {
    let source = value.member("source")
    guard let path = value.member("path")?.path, let size = value.member("size")?.size,
      let digest = value.member("digest")?.digest, size <= AssetFile.largest,
      source == nil || source?.path != nil
    else { return nil }
    self.init(path: path, source: source?.path, size: size, digest: digest)
  }
}

extension JSONValue {
  /// The value as a number of bytes or files; nil if it exceeds the maximum in an index.
  fileprivate var size: Int64? { wholeNumber.flatMap { $0 <= ByteSize.largestExact ? $0 : nil } }

  fileprivate var integer: Int64? { if case .number(let text) = content { Int64(text) } else { nil } }

  fileprivate var strings: [String]? { elements?.all(\.string) }

  /// The value as a path; nil if the path could lead out of its folder.
  fileprivate var path: String? {
    string.flatMap { PublishedPath.isPlain($0) ? $0 : nil }
  }

  fileprivate func choice<Choice: RawRepresentable<String>>(_ key: String, as: Choice.Type) -> Choice? {
    member(key)?.string.flatMap(Choice.init)
  }
}

extension JSONElements {
  /// Reads all elements with `read`; nil if `read` returns nil for one of the elements.
  fileprivate func all<Value>(_ read: (JSONValue) -> Value?) -> [Value]? {
    var values: [Value] = []
    for element in self {
      guard let value = read(element) else { return nil }
      values.append(value)
    }
    return values
  }
}
