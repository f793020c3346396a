import Glibc

/// Opens a file for reading, without waiting for the writer of a fifo; below 0, with `errno`, on failure.
///
/// Its access time stays as it is, where the system allows that: each file of a fresh checkout would cost a write to
/// its inode.
func openForReading(_ name: UnsafePointer<CChar>, below folder: Int32, flags: Int32 = 0) -> Int32 {
  let flags = flags | O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
  let file = retrying { openat(folder, name, flags | keepingAccessTime) }
  // Only the owner of a file may ask for it.
  return file < 0 && errno == EPERM ? retrying { openat(folder, name, flags) } : file
}

/// O_NOATIME, which Glibc's headers declare for _GNU_SOURCE only.
private let keepingAccessTime: Int32 = 0o1000000
