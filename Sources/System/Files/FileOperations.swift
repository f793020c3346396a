#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Changes to the file system.
///
/// Paths are relative to the current directory.
package enum FileOperations {
  /// Creates a folder and its missing parents.
  ///
  /// The result is the list of created folders, from the outermost to the innermost.
  @discardableResult
  package static func makeFolder(_ path: String) throws(SystemError) -> [String] {
    if mkdir(path, 0o755) == 0 { return [path] }
    var made: [String] = []
    var error = SystemError(during: SystemError.creatingFolder, path: path)
    if error.code == ENOENT, let parent = parent(of: path) {
      made = try makeFolder(parent)
      if mkdir(path, 0o755) == 0 { return made + [path] }
      // Another thread may have created it in the meantime.
      error = SystemError(during: SystemError.creatingFolder, path: path)
    }
    if error.isExisting {
      do throws(SystemError) {
        if try statusIfThere(path)?.kind == .folder { return made }
      } catch let unclear {
        error = unclear
      }
    }
    for folder in made.reversed() { removeFolderIfEmpty(folder) }
    throw error
  }

  /// Makes a folder readable for all users, whatever the umask is.
  package static func publish(folder path: String) throws(SystemError) {
    if chmod(path, 0o755) != 0 { throw SystemError(during: "set the permissions of", path: path) }
  }

  /// Writes a new file that all users can read.
  ///
  /// Throws if the file already exists.
  package static func write(_ bytes: ByteBuffer, toNew path: String) throws(SystemError) {
    var file = try OutputFile(creating: path)
    try file.write(bytes)
    _ = try file.finish(readableBy: .everyone)
  }

  /// Whether a file contains exactly these bytes.
  package static func contents(of path: String, equal bytes: ByteBuffer) -> Bool {
    (try? InputFile(outputPath: path).contents(limit: bytes.count)) == .some(bytes.array())
  }

  /// Renames a file and replaces any file that has the new name.
  package static func rename(_ path: String, to target: String) throws(SystemError) {
    if renameSystemCall(path, to: target) != 0 { throw SystemError(during: "rename a file to", path: target) }
  }

  /// Removes a file, or a folder with all its contents.
  ///
  /// If the file does not exist, this is not an error.
  package static func remove(_ path: String) throws(SystemError) {
    if unlink(path) == 0 || errno == ENOENT { return }
    let error = SystemError(during: "remove", path: path)
    // Some systems report EPERM for a folder, and all systems report EPERM for a file that must not be
    // removed.
    guard error.code == EISDIR || error.code == EPERM,
      try statusIfThere(path, symlinks: .notFollowed)?.kind == .folder
    else { throw error }
    try Folder(path, symlinks: .notFollowed).removeContents()
    if rmdir(path) != 0 { throw SystemError(during: "remove", path: path) }
  }

  /// Removes a file or a symlink.
  ///
  /// If the file does not exist, this is not an error. If the path is a folder, the function throws.
  package static func removeFile(_ path: String) throws(SystemError) {
    if unlink(path) == 0 || errno == ENOENT { return }
    throw SystemError(during: "remove", path: path)
  }

  package static func removeFolderIfEmpty(_ path: String) { rmdir(path) }

  /// Returns the status of a path.
  package static func status(
    of path: String, symlinks: SymlinkFollowing
  ) throws(SystemError) -> FileStatus {
    var status = stat()
    let code = symlinks == .followed ? stat(path, &status) : lstat(path, &status)
    if code != 0 { throw SystemError(during: "access", path: path) }
    return FileStatus(status)
  }

  /// Returns the status of a path; nil if nothing exists there.
  ///
  /// Throws if it is not possible to determine this.
  package static func statusIfThere(
    _ path: String, symlinks: SymlinkFollowing = .followed
  ) throws(SystemError) -> FileStatus? {
    try unless {
      $0.isMissing || $0.isTooLong || $0.isLink
    } call: { () throws(SystemError) in
      try status(of: path, symlinks: symlinks)
    }
  }

  /// Whether anything exists at a path.
  ///
  /// A dangling symlink counts as existing only if symlinks are not followed.
  package static func exists(
    _ path: String, symlinks: SymlinkFollowing = .followed
  ) throws(SystemError) -> Bool {
    try statusIfThere(path, symlinks: symlinks) != nil
  }

  /// Returns the absolute path with all symlinks resolved.
  package static func realPath(of path: String) throws(SystemError) -> [UInt8] {
    guard let real = realpath(path, nil) else { throw SystemError(during: "find", path: path) }
    defer { free(real) }
    return Array(UnsafeRawBufferPointer(start: real, count: strlen(real)))
  }

  /// Returns the sorted names in a folder.
  package static func names(in path: String) throws(SystemError) -> [String] {
    let listing = try Folder(path).listing()
    return listing.entries.map { String(decoding: listing.name(of: $0), as: UTF8.self) }
  }

  /// Returns the parent folder of a path; nil if the path contains no parent folder.
  package static func parent(of path: String) -> String? {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex else { return nil }
    return String(path[..<slash])
  }
}

extension FileOperations {
  /// Creates a hard link to a file.
  ///
  /// If hard links are not possible, copies the file and its modification time. If the path is a symlink, it
  /// is not followed, and the new name is another symlink.
  package static func linkOrCopy(_ path: String, to target: String) throws(SystemError) {
    if link(path, target) == 0 { return }
    let error = SystemError(during: "create a link at", path: target)
    guard [EXDEV, EPERM, EMLINK, EOPNOTSUPP, ENOSYS].contains(error.code) else { throw error }
    try copy(path, toNew: target)
  }

