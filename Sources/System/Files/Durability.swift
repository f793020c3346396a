import CLinux
import Glibc

extension FileOperations {
  /// Waits until a file's content, or the names in a folder, would outlast a power failure.
  package static func sync(_ path: String) throws(SystemError) {
    try sync(path) { _ in }
  }

  /// The same for a file that nobody will read soon: the memory that held it is free for others.
  package static func syncAndRelease(_ path: String) throws(SystemError) {
    // Advice only: what comes of it changes no byte.
    try sync(path) { _ = posix_fadvise($0, 0, 0, POSIX_FADV_DONTNEED) }
  }

  private static func sync(_ path: String, then use: (Int32) -> Void) throws(SystemError) {
    let descriptor = retrying { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    if descriptor < 0 { throw SystemError("sync", path) }
    defer { close(descriptor) }
    if retrying({ fsync(descriptor) }) != 0 && !isUnsupported(errno) { throw SystemError("sync", path) }
    use(descriptor)
  }

  /// The same for all that was written to the file system that a folder is on.
  package static func syncFileSystem(of path: String) throws(SystemError) {
    let descriptor = retrying { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    if descriptor < 0 { throw SystemError("sync", path) }
    defer { close(descriptor) }
    if retrying({ syncfs(descriptor) }) != 0 && !isUnsupported(errno) { throw SystemError("sync", path) }
  }

  /// The same for the name of a folder that was made, which stands in the folder above it.
  package static func syncName(ofFolder path: String) throws(SystemError) {
    let above = "\(path)/.."
    do throws(SystemError) {
      try sync(above)
    } catch {
      // Where the folder above may be written but not read, only the whole file system can be asked.
      guard error.isDenied else { throw error }
      try syncFileSystem(of: path)
    }
  }
}

/// Whether an error says that a file system knows no such call, not that it failed.
func isUnsupported(_ code: Int32) -> Bool {
  [EINVAL, ENOSYS, EOPNOTSUPP, ESPIPE].contains(code)
}
