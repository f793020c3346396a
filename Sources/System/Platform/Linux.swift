#if !(canImport(Darwin) || Portable)
  import CLinux
  import Glibc

  /// System calls of Linux that save time or prevent race conditions.
  ///
  /// `POSIX.swift` has the same interface without these calls.
  package enum Platform {
    /// The value of O_NOATIME.
    ///
    /// Without this flag, reading a file of a fresh checkout would write to its inode.
    static let keepingAccessTime: Int32 = 0o1_000_000
    /// The value of O_PATH.
    ///
    /// With this flag, folders can be opened that can be traversed but not read.
    static let placeOnly: Int32 = 0o10_000_000
    /// The kernel's list of locks.
    static let lockList: String? = "/proc/locks"
    /// The clock that file systems use for the times of files.
    static let fileClock = CLOCK_REALTIME_COARSE

    /// The number of processors that this process can use; 0 if unknown.
    ///
    /// A container or `taskset` can allow fewer processors than the machine has.
    static var allowedProcessors: Int {
      // The array has one bit for each of 8,192 processors.
      var allowed = [UInt64](repeating: 0, count: 128)
      if sched_getaffinity(0, allowed.count * 8, &allowed) < 0 { return 0 }
      return allowed.reduce(0) { $0 + $1.nonzeroBitCount }
    }

    /// Makes malloc keep up to 64 MiB of freed memory for later allocations, even if the blocks have up to 8
    /// MiB.
    ///
    /// Each pack needs some buffers of a megabyte. If this memory were returned to the system and mapped
    /// again, a build of a million files in 1,000 packs would have 255,000 page faults.
    package static func keepFreedMemory() {
      let (trimThreshold, mapThreshold): (Int32, Int32) = (-1, -3)  // M_TRIM_THRESHOLD, M_MMAP_THRESHOLD
      _ = mallopt(mapThreshold, 1 << 23)
      _ = mallopt(trimThreshold, 1 << 26)
    }

    /// Requests huge pages for a memory area.
    static func wantLargePages(_ start: UnsafeMutableRawPointer, count: Int) {
      madvise(start, count, MADV_HUGEPAGE)
    }

    /// The command line as the kernel stores it, without the environment that follows.
    ///
    /// In memory, the number of arguments comes first, then the arguments, a zero, and the environment.
    static var startWords: UnsafeBufferPointer<UnsafeMutablePointer<CChar>?> {
      let last = environ - 1
      var count = 0
      // The search goes backwards over the addresses of the arguments, until a value is equal to `count`.
      // This value must be the number of arguments, because addresses are much larger.
      while Int(bitPattern: last[-count - 1]) != count { count += 1 }
      return UnsafeBufferPointer(start: last - count, count: count)
    }

    /// Opens a file without a name in a folder.
    ///
    /// Returns a negative number if the file system does not support that.
    static func openUnnamed(in folder: String, mode: mode_t) -> Int32 {
      let temporary: Int32 = 0o20_000_000  // O_TMPFILE
      let file = retrying { open(folder, temporary | O_DIRECTORY | O_RDWR | O_CLOEXEC, mode) }
      if file < 0 || access("/proc/self/fd/\(file)", F_OK) == 0 { return file }
      close(file)
      return -1
    }

    /// Gives a name to a file that was opened without a name.
    ///
    /// On failure, sets `errno` and returns a negative number.
    static func linkUnnamed(_ file: Int32, at path: String) -> Int32 {
      linkat(AT_FDCWD, "/proc/self/fd/\(file)", AT_FDCWD, path, AT_SYMLINK_FOLLOW)
    }

    /// Opens a file that exists only in memory.
    ///
    /// On failure, sets `errno` and returns a negative number.
    static func openMemory() -> Int32 { memfd_create("packtool", 1) }  // MFD_CLOEXEC

    /// Makes a file share the blocks of another file.
    ///
    /// Returns a negative number if the file system does not support this.
    static func clone(_ file: Int32, from other: Int32) -> Int32 {
      let command: UInt = 0x4004_9409  // FICLONE
      return retrying { ioctl(file, command, other) }
    }

    /// Starts writing a range of a file to the disk.
    ///
    /// On failure, sets `errno` and returns a negative number.
    static func startWriting(_ file: Int32, from offset: Int64, count: Int64) -> Int32 {
      let write: UInt32 = 2  // SYNC_FILE_RANGE_WRITE
      return retrying { sync_file_range(file, off_t(offset), off_t(count), write) }
    }

    /// Advises the kernel to drop the first `count` bytes of a file from the page cache.
    ///
    /// If `count` is 0, all bytes are dropped.
    static func dropCache(_ file: Int32, count: Int64 = 0) {
      _ = posix_fadvise(file, 0, off_t(count), POSIX_FADV_DONTNEED)
    }

    /// Waits until a file would survive a power failure.
    ///
    /// On failure, sets `errno` and returns a negative number.
    static func sync(_ file: Int32) -> Int32 { fsync(file) }

    /// Waits until all data written to the file system of a file would survive a power failure.
    static func syncFileSystem(_ file: Int32) -> Int32 { syncfs(file) }

    /// Exchanges two files or folders atomically.
    ///
    /// On failure, sets `errno` and returns a negative number.
    static func exchange(_ first: String, _ second: String) -> Int32 {
      renameat2(AT_FDCWD, first, AT_FDCWD, second, 1 << 1)  // RENAME_EXCHANGE
    }

    /// Calls `body` with each name in an open folder.
    ///
    /// On failure, sets `errno` and returns false.
    ///
    /// The function uses the kernel's own call, because the C library's directory stream needs memory and
    /// more system calls for each folder.
    static func list<Failure: Error>(
      _ folder: Int32, body: (UnsafePointer<CChar>) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 15, alignment: 8)
      defer { buffer.deallocate() }
      while true {
        let count = retrying {
          Int32(truncatingIfNeeded: getdents64(folder, buffer.baseAddress!, buffer.count))
        }
        if count <= 0 { return count == 0 }
        // Each entry has the layout of `struct linux_dirent64`. The inode and the offset need 16 bytes, the
        // entry's size 2 bytes, and its type 1 byte. Then comes the name, which ends with a zero.
        var start = 0
        while start + 19 <= Int(count) {
          let size = Int(buffer.loadUnaligned(fromByteOffset: start + 16, as: UInt16.self))
          try body((buffer.baseAddress! + start + 19).assumingMemoryBound(to: CChar.self))
          start += max(size, 19)
        }
      }
    }
  }

  /// Statistics and settings of connections that only Linux has.
  extension Platform {
    /// Returns the number of bytes that the kernel has sent on a connection, and the number of bytes that
    /// have arrived.
    ///
    /// Returns nil if the kernel does not report these numbers.
    ///
    /// libmicrohttpd does not report them. Without them, `serve` could not let the kernel copy a file into a
    /// connection, because the log would not know how much of an interrupted download arrived. If `serve`
    /// copied the files itself, downloads of 50 MB would take ten times as much processor time.
    package static func transfer(of socket: Int32) -> (sent: Int64, acknowledged: Int64)? {
      withUnsafeTemporaryAllocation(byteCount: 256, alignment: 8) { bytes in
        // These are offsets in `tcp_info`. Its members never move.
        let (acknowledged, sent) = (120, 200)
        var size = socklen_t(bytes.count)
        let code = getsockopt(socket, Int32(IPPROTO_TCP), TCP_INFO, bytes.baseAddress, &size)
        if code != 0 || Int(size) < sent + 8 { return nil }
        return (
          bytes.load(fromByteOffset: sent, as: Int64.self),
          bytes.load(fromByteOffset: acknowledged, as: Int64.self)
        )
      }
    }

    /// Whether `transfer` can report numbers on this system.
    package static let countsTransfers = true

    /// Turns packet pacing off, with the congestion control `reno`.
    ///
    /// Some machines have pacing on by default, with `bbr`. Pacing helps on long-distance networks. On
    /// connections within the machine, it only takes time: when we compared `serve` with nginx, nginx took
    /// 14 % more processor cycles with `bbr` than with `reno` to send files of 10 kB.
    package static func turnOffPacing(on socket: Int32) {
      setsockopt(socket, Int32(IPPROTO_TCP), TCP_CONGESTION, "reno", 4)
    }
  }
#endif
