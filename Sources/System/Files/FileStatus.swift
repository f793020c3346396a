#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The type, size, times and identity of one file.
package struct FileStatus: Sendable, Hashable {
  /// The type of a file.
  package enum Kind: Sendable {
    case file
    case folder
    case link
    case fifo
    case socket
    case device
  }

  package let kind: Kind
  /// The size of the content in bytes.
  package let size: Int64
  /// The time of the last change of the content, in nanoseconds since 1970.
  package let modified: Int64
  /// The time of the last change of content, name or permissions, in nanoseconds since 1970.
  package let changed: Int64
  package let identity: FileIdentity
  /// Whether every user of the machine can read the file.
  package let isReadableByAll: Bool

  init(_ status: stat) {
    self.kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      case S_IFLNK: .link
      case S_IFIFO: .fifo
      case S_IFSOCK: .socket
      default: .device
      }
    self.size = Int64(status.st_size)
    self.modified = nanoseconds(status.times.modified)
    self.changed = nanoseconds(status.times.changed)
    self.identity = FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    self.isReadableByAll = status.st_mode & mode_t(S_IROTH) != 0
  }
}

extension FileStatus {
  /// Reads the status of an open file or folder; nil, with `errno` set, if that fails.
  init?(ofOpen descriptor: Int32) {
    var status = stat()
    if fstat(descriptor, &status) != 0 { return nil }
    self.init(status)
  }
}

/// The device and inode number.
///
/// They identify a file on this machine, whatever its name is.
@usableFromInline
package struct FileIdentity: Sendable, Hashable {
  @usableFromInline package let device: UInt64
  @usableFromInline package let inode: UInt64

  package init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }

  // Other modules compare the identity of every file. They would call the compiler's own `==` through a table.
  @inlinable
  package static func == (first: FileIdentity, second: FileIdentity) -> Bool {
    first.inode == second.inode && first.device == second.device
  }
}

private func nanoseconds(_ time: timespec) -> Int64 {
  // Broken or hostile file systems can report any second. Wrapping keeps the value comparable and avoids a
  // crash.
  Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
}
