import CLinux
import Glibc

extension FileOperations {
  /// Waits until a file's content, or a folder's names, would survive a power failure.
  package static func sync(_ path: String) throws(SystemError) {
    try sync(path) { _ in }
  }

  /// The same for a file that will not be read soon: also drops it from the page cache.
  package static func syncAndRelease(_ path: String) throws(SystemError) {
    // The result does not matter: this is advice, which changes no byte.
    try sync(path) { _ = posix_fadvise($0, 0, 0, POSIX_FADV_DONTNEED) }
  }

  private static func sync(_ path: String, then use: (Int32) -> Void) throws(SystemError) {
    let descriptor = retrying { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    if descriptor < 0 { throw SystemError("sync", path) }
    defer { close(descriptor) }
    if retrying({ fsync(descriptor) }) != 0 && !isUnsupported(errno) { throw SystemError("sync", path) }
    use(descriptor)
  }

  /// The same for everything that was written to the file system of a folder.
  package static func syncFileSystem(of path: String) throws(SystemError) {
    let descriptor = retrying { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    if descriptor < 0 { throw SystemError("sync", path) }
    defer { close(descriptor) }
    if retrying({ syncfs(descriptor) }) != 0 && !isUnsupported(errno) { throw SystemError("sync", path) }
  }

  /// The same for the name of a new folder, which is kept in its parent.
  package static func syncName(ofFolder path: String) throws(SystemError) {
    let above = "\(path)/.."
    do throws(SystemError) {
      try sync(above)
    } catch {
      // A parent that may be written but not read cannot be opened, so the whole file system is synced.
      guard error.isDenied else { throw error }
      try syncFileSystem(of: path)
    }
  }
}

/// Whether an error means that the file system does not support a call, not that the call failed.
func isUnsupported(_ code: Int32) -> Bool {
  [EINVAL, ENOSYS, EOPNOTSUPP, ESPIPE].contains(code)
}
