#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A folder for extracted files.
///
/// Files are accessed through descriptors, so no path and no symlink can lead out of the folder. Files are
/// written to a staging folder and renamed when all of them are complete.
package final class OutputTree: Sendable {
  /// The folder's path, for messages.
  package let path: String
  private let descriptor: Int32
  private let staging: Int32

  private static let stagingName = ".packtool-unpack"

  /// Opens a folder by its path, relative to the current directory, and prepares its staging folder.
  ///
  /// The initializer waits for other processes that extract to this folder, and removes files that an earlier
  /// run left in the staging folder.
  package init(_ path: String) throws(SystemError) {
    self.path = path
    let stagingPath = "\(path)/\(Self.stagingName)"
    let folder = retrying { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    if folder < 0 { throw SystemError(during: "open the folder", path: path) }
    do throws(SystemError) {
      try FileLock.wait(for: folder, path: path)
      try FileOperations.remove(stagingPath)
    } catch {
      close(folder)
      throw error
    }
    let isMade = mkdirat(folder, Self.stagingName, 0o755) == 0
    let staged = isMade ? retrying { openat(folder, Self.stagingName, folderFlags) } : -1
    if staged < 0 {
      let error = SystemError(during: SystemError.creatingFolder, path: stagingPath)
      if isMade { unlinkat(folder, Self.stagingName, AT_REMOVEDIR) }
      close(folder)
      throw error
    }
    descriptor = folder
    staging = staged
  }

  deinit {
    close(staging)
    close(descriptor)
  }

  /// Waits until all files written so far, and their names, would survive a power failure.
  package func sync() throws(SystemError) { try FileOperations.syncFileSystem(of: path) }

  package func clearStaging() throws(SystemError) { try FileOperations.remove("\(path)/\(Self.stagingName)") }

  /// A file or folder that already exists at the path of a new file, or a file at the path of one of the new
  /// file's parent folders.
  package enum Obstacle: Sendable, Hashable {
    case file
    case folder
    /// There is a file or symlink at the path of a parent folder.
    ///
    /// The bytes are that path.
    case noFolder([UInt8])
  }

  /// Returns the file or folder that blocks the path of a new file; nil if nothing blocks it.
  package func obstacle(to path: [UInt8]) throws(SystemError) -> Obstacle? {
    var parent = descriptor
    defer { if parent != descriptor { close(parent) } }
    let names = path.split(separator: UInt8(ascii: "/"))
    if names[0].elementsEqual(Self.stagingName.utf8) { return .noFolder(Array(names[0])) }
    for (depth, name) in names.dropLast().enumerated() {
      if !descend(&parent, to: name, keepingOpen: descriptor, flags: folderFlags) {
        let error = failure(during: "open the folder", at: path)
        if error.code == ENOENT { return nil }
        guard error.isLink || error.code == ENOTDIR else { throw error }
        return .noFolder(Array(names[...depth].joined(separator: [UInt8(ascii: "/")])))
      }
    }
    var status = stat()
    if withCPath(names[names.count - 1], body: { fstatat(parent, $0, &status, AT_SYMLINK_NOFOLLOW) }) != 0 {
      let error = failure(during: "access", at: path)
      if error.code == ENOENT { return nil }
      throw error
    }
    return FileStatus(status).kind == .folder ? .folder : .file
  }

  /// Creates a file in the staging folder.
  package func stage(_ name: String) throws(SystemError) -> StagedFile {
    let file = retrying {
      openat(staging, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
    }
    if file < 0 { throw SystemError(during: "create", path: "\(path)/\(Self.stagingName)/\(name)") }
    return StagedFile(descriptor: file, path: "\(path)/\(Self.stagingName)/\(name)")
  }

  /// Whether a file that already exists at the path of a new file is replaced or kept.
  package enum ExistingFile: Sendable {
    case isReplaced
    /// The existing file stays, and the call throws an error.
    case isKept
  }

  /// Moves a staged file to its path and creates the parent folders.
  package func publish(
    stagedFile name: String, as path: [UInt8], existing: ExistingFile
  ) throws(SystemError) {
    var parent = descriptor
    defer { if parent != descriptor { close(parent) } }
    let names = path.split(separator: UInt8(ascii: "/"))
    for name in names.dropLast() {
      if withCPath(name, body: { mkdirat(parent, $0, 0o755) }) != 0 && errno != EEXIST {
        throw failure(during: SystemError.creatingFolder, at: path)
      }
      if !descend(&parent, to: name, keepingOpen: descriptor, flags: folderFlags) {
        throw failure(during: "open the folder", at: path)
      }
    }
    let code = withCPath(names[names.count - 1]) { target in
      if existing == .isReplaced { return renameat(staging, name, parent, target) }
      // Unlike a rename, a hard link fails if the target exists.
      if linkat(staging, name, parent, target, 0) == 0 { return unlinkat(staging, name, 0) }
      let hasLinks = errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS
      if hasLinks || faccessat(parent, target, F_OK, AT_SYMLINK_NOFOLLOW) == 0 { return -1 }
      return renameat(staging, name, parent, target)
    }
    if code != 0 { throw failure(during: "write", at: path) }
  }

  private func failure(during action: String, at below: [UInt8]) -> SystemError {
    SystemError(during: action, path: "\(path)/\(String(decoding: below, as: UTF8.self))")
  }
}

package struct StagedFile: ~Copyable, Sendable {
  /// The file descriptor; -1 after the file is closed.
  fileprivate var descriptor: Int32
  fileprivate let path: String

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Closes the file.
  ///
  /// Some file systems do not report a full disk before the file is closed.
  package consuming func finish() throws(SystemError) { try System.finish(&descriptor, of: path) }

  package func append(_ block: RawSpan) throws(SystemError) {
    if !writeAll(block, to: descriptor) { throw SystemError(during: "write", path: path) }
  }
}

private let folderFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
