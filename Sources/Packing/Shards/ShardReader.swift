import Findings
import Formats
import PackKit
import System

/// A part of a build as its `shard.json` describes it.
struct ShardContents: Sendable {
  let folder: String
  let shard: Shard
  let plan: Digest
  /// The settings and versions by which its packs were made.
  let key: SettingsKey
  let settings: PackSettings
  let release: ReleaseHead
  let packs: [Pack]

  /// The head that all packs of a release share.
  struct ReleaseHead: Sendable, Hashable {
    let bundleIdentifier: String
    let profile: String
    let initialInstallTags: [String]
    let prefetchTagOrder: [String]
    let untagged: FileCount
    let taggedPaths: [TaggedPath]
  }

  /// A path with the tags of its rule.
  struct TaggedPath: Sendable, Hashable {
    let path: RelativePath
    let tags: [String]
  }

  /// A pack of the part.
  struct Pack: Sendable {
    let identifier: String
    let tags: [String]
    let published: PublishedPack
    /// The newest time of its files, in nanoseconds since 1970.
    let modified: Int64
    let files: [File]
  }

  /// A file of a pack.
  struct File: Sendable {
    let path: String
    /// The path below the root, if it is another.
    let source: String?
    let size: Int64
    let digest: Digest
  }
}

/// Why a folder is no usable part of a build.
struct ShardMistake: Error {
  let diagnostic: Diagnostic

  init(_ path: String, _ message: String) {
    diagnostic = Diagnostic(.unusableShard, message, at: Place(path))
  }
}

extension ShardContents {
  /// Reads the part in a folder, whose `shard.json` may be damaged or hostile.
  init(in folder: String) throws {
    let folder = trimmed(folder)
    let path = joined(folder, PublishedNames.part)
    let bytes: [UInt8]
    switch try FileContents(of: path, limit: ShardFormat.longest) {
    case .bytes(let read): bytes = read
    case .tooLong:
      throw ShardMistake(path, "\(quoted(path)) exceeds \(ByteSize.text(Int64(ShardFormat.longest)))")
    case .missing, .noFile:
      throw ShardMistake(
        path, "\(quoted(path)) does not exist; name folders that \"packtool build --shard\" has written")
    }
    let reading = JSONReader.read(SourceText(path: path, bytes: bytes))
    guard let value = reading.value, reading.diagnostics.isEmpty, let contents = Self(value, in: folder)
    else {
      throw ShardMistake(path, "\(quoted(path)) is damaged; build the part again")
    }
    self = contents
  }

  private init?(_ value: JSONValue, in folder: String) {
    guard value.member("formatVersion")?.wholeNumber == Int64(ShardFormat.version),
      let number = value.member("shard")?.wholeNumber, let count = value.member("shards")?.wholeNumber,
      let shard = Shard(Int(clamping: number), of: Int(clamping: count)),
      let plan = value.member("plan")?.digest, let key = value.member("settings").flatMap(SettingsKey.init),
      let settings = value.member("build").flatMap(PackSettings.init),
      let release = value.member("release").flatMap(ReleaseHead.init),
      let packs = value.member("packs")?.elements?.all(Pack.init)
    else { return nil }
    self.init(
      folder: folder, shard: shard, plan: plan, key: key, settings: settings, release: release, packs: packs)
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
    guard let layout = value.choice("layout", Layout.self), layout.reasonAgainstParts == nil,
      let container = value.choice("container", Container.self),
      let compression = value.choice("compression", Compression.self),
      let hash = value.choice("contentHash", ContentHash.self),
      let entryTime = value.member("entryTime")?.wholeNumber
    else { return nil }
    let prefix = value.member("urlPrefix")?.string
    let location: PackLocation =
      prefix.map { .prefix($0) } ?? (value.member("embedsPacks") == nil ? .buildFolder : .app)
    var xcode = XcodeSettings(
      location: location, contentHash: hash, sourceDate: value.member("sourceDate")?.wholeNumber)
    xcode.hasOwnManifest = value.member("hasOwnManifest") != nil
    self.init(
      container: container, compression: compression, modified: entryTime, layout: layout, xcode: xcode)
  }
}

extension ShardContents.ReleaseHead {
  fileprivate init?(_ value: JSONValue) {
    guard let identifier = value.member("bundleIdentifier")?.string,
      let profile = value.member("limits")?.string,
      let initial = value.member("initialInstallTags")?.strings,
      let prefetch = value.member("prefetchTagOrder")?.strings,
      let fileCount = value.member("untagged")?.member("fileCount")?.size,
      let size = value.member("untagged")?.member("size")?.size,
      let taggedPaths = value.member("taggedPaths")?.elements?.all(ShardContents.TaggedPath.init)
    else { return nil }
    var untagged = FileCount()
    untagged.files = Int(fileCount)
    untagged.size = size
    self.init(
      bundleIdentifier: identifier, profile: profile, initialInstallTags: initial, prefetchTagOrder: prefetch,
      untagged: untagged, taggedPaths: taggedPaths)
  }
}

extension ShardContents.TaggedPath {
  fileprivate init?(_ value: JSONValue) {
    guard let path = value.member("path")?.string, let path = try? RelativePath(path),
      let tags = value.member("tags")?.strings
    else { return nil }
    self.init(path: path, tags: tags)
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
  /// A number of bytes or files, at most the largest that an index can state.
  fileprivate var size: Int64? { wholeNumber.flatMap { $0 <= ByteSize.largestExact ? $0 : nil } }

  fileprivate var integer: Int64? { if case .number(let text) = content { Int64(text) } else { nil } }

  fileprivate var strings: [String]? { elements?.all(\.string) }

  /// A path that stays in its folder.
  fileprivate var path: String? {
    guard let string, !string.utf8.contains(0) else { return nil }
    let components = string.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let isSafe = components.allSatisfy {
      !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8)
    }
    return isSafe ? string : nil
  }

  fileprivate func choice<Choice: RawRepresentable<String>>(_ key: String, _: Choice.Type) -> Choice? {
    member(key)?.string.flatMap(Choice.init)
  }
}

extension JSONElements {
  /// All elements as `read` understands them; nil if it does not understand one.
  fileprivate func all<Value>(_ read: (JSONValue) -> Value?) -> [Value]? {
    var values: [Value] = []
    for element in self {
      guard let value = read(element) else { return nil }
      values.append(value)
    }
    return values
  }
}
