import PackKit
import System

/// What became of one pack from one release to the next.
package struct PackChange: Sendable {
  /// What a device finds when it looks for the pack's contents; the raw value is its name in JSON.
  package enum Status: String, Sendable, CaseIterable {
    case unchanged
    case changed
    case added
    case removed
  }

  /// What became of one file of a pack.
  package struct File: Sendable {
    package let change: Change
    /// The file in the older release, by its number; nil where it is new.
    package let old: Int32?
    /// The file in the newer release, by its number; nil where it is gone.
    package let new: Int32?
    /// The pack of the other release that the file moved to, or came from where it is new; nil where it did not move.
    package internal(set) var otherPack: Int?
    /// A file of the older release with the same content under another path; nil where there is none.
    package internal(set) var twin: Int32?
  }

  /// How a file differs; the raw value is its name in JSON.
  package enum Change: String, Sendable {
    case added
    case removed
    case changed
  }

  package let id: String
  package let tags: [String]
  package let status: Status
  /// The pack in the older release, by its number; nil where it is new.
  package let old: Int?
  /// The pack in the newer release, by its number; nil where it is gone.
  package let new: Int?
  /// Bytes in the newer release, or in the older one of a pack that is gone.
  package let size: Int64
  /// Bytes in the older release; 0 for a pack that is new.
  package let oldSize: Int64
  /// The files that differ, in byte order of their paths.
  package internal(set) var files: [File]
  /// Bytes of the files that are new or changed within the pack.
  package let fileBytes: Int64
  /// Whether the archive is another though the contents are the same.
  package let isRepacked: Bool

  /// Bytes that a device with the older pack downloads: packs are fetched whole.
  package var download: Int64 { status == .changed || status == .added ? size : 0 }

  package func count(_ change: Change) -> Int { files.count { $0.change == change } }

  /// The pack of an identifier in two releases, of which at least one has it.
  init(_ id: String, _ old: ReleaseContents, _ new: ReleaseContents) {
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
    let isSame = oldNumber.map(old.digest(ofPack:)) == newNumber.map(new.digest(ofPack:))
    status = oldPack == nil ? .added : newPack == nil ? .removed : isSame ? .unchanged : .changed
    files = isSame ? [] : Self.files(oldNumber, newNumber, old, new)
    fileBytes = files.reduce(0) { $0.saturatingSum(with: $1.new.map(new.size) ?? 0) }
    isRepacked =
      isSame && oldPack?.published != nil && newPack?.published != nil
      && oldPack?.published?.archive.file.digest != newPack?.published?.archive.file.digest
  }

  /// Walks the files of both packs, which stand in byte order of their paths, side by side.
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

  /// Below 0 where the older file's path comes first, above 0 where the newer one's does.
  private static func order(_ old: Int32?, _ new: Int32?, _ before: ReleaseContents, _ after: ReleaseContents)
    -> Int
  {
    guard let old else { return 1 }
    guard let new else { return -1 }
    let paths = (before.contents.path(Int(old)), after.contents.path(Int(new)))
    if paths.0 == paths.1 { return 0 }
    return paths.0.lexicographicallyPrecedes(paths.1) ? -1 : 1
  }
}
