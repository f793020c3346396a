#if !(canImport(Darwin) || Portable)
  import CLinux
  import Glibc

  /// Calls of Linux that save time or close a gap; `POSIX.swift` has the same interface without them.
  package enum Platform {
    /// O_NOATIME: reading each file of a fresh checkout would else write to its inode.
    static let keepingAccessTime: Int32 = 0o1_000_000
    /// O_PATH: opens folders that may be traversed but not read.
    static let placeOnly: Int32 = 0o10_000_000
    /// The kernel's list of locks.
    static let lockList: String? = "/proc/locks"
    /// A clock that file systems take the times of files from.
    static let fileClock = CLOCK_REALTIME_COARSE

    /// How many processors this process may use, where a container or `taskset` allows fewer than the machine has; 0 if
    /// unknown.
    static var allowedProcessors: Int {
      // One bit for each of 8,192 processors.
      var allowed = [UInt64](repeating: 0, count: 128)
      if sched_getaffinity(0, allowed.count * 8, &allowed) < 0 { return 0 }
      return allowed.reduce(0) { $0 + $1.nonzeroBitCount }
    }

    /// Keeps freed memory up to 64 MiB for later allocations, and takes blocks below 8 MiB from it.
    ///
    /// Each pack needs some buffers of a megabyte; returned to the system and mapped again, they cost a build of a
    /// million files in 1,000 packs 255,000 page faults.
    package static func keepFreedMemory() {
      let (trimThreshold, mapThreshold): (Int32, Int32) = (-1, -3)  // M_TRIM_THRESHOLD, M_MMAP_THRESHOLD
      _ = mallopt(mapThreshold, 1 << 23)
      _ = mallopt(trimThreshold, 1 << 26)
    }

    /// Asks for large pages behind a space.
    static func wantLargePages(_ start: UnsafeMutableRawPointer, count: Int) {
      madvise(start, count, MADV_HUGEPAGE)
    }

    /// The words of the command line as the kernel puts them: their count, the words, a zero, then the environment.
    static var startWords: UnsafeBufferPointer<UnsafeMutablePointer<CChar>?> {
      let last = environ - 1
      var count = 0
      // No word is at an address as small as their count.
      while Int(bitPattern: last[-count - 1]) != count { count += 1 }
      return UnsafeBufferPointer(start: last - count, count: count)
    }

    /// Opens a file without a name in a folder; below 0, with `errno`, where its file system has none.
    static func openUnnamed(in folder: String, mode: mode_t) -> Int32 {
      let temporary: Int32 = 0o20_000_000  // O_TMPFILE
      let file = retrying { open(folder, temporary | O_DIRECTORY | O_RDWR | O_CLOEXEC, mode) }
      if file < 0 || access("/proc/self/fd/\(file)", F_OK) == 0 { return file }
      close(file)
      return -1
    }

    /// Gives a file without a name one; below 0, with `errno`, on failure.
    static func linkUnnamed(_ file: Int32, at path: String) -> Int32 {
      linkat(AT_FDCWD, "/proc/self/fd/\(file)", AT_FDCWD, path, AT_SYMLINK_FOLLOW)
    }

    /// Opens a file in memory; below 0, with `errno`, on failure.
    static func openMemory() -> Int32 { memfd_create("packtool", 1) }  // MFD_CLOEXEC

    /// Makes a file share another's blocks; below 0 where the file system cannot.
    static func clone(_ file: Int32, from other: Int32) -> Int32 {
      let command: UInt = 0x4004_9409  // FICLONE
      return retrying { ioctl(file, command, other) }
    }

    /// Starts writing bytes of a file to the disk; below 0, with `errno`, on failure.
    static func startWriting(_ file: Int32, from offset: Int64, count: Int64) -> Int32 {
      let write: UInt32 = 2  // SYNC_FILE_RANGE_WRITE
      return retrying { sync_file_range(file, off_t(offset), off_t(count), write) }
    }

    /// Drops bytes of a file, 0 for all, from the page cache; only advice.
    static func dropCache(_ file: Int32, count: Int64 = 0) {
      _ = posix_fadvise(file, 0, off_t(count), POSIX_FADV_DONTNEED)
    }

    /// Waits until a file survives a power failure; below 0, with `errno`, on failure.
    static func sync(_ file: Int32) -> Int32 { fsync(file) }

    /// The same for everything written to the file system of a file.
    static func syncFileSystem(_ file: Int32) -> Int32 { syncfs(file) }

    /// Exchanges two files or folders atomically; below 0, with `errno`, on failure.
    static func exchange(_ first: String, _ second: String) -> Int32 {
      renameat2(AT_FDCWD, first, AT_FDCWD, second, 1 << 1)  // RENAME_EXCHANGE
    }

    /// Calls `body` with each name in an open folder; false, with `errno`, on failure.
    ///
    /// By the kernel's own call, since a stream of the C library costs memory and further calls for each folder.
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
        // Each has the form of `struct linux_dirent64`: inode and offset in 16 bytes, then its own size in two, its type in
        // one, and the name with a zero behind it.
        var start = 0
        while start + 19 <= Int(count) {
          let size = Int(buffer.loadUnaligned(fromByteOffset: start + 16, as: UInt16.self))
          try body((buffer.baseAddress! + start + 19).assumingMemoryBound(to: CChar.self))
          start += max(size, 19)
        }
      }
    }
  }

  /// What Linux knows of connections.
  extension Platform {
    /// How many bytes the kernel has sent on a connection, and of how many it knows that they arrived; nil where it does
    /// not tell.
    package static func transfer(of socket: Int32) -> (sent: Int64, acknowledged: Int64)? {
      withUnsafeTemporaryAllocation(byteCount: 256, alignment: 8) { bytes in
        // Where they are in `tcp_info`, which never moves a member.
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

    /// Whether `transfer` tells anything.
    package static let countsTransfers = true

    /// Has the kernel keep what does not fill a packet until more comes.
    package static func holdPartialPackets(on socket: Int32) { setCork(1, on: socket) }

    /// Has the kernel send the partial packet that it kept.
    package static func sendPartialPackets(on socket: Int32) { setCork(0, on: socket) }

    private static func setCork(_ value: Int32, on socket: Int32) {
      var value = value
      setsockopt(socket, Int32(IPPROTO_TCP), TCP_CORK, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Does not pace packets, as wide networks need it and a machine may be set to: within the machine that only takes time.
    package static func sendAtOnce(on socket: Int32) {
      setsockopt(socket, Int32(IPPROTO_TCP), TCP_CONGESTION, "reno", 4)
    }
  }
#endif
