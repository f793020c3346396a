#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

package struct InputFile: ~Copyable, Sendable {
  package let descriptor: Int32
  private let folder: String
  private let below: [UInt8]

  /// Creates a file from a descriptor.
  ///
  /// `folder` and `below` are the folder and the path with which it was opened.
  init(descriptor: Int32, folder: String, below: [UInt8]) {
    self.descriptor = descriptor
    self.folder = folder
    self.below = below
  }

  /// Opens an input file by its path, relative to the current directory.
  ///
  /// If the file is a fifo, the call does not wait for a writer.
  ///
  /// packtool opens every file that could come from someone else with this function. So no code that reads
  /// such files can forget to check symlinks.
  ///
  /// - Throws: an error also if a symlink on the way leads out of its checkout. In this case,
  ///   `leavesCheckout` of the error is true.
  package init(_ path: String) throws(SystemError) {
    try Self.refuseLeavingCheckout(path)
    try self.init(outputPath: path)
  }

  /// Opens a file that packtool itself wrote into an output folder.
  ///
  /// Symlinks on the way to that folder may lead anywhere.
  package init(outputPath path: String, symlinks: SymlinkFollowing = .followed) throws(SystemError) {
    let descriptor = openForReading(path, below: AT_FDCWD, flags: symlinks == .followed ? 0 : O_NOFOLLOW)
    if descriptor < 0 { throw SystemError(during: "open", path: path) }
    self.init(descriptor: descriptor, folder: path, below: [])
  }

  /// Opens a file that exists only in memory, has no path, and contains the given bytes.
  ///
  /// `name` is used in messages.
  package init(holding bytes: ByteBuffer, name: String) throws(SystemError) {
    self.init(descriptor: try memoryFile(bytes, name: name), folder: name, below: [])
  }

  /// Opens a file by its path, relative to the current directory, with the checks that its origin needs.
  package init(_ path: String, from origin: FileOrigin) throws(SystemError) {
    switch origin {
    case .input: try self.init(path)
    case .output: try self.init(outputPath: path)
    }
  }

  deinit { close(descriptor) }

  /// The file's path for messages.
  ///
  /// The path is composed only when it is needed.
  package var path: String { shownPath(in: folder, at: below) }

  package func status() throws(SystemError) -> FileStatus {
    guard let status = FileStatus(ofOpen: descriptor) else {
      throw SystemError(during: "access", path: path)
    }
    return status
  }

  /// Appends `count` bytes of the file, from `offset` on, to a buffer.
  ///
  /// At the end of the file, there can be fewer bytes.
  package func read(_ count: Int, at offset: Int64, into buffer: inout ByteBuffer) throws(SystemError) {
    try Interruption.check()
    if buffer.append(atMost: count, fill: { fill($0, at: offset) }) {
      throw SystemError(during: "read", path: path)
    }
  }

  /// Fills a memory area with the file's bytes from an offset on.
  ///
  /// Returns the number of bytes, or nil on failure.
  private func fill(_ space: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int? {
    var done = 0
    while done < space.count {
      let got = retrying {
        pread(descriptor, space.baseAddress! + done, space.count - done, off_t(offset) + off_t(done))
      }
      if got < 0 { return nil }
      if got == 0 { break }
      done += got
    }
    return done
  }

  /// Returns `count` bytes of the file, from `offset` on.
  ///
  /// At the end of the file, there can be fewer bytes.
  package func bytes(count: Int, at offset: Int64) throws(SystemError) -> [UInt8] {
    try Interruption.check()
    var hasFailed = false
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { space, filled in
      Self.wantLargePages(UnsafeMutableRawBufferPointer(space))
      let done = fill(UnsafeMutableRawBufferPointer(space), at: offset)
      hasFailed = done == nil
      filled = done ?? 0
    }
    if hasFailed { throw SystemError(during: "read", path: path) }
    return bytes
  }

  /// Requests huge pages for a memory area that is so large that malloc maps it separately.
  ///
  /// With normal pages, the first use of the memory takes longer than reading a file into it.
  private static func wantLargePages(_ space: UnsafeMutableRawBufferPointer) {
    guard space.count >= 1 << 23, let base = space.baseAddress else { return }
    let start = base.alignedUp(toMultipleOf: Int(sysconf(Int32(_SC_PAGESIZE))))
    Platform.wantLargePages(start, count: space.count - (start - base))
  }

  /// Returns the whole content; nil if it exceeds `limit` bytes.
  package func contents(limit: Int) throws(SystemError) -> [UInt8]? {
    // One byte more than expected is read, which shows whether the file ends there. The reported size is not
    // reliable, because a sparse file can report any size.
    let step = min(Int(clamping: try status().size), limit) + 1
    var bytes = try bytes(count: step, at: 0)
    var isWhole = bytes.count < step
    while !isWhole && bytes.count <= limit {
      let more = try self.bytes(
        count: min(max(step, 1 << 16), limit + 1 - bytes.count), at: Int64(bytes.count))
      bytes += more
      isWhole = more.isEmpty
    }
    return bytes.count > limit ? nil : bytes
  }
}

/// The origin of a file.
///
/// The origin decides where symlinks on the way to the file may lead.
package enum FileOrigin: Sendable {
  /// The file could come from someone else.
  case input
  /// packtool wrote the file into the output folder of this run.
  ///
  /// The user chose this folder.
  case output
}

/// An open file that several values share.
package final class SharedFile: Sendable {
  package let input: InputFile

  package init(_ input: consuming InputFile) { self.input = input }
}

private func memoryFile(_ bytes: ByteBuffer, name: String) throws(SystemError) -> Int32 {
  let descriptor = Platform.openMemory()
  if descriptor < 0 { throw SystemError(during: "create", path: name) }
  if bytes.withBytes({ writeAll($0, to: descriptor) }) { return descriptor }
  let error = SystemError(during: "write", path: name)
  close(descriptor)
  throw error
}

/// Opens a file for reading.
///
/// If the file is a fifo, the call does not wait for a writer. On failure, sets `errno` and returns a
/// negative number.
///
/// The file's access time does not change if the system allows that. Otherwise, reading each file of a fresh
/// checkout would cost a write to its inode.
func openForReading(_ name: UnsafePointer<CChar>, below folder: Int32, flags: Int32 = 0) -> Int32 {
  let flags = flags | O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
  let file = retrying { openat(folder, name, flags | Platform.keepingAccessTime) }
  // Only the owner of a file can request that the file's access time does not change.
  return file < 0 && errno == EPERM ? retrying { openat(folder, name, flags) } : file
}

extension InputFile {
  /// Reads a pipe until all its writers have closed it.
  ///
  /// Returns nil if there are more than `limit` bytes.
  package func streamedBytes(limit: Int) throws(SystemError) -> [UInt8]? {
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= limit {
      try Interruption.check()
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      // A fifo reports no event until a process opens it for writing.
      if poll(&waiting, 1, 100) <= 0 { continue }
      let count = block.withUnsafeMutableBytes { readSystemCall(descriptor, into: $0) }
      if count == 0 { return bytes }
      if count < 0 {
        if errno == EAGAIN || errno == EINTR { continue }
        throw SystemError(during: "read", path: path)
      }
      bytes += block[..<count]
    }
    return nil
  }
}

/// The content of the file at a path, or the reason why there is no content.
package enum FileContents: Sendable, Hashable {
  case bytes([UInt8])
  case missing
  /// The path leads to a folder, or to something else without content.
  case noFile
  case tooLong

  /// Reads an input file of at most `limit` bytes by its path, relative to the current directory.
  ///
  /// Throws if the file exists but cannot be read, or if a symlink on the way leads out of a checkout.
  package init(of path: String, limit: Int) throws(SystemError) {
    try self.init(of: path, from: .input, limit: limit)
  }

  /// Reads a file of at most `limit` bytes that packtool itself wrote into an output folder.
  package init(outputPath path: String, limit: Int) throws(SystemError) {
    try self.init(of: path, from: .output, limit: limit)
  }

  /// Reads a file of at most `limit` bytes, with the checks that its origin needs.
  package init(of path: String, from origin: FileOrigin, limit: Int) throws(SystemError) {
    do throws(SystemError) {
      try self.init(of: InputFile(path, from: origin), limit: limit)
    } catch {
      if !error.isMissing { throw error }
      self = .missing
    }
  }

  /// Reads an input file or a pipe of at most `limit` bytes.
  ///
  /// A pipe, such as `<(pass show key)` in a shell, can only be read once.
  package init(ofFileOrPipe path: String, limit: Int) throws(SystemError) {
    guard try FileOperations.statusIfThere(path)?.kind == .fifo else {
      try self.init(of: path, limit: limit)
      return
    }
    self = try InputFile(path).streamedBytes(limit: limit).map(FileContents.bytes) ?? .tooLong
  }

  /// Reads an open file of at most `limit` bytes.
  package init(of file: borrowing InputFile, limit: Int) throws(SystemError) {
    if try file.status().kind != .file {
      self = .noFile
    } else {
      self = try file.contents(limit: limit).map(FileContents.bytes) ?? .tooLong
    }
  }
}
