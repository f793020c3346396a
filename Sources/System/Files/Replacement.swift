#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Replaces a single file at a path that the user specified.
extension FileOperations {
  /// Writes new content to a file and creates the parent folders.
  ///
  /// A file that already has this content is not touched.
  ///
  /// The file is replaced atomically, and is on the disk when the function returns. A symlink stays, and its
  /// target is replaced. A device, a fifo or an open file below /dev/fd is written to instead. A read-only
  /// file is an error.
  ///
  /// - Returns: the attributes of the old file that the new file could not keep, such as "the owner"; usually
  ///   empty.
  @discardableResult
  package static func replaceContents(of path: String, with bytes: ByteBuffer) throws(SystemError) -> [String]
  {
    let status = try statusIfThere(path, symlinks: .notFollowed)
    if status?.kind == .folder { throw SystemError(during: "write", path: path, code: EISDIR) }
    if case .own(let descriptor) = descriptor(at: path) {
      try write(bytes, to: descriptor, pathInMessages: path)
    } else if try isStream(path) {
      try write(bytes, into: path, flags: O_APPEND)
    } else if status?.kind != .link {
      return try put(bytes, at: path, pathInMessages: path)
    } else {
      switch try statusIfThere(path)?.kind {
      case .folder: throw SystemError(during: "write", path: path, code: EISDIR)
      case nil: try write(bytes, into: path, flags: O_CREAT)
      default:
        if let real = String(validating: try realPath(of: path), as: UTF8.self) {
          return try put(bytes, at: real, pathInMessages: path)
        }
        try write(bytes, into: path, flags: O_TRUNC)
      }
    }
    return []
  }

  /// The prefix of the names of files that will replace other files.
  package static let stagedPrefix = ".packtool-"

  /// Removes files that killed runs have left next to a file.
  package static func removeLeftovers(nextTo path: String) { Successor.removeLeftovers(in: folder(of: path)) }

  /// Whether a path leads to a device, a fifo or something else that cannot be replaced with a file, such as
  /// standard output.
  package static func isStream(_ path: String) throws(SystemError) -> Bool {
    switch try statusIfThere(path)?.kind {
    case .device, .fifo, .socket: true
    case .file: descriptor(at: path) != nil
    case .folder, .link, nil: false
    }
  }

  /// An open file that a path such as /dev/stdout refers to.
  private enum OpenFile {
    /// A descriptor of this process.
    ///
    /// Opening its path again would write from the start of the file.
    case own(Int32)
    case another
  }

  /// Returns the open file that a path such as /dev/stdout leads to through symlinks; nil if the path leads
  /// to something else.
  private static func descriptor(at path: String) -> OpenFile? {
    var path = path
    // The kernel also follows at most 40 symlinks.
    for _ in 0..<40 {
      let folder = folder(of: path)
      if let real = try? realPath(of: folder) {
        let number = path.split(separator: "/").last.flatMap { Int32($0) }
        if let number, real == Array(openFilesFolder.utf8) { return .own(number) }
        if real.starts(with: "/proc/".utf8) { return .another }
      }
      guard let target = target(ofLink: path) else { return nil }
      path = target.hasPrefix("/") ? target : "\(folder)/\(target)"
    }
    return nil
  }

  private static func target(ofLink path: String) -> String? {
    let target = [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
      count = buffer.withMemoryRebound(to: CChar.self) { max(readlink(path, $0.baseAddress!, $0.count), 0) }
    }
    return target.isEmpty ? nil : String(validating: target, as: UTF8.self)
  }

  private static func folder(of path: String) -> String {
    parent(of: path) ?? (path.hasPrefix("/") ? "/" : ".")
  }

  private static func write(_ bytes: ByteBuffer, into path: String, flags: Int32) throws(SystemError) {
    var descriptor: Int32 = -1
    // Opening a fifo waits for a reader, and a signal can interrupt the call.
    while descriptor < 0 {
      descriptor = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC | flags, 0o644)
      if descriptor >= 0 { break }
      if errno != EINTR { throw SystemError(during: "open", path: path) }
      try Interruption.check()
    }
    defer { close(descriptor) }
    try write(bytes, to: descriptor, pathInMessages: path)
  }

  private static func write(
    _ bytes: ByteBuffer, to descriptor: Int32, pathInMessages path: String
  ) throws(SystemError) {
    if !bytes.withBytes({ writeAll($0, to: descriptor) }) { throw SystemError(during: "write", path: path) }
    try sync(descriptor, pathInMessages: path)
  }

  /// Creates or replaces a file.
  ///
  /// Returns the attributes of the old file that the new file could not keep.
  ///
  /// `pathInMessages` is the path that messages show.
  private static func put(
    _ bytes: ByteBuffer, at path: String, pathInMessages: String
  ) throws(SystemError) -> [String] {
    let folder = folder(of: path)
    Successor.removeLeftovers(in: folder)
    if contents(of: path, equal: bytes) { return [] }
    var old = stat()
    let isThere = stat(path, &old) == 0
    if isThere, old.st_mode & 0o222 == 0 || faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0 {
      throw SystemError(during: "replace the read-only file", path: pathInMessages, code: EACCES)
    }
    let made = try makeFolder(folder)
    do throws(SystemError) {
      for new in made { try syncName(ofFolder: new) }
      // The permissions are strict at first: only the owner can read the new file until it gets the
      // permissions of the old file.
      let new = try Successor(in: folder, mode: isThere ? 0o600 : 0o644)
      try new.write(bytes)
      let lost = isThere ? try new.copyAttributes(of: path) : []
      try new.replace(path)
      try syncNames(in: folder, of: path)
      return lost
    } catch {
      for folder in made.reversed() { removeFolderIfEmpty(folder) }
      throw error.path == folder
        ? error : SystemError(during: error.action, path: pathInMessages, code: error.code)
    }
  }

  /// Syncs the folder that contains a file, so that the file's name survives a power failure.
  private static func syncNames(in folder: String, of path: String) throws(SystemError) {
    do throws(SystemError) {
      try sync(folder)
    } catch {
      // A folder that can be written but not read cannot be opened, so its file system is synced.
      guard error.isDenied else { throw error }
      let descriptor = retrying { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
      if descriptor < 0 { return }
      defer { close(descriptor) }
      try sync(descriptor, pathInMessages: path, by: Platform.syncFileSystem)
    }
  }
}