  /// Moves a folder.
  ///
  /// If the folder cannot be renamed, it is moved file by file. An example is a folder in a lower layer of
  /// overlayfs.
  package static func moveFolder(_ path: String, to target: String) throws(SystemError) {
    if renameSystemCall(path, to: target) == 0 { return }
    let error = SystemError(during: "rename a file to", path: target)
    guard error.code == EXDEV else { throw error }
    try makeFolder(target)
    var walk = FolderWalk(try Folder(path, symlinks: .notFollowed))
    while let entry = try walk.next() {
      let below = String(decoding: entry.path, as: UTF8.self)
      if entry.status.kind == .folder {
        try publish(folder: try makeFolder("\(target)/\(below)").last ?? target)
      } else {
        try linkOrCopy("\(path)/\(below)", to: "\(target)/\(below)")
      }
    }
    try publish(folder: target)
    try remove(path)
  }

  /// Copies a file and its modification time to a new file.
  ///
  /// The copy shares the blocks of the original where the file system supports that. A later change to one of
  /// the files does not change the other file.
  ///
  /// - Throws: also if a symlink is at the path and symlinks are not followed.
  package static func copy(
    _ path: String, toNew target: String, symlinks: SymlinkFollowing = .notFollowed
  ) throws(SystemError) {
    let input = try InputFile(outputPath: path, symlinks: symlinks)
    var output = try OutputFile(creating: target, nextRead: .later)
    _ = output.clone(input)
    var buffer = ByteBuffer()
    var offset: Int64 = 0
    while true {
      buffer.clear()
      try input.read(1 << 20, at: offset, into: &buffer)
      if buffer.isEmpty { break }
      offset += Int64(buffer.count)
      try output.write(buffer)
    }
    _ = try output.finish()
    try setModificationTime(of: target, nanoseconds: input.status().modified)
  }

  /// Makes a file readable for all users, whatever the umask is.
  package static func publish(file path: String) throws(SystemError) {
    var status = stat()
    if lstat(path, &status) != 0 { throw SystemError(during: "access", path: path) }
    if status.st_mode & 0o7777 != 0o644 && chmod(path, 0o644) != 0 {
      throw SystemError(during: "set the permissions of", path: path)
    }
  }

  /// Sets the modification time of a file or folder, in nanoseconds since 1970.
  package static func setModificationTime(of path: String, nanoseconds: Int64) throws(SystemError) {
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    let time =
      rest < 0
      ? timespec(tv_sec: time_t(seconds - 1), tv_nsec: Int(rest + 1_000_000_000))
      : timespec(tv_sec: time_t(seconds), tv_nsec: Int(rest))
    if utimensat(AT_FDCWD, path, [time, time], 0) != 0 {
      throw SystemError(during: "set the modification time of", path: path)
    }
  }

  /// Atomically exchanges two files or folders.
  ///
  /// The result is false if the file system does not support an exchange. For example, overlayfs does not
  /// support it for a folder in a lower layer.
  package static func exchange(_ first: String, _ second: String) throws(SystemError) -> Bool {
    if Platform.exchange(first, second) == 0 { return true }
    let error = SystemError(during: "exchange with", path: second)
    if isUnsupported(error.code) || error.code == EXDEV { return false }
    throw error
  }

  /// Waits until the content of a file, or the names in a folder, would survive a power failure.
  package static func sync(_ path: String) throws(SystemError) { try sync(path, by: Platform.sync) }

  /// Syncs a file like `sync`, and then drops it from the page cache.
  ///
  /// The function is used for files that will not be read again soon.
  package static func syncAndRelease(_ path: String) throws(SystemError) {
    // The result does not matter, because this call only gives advice to the system.
    try sync(path, by: Platform.sync) { Platform.dropCache($0) }
  }

  private static func sync(
    _ path: String, by call: (Int32) -> Int32, then use: (Int32) -> Void = { _ in }
  ) throws(SystemError) {
    let descriptor = retrying { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    if descriptor < 0 { throw SystemError(during: "sync", path: path) }
    defer { close(descriptor) }
    try sync(descriptor, pathInMessages: path, by: call)
    use(descriptor)
  }

  /// Syncs an open file.
  ///
  /// If the file system does not support syncing, this is not an error.
  static func sync(
    _ descriptor: Int32, pathInMessages path: String, by call: (Int32) -> Int32 = Platform.sync
  ) throws(SystemError) {
    if retrying({ call(descriptor) }) != 0 && !isUnsupported(errno) {
      throw SystemError(during: "sync", path: path)
    }
  }

  /// Waits until all data written to the file system of a folder would survive a power failure.
  package static func syncFileSystem(of path: String) throws(SystemError) {
    try sync(path, by: Platform.syncFileSystem)
  }

  /// Waits until the name of a new folder would survive a power failure.
  ///
  /// The name is stored in the parent folder.
  package static func syncName(ofFolder path: String) throws(SystemError) {
    let above = "\(path)/.."
    do throws(SystemError) {
      try sync(above)
    } catch {
      // A parent folder that can be written but not read cannot be opened, so the whole file system is
      // synced.
      guard error.isDenied else { throw error }
      try syncFileSystem(of: path)
    }
  }
}

/// Whether an error code means that the file system does not support a call.
///
/// Other codes mean that the call failed.
func isUnsupported(_ code: Int32) -> Bool { [EINVAL, ENOSYS, ENOTSUP, EOPNOTSUPP, ESPIPE].contains(code) }

/// Calls `rename` of the C library, for use in a type that has a method of the same name.
private func renameSystemCall(_ path: String, to target: String) -> Int32 { rename(path, target) }
