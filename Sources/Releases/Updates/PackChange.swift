import Published
import PackKit
import System

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
    /// The index of the file in the older release; nil if it is new.
    package let old: Int32?
    /// The index of the file in the newer release; nil if it was removed.
    package let new: Int32?
    /// The pack of the other release that a removed file moved to, or a new one came from; nil if it did not move.
    package internal(set) var otherPack: Int?
    /// A file of the older release with the same content at another path; nil if there is none.
    package internal(set) var twin: Int32?
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
  /// The index of the pack in the older release; nil if it is new.
  package let old: Int?
  /// The index of the pack in the newer release; nil if it was removed.
  package let new: Int?
  /// The size in bytes in the newer release; for a removed pack, in the older one.
  package let size: Int64
  /// The size in bytes in the older release; 0 for a new pack.
  package let oldSize: Int64
  /// The size of the archive in bytes in the newer release, for a removed pack in the older one; nil where it is not
  /// built.
  package let packedSize: Int64?
  /// The size of its patch from the older release in bytes; nil where there is none.
  package let patchSize: Int64?
  /// The size of the archive in the older release; nil also for a new pack.
  package let oldPackedSize: Int64?
  /// The versions of a self-hosted pack; nil where there is none.
  package let oldVersion, version: Int64?
  /// The changed files, in byte order of their paths.
  package internal(set) var files: [File]
  /// The size in bytes of files that are new or changed within the pack.
  package let fileBytes: Int64
  /// Whether the archive changed though the contents are the same.
  package let isRepacked: Bool

  /// The download in bytes for a device with the older pack; packs are always downloaded whole.
  package var download: Int64 { status == .changed || status == .added ? size : 0 }

  /// The same in bytes of the archive; nil where it is not built.
  package var packedDownload: Int64? {
    download == 0 && status != .changed && status != .added ? 0 : packedSize
  }

  /// The same for a device that takes patches.
  package var patchedDownload: Int64? { packedDownload == 0 ? 0 : patchSize ?? packedDownload }

  package func count(_ change: Change) -> Int { files.count { $0.change == change } }

  /// The change of the pack with an identifier, which at least one of the releases has.
  init(_ id: String, _ old: ReleaseContents, _ new: ReleaseContents, patch: PublishedFile?) {
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
    files = isSame ? [] : Self.files(oldNumber, newNumber, old, new)
    fileBytes = files.reduce(0) { $0.saturatingSum(with: $1.new.map(new.size) ?? 0) }
    isRepacked =
      isSame && oldPack?.published != nil && newPack?.published != nil
      && oldPack?.published?.archive.file.digest != newPack?.published?.archive.file.digest
  }

  /// Merges the files of both packs, which are in byte order of their paths.
  private static func files(_ old: Int?, _ new: Int?, _ before: ReleaseContents, _ after: ReleaseContents)
    -> [File]
  {
    var gone = old.map { before.contents.files(of: $0) } ?? []
    var come = new.map { after.contents.files(of: $0) } ?? []
    var files: [File] = []
    while gone.first != nil || come.first != nil {
      let order = order(gone.first, come.first, before, after)
      let first = order <= 0 ? gone.popFirst() : nil
      let second = order >= 0 ? come.popFirst() : nil
      if let first, let second {
        if before.digest(first) == after.digest(second) { continue }
        files.append(File(change: .changed, old: first, new: second))
      } else {
        files.append(File(change: first == nil ? .added : .removed, old: first, new: second))
      }
    }
    return files
  }

  /// Below 0 if the older file's path comes first, above 0 if the newer one's does.
  private static func order(_ old: Int32?, _ new: Int32?, _ before: ReleaseContents, _ after: ReleaseContents)
    -> Int
  {
    guard let old, let new else { return old == nil ? 1 : -1 }
    let paths = (before.contents.path(Int(old)), after.contents.path(Int(new)))
    if paths.0 == paths.1 { return 0 }
    return paths.0.lexicographicallyPrecedes(paths.1) ? -1 : 1
  }
}