/// A new file that is being written and will replace another file.
///
/// If the file system and /proc allow it, the file has no name until it replaces the other file. A killed run
/// then leaves no file. Otherwise, the file has a name that begins with `stagedPrefix`. In both cases the
/// file is locked, because other runs would otherwise remove it as a leftover.
struct Successor: ~Copyable {
  private let folder: String
  /// The file descriptor; -1 after the file is closed.
  private var descriptor: Int32
  /// The path of the file; nil while it has no name.
  private var staged: String?

  /// Creates the file in a folder.
  init(in folder: String, mode: mode_t) throws(SystemError) {
    self.folder = folder
    (descriptor, staged) = try Self.opened(in: folder, mode: mode)
  }

  private static func opened(in folder: String, mode: mode_t) throws(SystemError) -> (Int32, String?) {
    let unnamed = Platform.openUnnamed(in: folder, mode: mode)
    if unnamed >= 0 {
      try lock(unnamed, named: nil)
      return (unnamed, nil)
    }
    while true {
      let path = unusedPath(in: folder)
      let file = retrying { open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode) }
      if file < 0 && errno == EEXIST { continue }
      if file < 0 { throw SystemError(during: "create", path: path) }
      try lock(file, named: path)
      // Before the file was locked, another run may have removed it as a leftover.
      var status = stat()
      if fstat(file, &status) != 0 || status.st_nlink > 0 { return (file, path) }
      close(file)
    }
  }

  private static func lock(_ file: Int32, named path: String?) throws(SystemError) {
    do throws(SystemError) {
      try FileLock.wait(for: file, path: path ?? "")
    } catch {
      if let path { unlink(path) }
      close(file)
      throw error
    }
  }

  deinit {
    if let staged { unlink(staged) }
    if descriptor >= 0 { close(descriptor) }
  }

  /// Returns an unused path.
  ///
  /// The path does not contain the name of the other file, because that name may already have the maximum
  /// length.
  private static func unusedPath(in folder: String) -> String {
    let name = FileOperations.stagedPrefix + String(UInt64.random(in: 0 ... .max), radix: 16)
    return folder == "/" ? "/" + name : "\(folder)/\(name)"
  }

  func write(_ bytes: ByteBuffer) throws(SystemError) {
    try Interruption.check()
    if !bytes.withBytes({ writeAll($0, to: descriptor) }) {
      throw SystemError(during: "write", path: folder + "/")
    }
  }

  /// Replaces another file with this file, after all its bytes are on the disk.
  consuming func replace(_ path: String) throws(SystemError) {
    try FileOperations.sync(descriptor, pathInMessages: path)
    while staged == nil {
      let name = Self.unusedPath(in: folder)
      if Platform.linkUnnamed(descriptor, at: name) == 0 {
        staged = name
      } else if errno != EEXIST {
        throw SystemError(during: "create", path: path)
      }
    }
    if let staged { try FileOperations.rename(staged, to: path) }
    staged = nil
    try System.finish(&descriptor, of: path)
  }

  /// Copies the owner, group, mode and extended attributes of a file, including access lists.
  ///
  /// Returns the attributes that it cannot copy.
  func copyAttributes(of path: String) throws(SystemError) -> [String] {
    var lost: [String] = []
    var old = stat()
    var new = stat()
    if stat(path, &old) != 0 || fstat(descriptor, &new) != 0 {
      throw SystemError(during: "access", path: path)
    }
    if new.st_uid != old.st_uid && fchown(descriptor, old.st_uid, gid_t.max) != 0 { lost.append("the owner") }
    var mode = old.st_mode & 0o7777
    if new.st_gid != old.st_gid && fchown(descriptor, uid_t.max, old.st_gid) != 0 {
      lost.append("the group")
      // If the group could not be copied, the new file's group must not get the permissions of the old group.
      mode &= ~0o070
    }
    if !lost.isEmpty { mode &= 0o777 }
    lost += Platform.copyAttributes(of: path, to: descriptor)
    if fchmod(descriptor, mode) != 0 { throw SystemError(during: "set the permissions of", path: path) }
    return lost
  }

  /// Removes the files of killed runs.
  ///
  /// These are files with names that packtool generates, and that no process has locked.
  static func removeLeftovers(in folder: String) {
    for name in (try? FileOperations.names(in: folder)) ?? []
    where name.hasPrefix(FileOperations.stagedPrefix) {
      let number = name.dropFirst(FileOperations.stagedPrefix.count)
      guard number.count <= 16, UInt64(number, radix: 16) != nil else { continue }
      let path = "\(folder)/\(name)"
      let file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
      if file < 0 { continue }
      var status = stat()
      if fstat(file, &status) == 0, FileStatus(status).kind == .file, status.st_uid == geteuid(),
        flock(file, LOCK_EX | LOCK_NB) == 0
      {
        unlink(path)
      }
      close(file)
    }
  }
}
