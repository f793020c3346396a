import Glibc
import Synchronization

/// Opens a file for reading, without waiting for the writer of a fifo; below 0, with `errno`, on failure.
///
/// Its access time stays as it is, where the system allows that: each file of a fresh checkout would cost a write to
/// its inode.
func openForReading(_ name: UnsafePointer<CChar>, below folder: Int32, flags: Int32 = 0) -> Int32 {
  let flags = flags | O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
  if mayKeepAccessTimes.load(ordering: .relaxed) {
    let file = retrying { openat(folder, name, flags | keepingAccessTime) }
    if file >= 0 || errno != EPERM { return file }
    // Only the owner of a file may ask for it; files of one tree mostly have one owner.
    mayKeepAccessTimes.store(false, ordering: .relaxed)
  }
  return retrying { openat(folder, name, flags) }
}

private let mayKeepAccessTimes = Atomic(true)

/// O_NOATIME, which Glibc's headers declare for _GNU_SOURCE only.
private let keepingAccessTime: Int32 = 0o1000000
