import Formats
import Model
import Pipeline
import System

/// The changes of an update from an older to a newer release.
package struct Comparison: Sendable {
  package let old: ReleaseContents
  package let new: ReleaseContents
  /// Every pack that is in the older or the newer release, by identifier.
  package private(set) var packs: [PackChange]
  /// Whether the newer release has patches that start from the older release.
  package let isPatched: Bool
  /// The size in bytes of the index and the list of patches, as a server sends them; nil if the newer release
  /// is not built.
  package let indexDownload: Int64?
  /// The digests of all contents in the older release, each with the index of the first file that has this
  /// content.
  let oldContents: [Digest: Int32]
  private let numbers: [String: Int]

  package init(old: ReleaseContents, new: ReleaseContents) {
    self.old = old
    self.new = new
    let ids = Set(old.packs.map(\.id) + new.packs.map(\.id)).sorted { $0.precedesInBytes($1) }
    let patches = new.release.patches(from: old.release)
    isPatched = patches != nil
    indexDownload = new.indexDownload(from: old)
    packs = ids.map { PackChange($0, old: old, new: new, patch: patches?[$0]) }
    numbers = Dictionary(uniqueKeysWithValues: zip(ids, 0...))
    let isAnyNew = packs.contains { $0.download > 0 || !$0.files.isEmpty }
    let files = old.contents
    oldContents =
      isAnyNew
      ? Dictionary((0..<files.count).lazy.map { (files.digest(at: $0), Int32($0)) }) { $1 } : [:]
    findMoves()
    findSameContents()
  }

  /// Returns the change of the pack with an identifier; nil if neither release has it.
  package func change(ofPack id: String) -> PackChange? { numbers[id].map { packs[$0] } }

  /// Returns the number of packs with a status, and their total size in bytes.
  package func count(_ status: PackChange.Status) -> (packs: Int, size: Int64) {
    let packs = packs.filter { $0.status == status }
    return (packs.count, packs.saturatingSum { $0.size })
  }

  /// Returns the total compressed size in bytes of the packs with a status; nil if any of these packs is not
  /// built.
  package func packedSize(of status: PackChange.Status) -> Int64? {
    packs.reduce(0) { $1.status == status ? $0.saturatingSum(with: $1.packedSize) : $0 }
  }

  /// The location of a changed file in a comparison.
  private struct FileLocation {
    /// The index of the file's pack in `packs`.
    let pack: Int
    /// The index of the file in its pack's `files`.
    let file: Int
  }

  private func locations(of change: PackChange.Change) -> [FileLocation] {
    packs.indices.flatMap { pack in
      packs[pack].files.indices.filter { packs[pack].files[$0].change == change }
        .map { FileLocation(pack: pack, file: $0) }
    }
  }

  /// Finds files that moved from one pack to another because their tag set changed.
  private mutating func findMoves() {
    // Several packs can contain the same path. The first pack that lost the path is matched with the first
    // pack that gained it.
    let removed = locations(of: .removed).sorted { file(at: $0).old ?? 0 < file(at: $1).old ?? 0 }
    var gone = Dictionary(grouping: removed) { old.contents.path(at: Int(file(at: $0).old ?? 0)) }.mapValues {
      $0[...]
    }
    for added in locations(of: .added).sorted(by: { file(at: $0).new ?? 0 < file(at: $1).new ?? 0 }) {
      guard let first = gone[new.contents.path(at: Int(file(at: added).new ?? 0))]?.popFirst() else {
        continue
      }
      packs[first.pack].files[first.file].otherPack = packs[added.pack].new
      packs[added.pack].files[added.file].otherPack = packs[first.pack].old
    }
  }

  private func file(at location: FileLocation) -> PackChange.File {
    packs[location.pack].files[location.file]
  }

  /// Finds files whose content is in the older release at another path.
  ///
  /// If there are several such paths, it prefers one that was removed.
  private mutating func findSameContents() {
    var gone: [Digest: Int32] = [:]
    for removed in locations(of: .removed) where file(at: removed).otherPack == nil {
      if let old = file(at: removed).old { gone[self.old.digest(old)] = old }
    }
    for added in locations(of: .added) where file(at: added).otherPack == nil {
      guard let number = file(at: added).new, new.size(number) > 0 else { continue }
      let digest = new.digest(number)
      guard let match = gone[digest] ?? oldContents[digest],
        old.contents.path(at: Int(match)) != new.contents.path(at: Int(number))
      else { continue }
      packs[added.pack].files[added.file].sameContent = match
    }
  }
}

extension Comparison {
  /// A file that moved to another pack because its tag set changed.
  package struct Move: Sendable {
    /// The index of the file in the newer release.
    package let file: Int32
    /// The index of the file's pack in the older release.
    package let oldPack: Int
    /// The index of the file's pack in the newer release.
    package let newPack: Int
    /// Whether the file's content has also changed.
    package let isChanged: Bool
  }

  /// Every file that moved, in byte order of the paths.
  package var moves: [Move] {
    let moves = packs.flatMap { pack in
      pack.files.compactMap { file -> Move? in
        guard let from = file.otherPack, let number = file.new, let to = pack.new else { return nil }
        let before = ExpectedFiles(ofPack: from, in: old.contents)
        let index = before.index(of: new.contents.path(at: Int(number)), guess: 0)
        return Move(
          file: number, oldPack: from, newPack: to, isChanged: index.map(before.digest) != new.digest(number))
      }
    }
    return moves.sorted { $0.file < $1.file }
  }
}

