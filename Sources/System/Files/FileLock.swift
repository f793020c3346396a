#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A lock on a file, which the kernel releases when the process ends, even after a crash.
///
/// Some file systems do not support locks. In this case, packtool continues without a lock, as Cargo does.
package final class FileLock: Sendable {
  private let descriptor: Int32

  /// Acquires the lock, and creates the file if it does not exist.
  ///
  /// If another process has the lock, the function calls `onBusy` with the ID of that process, if known, and
  /// then waits. If `onBusy` throws an error, the function does not wait and throws this error.
  package init(_ path: String, onBusy: (Int32?) throws -> Void) throws {
    while true {
      let file = retrying {
        open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0o644)
      }
      if file < 0 { throw SystemError(during: "lock", path: path) }
      do {
        try Self.expectFile(file, path: path)
        try Self.wait(for: file, path: path, onBusy: onBusy)
        // The process that had the lock may have removed the file. In this case, the name now belongs to
        // another file, or to no file.
        guard try Self.isFile(file, stillAt: path) else {
          close(file)
          continue
        }
      } catch {
        close(file)
        throw error
      }
      descriptor = file
      return
    }
  }

  /// Acquires a shared lock, which keeps other processes from locking the file exclusively.
  ///
  /// Returns nil if the file cannot be read.
  package init?(sharing path: String) throws(SystemError) {
    descriptor = retrying { open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) }
    if descriptor < 0 || (try? Self.expectFile(descriptor, path: path)) == nil { return nil }
    try Self.wait(for: descriptor, path: path, operation: LOCK_SH)
  }

  /// Waits for the lock on a folder.
  ///
  /// The lock protects files in the folder that are replaced as a whole, because such files cannot be locked
  /// themselves.
  package init(folder path: String) throws(SystemError) {
    descriptor = retrying { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    if descriptor < 0 { throw SystemError(during: "lock", path: path) }
    try Self.wait(for: descriptor, path: path)
  }

  /// This code runs even if an initializer fails after the file was opened.
  deinit {
    if descriptor < 0 { return }
    // A child process keeps a copy of the descriptor until it executes its program. Without the explicit
    // unlock, the file would stay locked until then.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  private static func wait(for file: Int32, path: String, onBusy: (Int32?) throws -> Void) throws {
    if retrying({ flock(file, LOCK_EX | LOCK_NB) }) == 0 { return }
    if hasNoLocks(errno) { return }
    guard errno == EWOULDBLOCK else { throw SystemError(during: "lock", path: path) }
    try onBusy(holder(of: file))
    while flock(file, LOCK_EX) != 0 {
      guard errno == EINTR else { throw SystemError(during: "lock", path: path) }
      try Interruption.check()
    }
  }

  /// Waits for the lock on an open file or folder.
  static func wait(for descriptor: Int32, path: String, operation: Int32 = LOCK_EX) throws(SystemError) {
    while flock(descriptor, operation) != 0 {
      if hasNoLocks(errno) { return }
      guard errno == EINTR else { throw SystemError(during: "lock", path: path) }
      try Interruption.check()
    }
  }

  /// Whether an error code means that the file system does not support locks.
  private static func hasNoLocks(_ code: Int32) -> Bool { [ENOSYS, ENOLCK, EOPNOTSUPP].contains(code) }

  private static func expectFile(_ file: Int32, path: String) throws(SystemError) {
    guard let status = FileStatus(ofOpen: file) else { throw SystemError(during: "lock", path: path) }
    if status.kind != .file { throw SystemError(during: "lock", path: path, code: EINVAL) }
  }

  private static func isFile(_ file: Int32, stillAt path: String) throws(SystemError) -> Bool {
    guard let ours = FileStatus(ofOpen: file) else { throw SystemError(during: "lock", path: path) }
    var named = stat()
    if lstat(path, &named) == 0 { return FileStatus(named).identity == ours.identity }
    if errno == ENOENT { return false }
    throw SystemError(during: "lock", path: path)
  }

  /// Returns the ID of the process that holds the lock, if the system knows it.
  ///
  /// The ID is not written to the file, because that would change the file at every build.
  private static func holder(of file: Int32) -> Int32? {
    guard let status = FileStatus(ofOpen: file), let path = Platform.lockList,
      let list = try? InputFile(outputPath: path).contents(limit: 1 << 20)
    else { return nil }
    // A line of the list is, for example, "1: FLOCK ADVISORY WRITE 4711 fe:00:1234 0 EOF".
    let locks = String(decoding: list, as: UTF8.self).split(separator: "\n").map { $0.split(separator: " ") }
    return locks.first {
      $0.count > 5 && $0[1] == "FLOCK" && $0[5].hasSuffix(":\(status.identity.inode)")
    }.flatMap { Int32($0[4]) }
  }
}
