import Archiving
import Formats
import Model
import Pipeline
import System

/// The patches of the previous build, and the pairs for which no patch was useful.
///
/// With this record, the next build does not have to make these patches again.
struct PatchRecord: Sendable {
  /// A pack's new contents, and the earlier release from which a patch of the pack starts.
  struct Pair: Sendable, Hashable {
    let from: Digest
    let pack: String
    let contents: Digest
  }

  private let maker: String
  /// The patch of each pair; nil if the patch would not be smaller than the pack.
  private(set) var patches: [Pair: PublishedFile?] = [:]
  /// The pairs whose patches this build cannot make, because files are pointers.
  ///
  /// They are not written, so the next build tries again.
  private var unavailable: Set<Pair> = []

  private static let maxSize = 256 << 20

  /// Creates an empty record of patches; `maker` contains the versions and settings on which the patches'
  /// bytes depend.
  init(_ maker: String) { self.maker = maker }

  /// Reads the record in a folder, without patches whose files no longer exist.
  ///
  /// The record is empty if its `maker` is different.
  init(in output: OutputFolder, maker: String) throws(SystemError) {
    self.init(maker)
    let path = Self.path(in: output)
    guard let value = try JSONValue(outputPath: path, limit: Self.maxSize),
      value.member("maker")?.string == maker
    else {
      return
    }
    for entry in value.member("patches")?.elements.map(Array.init) ?? [] {
      guard let from = entry.member("from")?.digest, let pack = entry.member("pack")?.string,
        let contents = entry.member("contents")?.digest
      else { continue }
      let pair = Pair(from: from, pack: pack, contents: contents)
      guard let path = entry.member("path")?.string else {
        patches[pair] = .some(nil)
        continue
      }
      guard let size = entry.member("size")?.wholeNumber, let digest = entry.member("digest")?.digest,
        path == PublishedNames.patchPath(ofPack: pack, fromIndex: from, patchDigest: digest)
      else { continue }
      let file = PublishedFile(path: path, file: WrittenFile(size: size, digest: digest))
      if output.isSame(file) { patches[pair] = file }
    }
  }

  mutating func add(_ pair: Pair, patch: PublishedFile?) { patches[pair] = .some(patch) }

  mutating func addUnavailable(_ pair: Pair) { unavailable.insert(pair) }

  /// Returns the patches of some packs from an earlier release; nil if one of the patches is not known.
  func patches(of packs: [(id: String, contents: Digest)], from baseline: PatchBaseline) -> [PatchSet.Pack]? {
    var found: [PatchSet.Pack] = []
    for pack in packs where !baseline.hasPack(pack.contents) {
      let pair = Pair(from: baseline.digest, pack: pack.id, contents: pack.contents)
      if unavailable.contains(pair) { continue }
      guard let patch = patches[pair] else { return nil }
      if let patch { found.append(.init(id: pack.id, digest: pack.contents, patch: patch)) }
    }
    return found
  }

  func write(to output: OutputFolder) throws(SystemError) {
    let sorted = patches.sorted { ($0.key.from.hex, $0.key.pack) < ($1.key.from.hex, $1.key.pack) }
    let entries = sorted.map { pair, patch in
      var members: [String: JSONText] = [
        "from": .string(pair.from.prefixed), "pack": .string(pair.pack),
        "contents": .string(pair.contents.prefixed),
      ]
      if let patch {
        members["path"] = .string(patch.path)
        members["size"] = .integer(patch.file.size)
        members["digest"] = .string(patch.file.digest.prefixed)
      }
      return JSONText.object(members)
    }
    let text = JSONText.object(["maker": .string(maker), "patches": .array(entries)])
    try FileOperations.replaceContents(of: Self.path(in: output), with: text.bytes())
  }

  private static func path(in output: OutputFolder) -> String { joined(output.recordFolder, "patches") }
}

extension PatchSet {
  /// Creates a set of patches, and the list that is published with the patches.
  init(from old: Digest, packs: [Pack]) {
    let bytes = Self.bytes(fromIndex: old, packs: packs)
    let digest = bytes.withBytes { SHA256.digest(of: $0) }
    let path = PublishedNames.patchListPath(fromIndex: old, listDigest: digest)
    let list = PublishedFile(path: path, file: WrittenFile(size: Int64(bytes.count), digest: digest))
    self.init(fromIndex: old, list: list, packs: packs)
  }
}

/// The patches in the staging folder, and the patches that the output folder already has.
struct StagedPatches: Sendable {
  /// One set for each earlier release, in byte order of the releases' digests.
  var sets: [PatchSet] = []
  /// Staged files, with the paths at which they are published.
  var staged: [(path: String, published: PublishedFile)] = []
  var record: PatchRecord
}
