import CLinux
import Glibc

extension FileOperations {
  /// Sets the modification time of a file or folder, in nanoseconds since 1970.
  package static func setTime(of path: String, to nanoseconds: Int64) throws(SystemError) {
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    let time =
      rest < 0
      ? timespec(tv_sec: time_t(seconds - 1), tv_nsec: Int(rest + 1_000_000_000))
      : timespec(tv_sec: time_t(seconds), tv_nsec: Int(rest))
    if utimensat(AT_FDCWD, path, [time, time], 0) != 0 { throw SystemError("set the time of", path) }
  }

  /// Atomically exchanges two files or folders; false if the file system does not support it, as overlayfs does not
  /// for a folder in a lower layer.
  package static func exchange(_ first: String, _ second: String) throws(SystemError) -> Bool {
    let exchange: UInt32 = 1 << 1  // RENAME_EXCHANGE
    if renameat2(AT_FDCWD, first, AT_FDCWD, second, exchange) == 0 { return true }
    let error = SystemError("exchange with", second)
    if isUnsupported(error.code) || error.code == EXDEV { return false }
    throw error
  }
}
