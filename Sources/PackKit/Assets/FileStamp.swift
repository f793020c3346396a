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
    var digest = Hash64()
    var walk = FolderWalk(folder)
    while let entry = try walk.next() {
      for byte in entry.path { digest.add(UInt64(byte)) }
      digest.add(UInt64(bitPattern: entry.status.size))
      digest.add(UInt64(bitPattern: entry.status.modified))
      digest.add(UInt64(bitPattern: entry.status.changed))
      digest.add(entry.status.identity.inode)
    }
    return digest.value
  }
}

/// FNV-1a over numbers: it detects accidental changes, and is the same in every run.
private struct Hash64 {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func add(_ number: UInt64) {
    value = (value ^ number) &* 0x100_0000_01b3
    value ^= value >> 29
  }
}
