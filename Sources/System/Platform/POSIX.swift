#if canImport(Darwin) || Portable
  #if canImport(Darwin)
    import Darwin
  #else
    import Glibc
  #endif

  /// The same interface as in `Linux.swift` for all other systems.
  ///
  /// It uses only POSIX functions.
  package enum Platform {
    static let keepingAccessTime: Int32 = 0
    static let placeOnly = O_RDONLY
    static let lockList: String? = nil
    static let fileClock = CLOCK_REALTIME
    static let allowedProcessors = 0

    package static func keepFreedMemory() {}

    static func wantLargePages(_ start: UnsafeMutableRawPointer, count: Int) {}

    static var startWords: UnsafeBufferPointer<UnsafeMutablePointer<CChar>?> {
      UnsafeBufferPointer(start: nil, count: 0)
    }

    static func openUnnamed(in folder: String, mode: mode_t) -> Int32 { unsupported }

    static func linkUnnamed(_ file: Int32, at path: String) -> Int32 { unsupported }

    static func openMemory() -> Int32 {
      let folder = getenv(EnvironmentVariable.temporaryFolder.rawValue).map { String(cString: $0) } ?? "/tmp"
      var path = Array("\(folder)/packtool-XXXXXX".utf8CString)
      let file = mkstemp(&path)
      if file < 0 { return file }
      unlink(path)
      return fcntl(file, F_SETFD, FD_CLOEXEC) < 0 ? -1 : file
    }

    static func clone(_ file: Int32, from other: Int32) -> Int32 { unsupported }

    static func startWriting(_ file: Int32, from offset: Int64, count: Int64) -> Int32 { 0 }

    static func dropCache(_ file: Int32, count: Int64 = 0) {}

    static func list<Failure: Error>(
      _ folder: Int32, body: (UnsafePointer<CChar>) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
      // The folder is opened again, so that each listing begins at the first entry.
      let own = retrying { openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
      guard own >= 0, let stream = fdopendir(own) else {
        if own >= 0 { close(own) }
        return false
      }
      defer { closedir(stream) }
      let place = MemoryLayout<dirent>.offset(of: \.d_name)!
      while true {
        errno = 0
        guard let entry = readdir(stream) else { return errno == 0 }
        try body((UnsafeRawPointer(entry) + place).assumingMemoryBound(to: CChar.self))
      }
    }

    package static func transfer(of socket: Int32) -> (sent: Int64, acknowledged: Int64)? { nil }

    package static let countsTransfers = false

    package static func turnOffPacing(on socket: Int32) {}

    #if canImport(Darwin)
      /// This uses F_FULLFSYNC if the disk supports it, because `fsync` leaves bytes in the disk's own cache.
      static func sync(_ file: Int32) -> Int32 { fcntl(file, F_FULLFSYNC) == 0 ? 0 : fsync(file) }

      static func syncFileSystem(_ file: Int32) -> Int32 {
        syncAllFileSystems()
        return sync(file)
      }

      static func exchange(_ first: String, _ second: String) -> Int32 {
        renamex_np(first, second, UInt32(RENAME_SWAP))
      }
    #else
      static func sync(_ file: Int32) -> Int32 { fsync(file) }

      static func syncFileSystem(_ file: Int32) -> Int32 {
        syncAllFileSystems()
        return 0
      }

      static func exchange(_ first: String, _ second: String) -> Int32 { unsupported }
    #endif

    /// The result of a call that this system does not have.
    private static var unsupported: Int32 {
      errno = ENOSYS
      return -1
    }
  }
#endif