/// The change of one pack between two releases.
package struct PackChange: Sendable {
  /// How the pack's contents changed; the raw value is its name in JSON.
  package enum Status: String, Sendable, CaseIterable {
    case unchanged
    case changed
    case added
    case removed
  }

  /// The change of one file of a pack.
  package struct File: Sendable {
    package let change: Change
    /// The index of the file in the older release; nil if the file is new.
    package let old: Int32?
    /// The index of the file in the newer release; nil if the file was removed.
    package let new: Int32?
    /// The index of a moved file's pack in the other release; nil if the file did not move.
    ///
    /// If `change` is removed, this is the file's pack in the newer release. If `change` is added, this is
    /// the file's pack in the older release.
    package internal(set) var otherPack: Int?
    /// A file of the older release with the same content at another path; nil if no such file exists.
    package internal(set) var sameContent: Int32?
  }

  /// How a file changed; the raw value is its name in JSON.
  package enum Change: String, Sendable {
    case added
    case removed
    case changed
  }

  package let id: String
  package let tags: [String]
  package let status: Status
  /// The index of the pack in the older release; nil if the pack is new.
  package let old: Int?
  /// The index of the pack in the newer release; nil if the pack was removed.
  package let new: Int?
  /// The size of the pack in bytes in the newer release; for a removed pack, its size in the older release.
  package let size: Int64
  /// The size in bytes in the older release; 0 for a new pack.
  package let oldSize: Int64
  /// The compressed size in bytes in the newer release, or in the older release for a removed pack; nil if
  /// the pack is not built.
  package let packedSize: Int64?
  /// The size in bytes of the patch from the older release's pack; nil if no patch exists.
  package let patchSize: Int64?
  /// The compressed size in the older release; nil if the pack is new, or if it is not built.
  package let oldPackedSize: Int64?
  /// The old and new version of a pack for Background Assets on your server; nil if the pack has no version.
  package let oldVersion, version: Int64?
  /// The files that changed, in byte order of their paths.
  package internal(set) var files: [File]
  /// The total size in bytes of the files that are new or changed within the pack.
  package let fileBytes: Int64
  /// Whether the archive changed although the contents are the same.
  package let isRepacked: Bool

  /// The number of bytes that a device with the older pack downloads, if it does not use patches and thus
  /// downloads the whole changed pack.
  package var download: Int64 { status == .changed || status == .added ? size : 0 }

  /// The compressed size in bytes of that download; nil if the pack is not built.
  package var packedDownload: Int64? {
    download == 0 && status != .changed && status != .added ? 0 : packedSize
  }

  /// The number of bytes that a device downloads if it uses patches; nil if the pack is not built.
  package var patchedDownload: Int64? { packedDownload == 0 ? 0 : patchSize ?? packedDownload }

  package func count(_ change: Change) -> Int { files.count { $0.change == change } }

  /// Compares the two packs that have the given identifier in two releases; at least one release must have
  /// such a pack.
  init(_ id: String, old: ReleaseContents, new: ReleaseContents, patch: PublishedFile?) {
    patchSize = patch?.file.size
    let oldNumber = old.pack(id)
    let newNumber = new.pack(id)
    let oldPack = oldNumber.map { old.packs[$0] }
    let newPack = newNumber.map { new.packs[$0] }
    self.id = id
    self.old = oldNumber
    self.new = newNumber
    tags = newPack?.tags ?? oldPack?.tags ?? []
    let (oldSize, newSize) = (oldNumber.map(old.size(ofPack:)), newNumber.map(new.size(ofPack:)))
    size = newSize ?? oldSize ?? 0
    self.oldSize = oldSize ?? 0
    packedSize = (newPack ?? oldPack)?.packedSize
    oldPackedSize = oldPack?.packedSize
    (oldVersion, version) = (oldPack?.version, newPack?.version)
    let isSame = oldNumber.map(old.digest(ofPack:)) == newNumber.map(new.digest(ofPack:))
    status = oldPack == nil ? .added : newPack == nil ? .removed : isSame ? .unchanged : .changed
    files = isSame ? [] : Self.files(oldPack: oldNumber, newPack: newNumber, oldRelease: old, newRelease: new)
    fileBytes = files.reduce(0) { $0.saturatingSum(with: $1.new.map(new.size) ?? 0) }
    isRepacked =
      isSame && oldPack?.published != nil && newPack?.published != nil
      && oldPack?.published?.archive.file.digest != newPack?.published?.archive.file.digest
  }

  /// Merges the file lists of both packs, which are in byte order of their paths.
  private static func files(
    oldPack: Int?, newPack: Int?, oldRelease: ReleaseContents, newRelease: ReleaseContents
  )
    -> [File]
  {
    var gone = oldPack.map { oldRelease.contents.files(of: $0) } ?? []
    var come = newPack.map { newRelease.contents.files(of: $0) } ?? []
    var files: [File] = []
    while gone.first != nil || come.first != nil {
      let order = order(
        oldFile: gone.first, newFile: come.first, oldRelease: oldRelease, newRelease: newRelease)
      let first = order <= 0 ? gone.popFirst() : nil
      let second = order >= 0 ? come.popFirst() : nil
      if let first, let second {
        if oldRelease.digest(first) == newRelease.digest(second) { continue }
        files.append(File(change: .changed, old: first, new: second))
      } else {
        files.append(File(change: first == nil ? .added : .removed, old: first, new: second))
      }
    }
    return files
  }

  /// Returns a negative number if the older file's path sorts first, and a positive number if the newer
  /// file's path sorts first.
  private static func order(
    oldFile old: Int32?, newFile new: Int32?, oldRelease: ReleaseContents, newRelease: ReleaseContents
  )
    -> Int
  {
    guard let old, let new else { return old == nil ? 1 : -1 }
    let paths = (oldRelease.contents.path(at: Int(old)), newRelease.contents.path(at: Int(new)))
    if paths.0 == paths.1 { return 0 }
    return paths.0.lexicographicallyPrecedes(paths.1) ? -1 : 1
  }
}
