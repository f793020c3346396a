import CLinux
import Glibc

/// A file that is written to take the place of another.
///
/// It has no name meanwhile where the file system and /proc allow that, so that a kill leaves nothing; else one of
/// packtool's own. Either way it is locked, by which others see that it is no leftover.
struct Successor: ~Copyable {
  private let folder: String
  /// -1 once it is closed.
  private var descriptor: Int32
  /// Its path; nil while it has none.
  private var staged: String?

  /// Makes a file in a folder; a private one is only its owner's until it takes the rights of another.
  init(in folder: String, isPrivate: Bool) throws(SystemError) {
    self.folder = folder
    (descriptor, staged) = try Self.opened(in: folder, isPrivate ? 0o600 : 0o644)
  }

  private static func opened(in folder: String, _ mode: mode_t) throws(SystemError) -> (Int32, String?) {
    let temporary: Int32 = 0o20_000_000  // O_TMPFILE
    let unnamed = retrying { open(folder, temporary | O_DIRECTORY | O_RDWR | O_CLOEXEC, mode) }
    if unnamed >= 0 && access("/proc/self/fd/\(unnamed)", F_OK) == 0 {
      try lock(unnamed, named: nil)
      return (unnamed, nil)
    }
    if unnamed >= 0 { close(unnamed) }
    while true {
      let path = unusedPath(in: folder)
      let file = retrying { open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode) }
      if file < 0 && errno == EEXIST { continue }
      if file < 0 { throw SystemError("create", path) }
      try lock(file, named: path)
      var status = stat()
      // Another run may have taken it for a leftover before it was locked.
      if fstat(file, &status) != 0 || status.st_nlink > 0 { return (file, path) }
      close(file)
    }
  }

  private static func lock(_ file: Int32, named path: String?) throws(SystemError) {
    do throws(SystemError) {
      try FileLock.wait(for: file, path ?? "")
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

  /// Not derived from the other file's name, which may have the longest possible length already.
  private static func unusedPath(in folder: String) -> String {
    let name = FileOperations.stagedPrefix + String(UInt64.random(in: 0 ... .max), radix: 16)
    return folder == "/" ? "/" + name : "\(folder)/\(name)"
  }

  func write(_ bytes: ByteBuffer) throws(SystemError) {
    try Interruption.check()
    if !bytes.withBytes({ writeAll($0, to: descriptor) }) { throw SystemError("write", folder + "/") }
  }

  /// Puts it in the place of a file, with all its bytes on the disk.
  consuming func replace(_ path: String) throws(SystemError) {
    if retrying({ fsync(descriptor) }) != 0 && !isUnsupported(errno) { throw SystemError("sync", path) }
    while staged == nil {
      let name = Self.unusedPath(in: folder)
      if linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0 {
        staged = name
      } else if errno != EEXIST {
        throw SystemError("create", path)
      }
    }
    if let staged { try FileOperations.rename(staged, to: path) }
    staged = nil
    let isClosed = isClosing(descriptor)
    descriptor = -1
    if !isClosed { throw SystemError("close", path) }
  }

  /// Takes owner, group, extended attributes, access lists among them, and mode of a file; returns what it cannot take.
  func takeTraits(of path: String) throws(SystemError) -> [String] {
    var lost: [String] = []
    var old = stat()
    var new = stat()
    if stat(path, &old) != 0 || fstat(descriptor, &new) != 0 { throw SystemError("look at", path) }
    if new.st_uid != old.st_uid && fchown(descriptor, old.st_uid, gid_t.max) != 0 { lost.append("the owner") }
    var mode = old.st_mode & 0o7777
    if new.st_gid != old.st_gid && fchown(descriptor, uid_t.max, old.st_gid) != 0 {
      lost.append("the group")
      // What the old group might do the new one may not.
      mode &= ~0o070
    }
    if !lost.isEmpty { mode &= 0o777 }
    // The folder may have given it a list of its own.
    _ = fremovexattr(descriptor, "system.posix_acl_access")
    for name in try Self.attributes(of: path) where !Self.boundToContent.contains(name) {
      if try !take(name, of: path) { lost.append("the attribute \"\(name)\"") }
    }
    if fchmod(descriptor, mode) != 0 { throw SystemError("set the mode of", path) }
    return lost
  }

  /// Attributes that say something of the bytes, which are others now.
  private static let boundToContent: Set = ["security.ima", "security.evm", "security.capability"]

  private static func attributes(of path: String) throws(SystemError) -> [String] {
    // The kernel's limit of all names together, as that of one value.
    let names = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      count = buffer.withMemoryRebound(to: CChar.self) { max(0, listxattr(path, $0.baseAddress, $0.count)) }
    }
    return names.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  private func take(_ name: String, of path: String) throws(SystemError) -> Bool {
    try withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { value throws(SystemError) in
      let count = getxattr(path, name, value.baseAddress, value.count)
      return count >= 0 && fsetxattr(descriptor, name, value.baseAddress, count, 0) == 0
    }
  }

  /// Removes the files of runs that were killed: those of packtool's names that nobody has locked.
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
