package import System

/// The times and identity that show, without reading it, whether a file has changed.
package struct FileStamp: Sendable, Hashable {
  /// Time of the last change of content, in nanoseconds since 1970.
  package let modified: Int64
  /// Time of the last change of content, name or rights, in nanoseconds since 1970.
  package let changed: Int64
  package let identity: FileIdentity

  /// The stamp of nothing, which proves nothing.
  package static let unknown = FileStamp(
    modified: 0, changed: 0, identity: FileIdentity(device: 0, inode: 0))

  package init(_ status: FileStatus) {
    self.init(modified: status.modified, changed: status.changed, identity: status.identity)
  }

  package init(modified: Int64, changed: Int64, identity: FileIdentity) {
    self.modified = modified
    self.changed = changed
    self.identity = identity
  }

  /// A stamp that changes if anything in a folder does.
  ///
  /// Its `changed` is not a time but a digest of all names, sizes and times below the folder.
  package init(ofAllIn path: String) throws(SystemError) {
    let folder = try Folder(path)
    let status = try folder.status()
    let digest = try Self.digest(ofAllIn: folder)
    self.init(modified: status.modified, changed: Int64(bitPattern: digest), identity: status.identity)
  }

  private static func digest(ofAllIn folder: Folder) throws(SystemError) -> UInt64 {
    // FNV-1a over numbers: it detects accidental changes, and is the same in every run.
    var digest: UInt64 = 0xcbf2_9ce4_8422_2325
    var walk = FolderWalk(folder)
    while let entry = try walk.next() {
      let times = [entry.status.size, entry.status.modified, entry.status.changed].map(
        UInt64.init(bitPattern:))
      for number in entry.path.map(UInt64.init) + times + [entry.status.identity.inode] {
        digest = (digest ^ number) &* 0x100_0000_01b3
        digest ^= digest >> 29
      }
    }
    return digest
  }
}
