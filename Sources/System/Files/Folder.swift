#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// An open folder.
///
/// Paths are relative to this folder. They can have any length and contain any bytes.
package final class Folder: Sendable {
  /// The folder's path, for messages.
  package let path: String
  let descriptor: Int32

  /// Opens a folder by its path, relative to the current directory.
  package init(_ path: String, symlinks: SymlinkFollowing = .followed) throws(SystemError) {
    self.path = path
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (symlinks == .followed ? 0 : O_NOFOLLOW)
    self.descriptor = retrying { open(path, flags) }
    if descriptor < 0 { throw SystemError(during: "open the folder", path: path) }
  }

  /// Opens a folder by its path, relative to another open folder.
  package convenience init(_ path: [UInt8], below parent: Folder) throws(SystemError) {
    let descriptor = try parent.withShortRest(of: path, action: "open the folder") {
      folder, rest throws(SystemError) in
      let descriptor = retrying { openat(folder, rest, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
      if descriptor < 0 { throw parent.failure(during: "open the folder", at: path) }
      return descriptor
    }
    self.init(path: parent.display(path), descriptor: descriptor)
  }

  private init(path: String, descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  package func status() throws(SystemError) -> FileStatus {
    guard let status = FileStatus(ofOpen: descriptor) else {
      throw SystemError(during: "access", path: path)
    }
    return status
  }

  /// Returns the status of a path below the folder.
  package func status(of path: [UInt8], symlinks: SymlinkFollowing) throws(SystemError) -> FileStatus {
    try withShortRest(of: path, action: "access") { folder, rest throws(SystemError) in
      var status = stat()
      let flags = symlinks == .followed ? 0 : AT_SYMLINK_NOFOLLOW
      if fstatat(folder, rest, &status, flags) != 0 { throw failure(during: "access", at: path) }
      return FileStatus(status)
    }
  }

  /// Opens a file below the folder for reading.
  ///
  /// If the file is a fifo, the call does not wait for a writer.
  package func openFile(_ path: [UInt8]) throws(SystemError) -> InputFile {
    try withShortRest(of: path, action: "open") { folder, rest throws(SystemError) in
      let file = openForReading(rest, below: folder)
      if file < 0 { throw failure(during: "open", at: path) }
      return InputFile(descriptor: file, folder: self.path, below: path)
    }
  }

  /// Returns the target of a symlink, byte for byte.
  package func target(ofLink path: [UInt8]) throws(SystemError) -> [UInt8] {
    try withShortRest(of: path, action: "read the symlink") { folder, rest throws(SystemError) in
      var length = -1
      let target = [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
        length = buffer.withMemoryRebound(to: CChar.self) {
          readlinkat(folder, rest, $0.baseAddress!, $0.count)
        }
        count = max(length, 0)
      }
      if length < 0 { throw failure(during: "read the symlink", at: path) }
      return target
    }
  }

  /// Returns the sorted entries of this folder, or of a folder below this folder.
  package func listing(of path: [UInt8] = []) throws(SystemError) -> FolderListing {
    try list(path, flags: 0) { _ in true } ?? FolderListing()
  }

  /// Returns the sorted entries of a folder that was found earlier; nil if its path now leads to something
  /// else.
  ///
  /// Pass `.followed` for `symlinks` only if the folder was found through a symlink.
  package func listing(
    of path: [UInt8], expecting identity: FileIdentity, symlinks: SymlinkFollowing = .notFollowed
  ) throws(SystemError) -> FolderListing? {
    let listing = try unless({ $0.isLink || $0.code == ENOTDIR }) { () throws(SystemError) in
      try list(path, flags: symlinks == .followed ? 0 : O_NOFOLLOW) { $0.identity == identity }
    }
    return listing ?? nil
  }

  /// Opens a folder and returns its entries.
  ///
  /// Returns nil if `isWanted` is false for the opened folder.
  private func list(
    _ path: [UInt8], flags: Int32, where isWanted: (FileStatus) -> Bool
  ) throws(SystemError) -> FolderListing? {
    try Interruption.check()
    let name = path.isEmpty ? [UInt8(ascii: ".")] : path
    return try withShortRest(of: name, action: "open the folder") { folder, rest throws(SystemError) in
      let descriptor = retrying { openat(folder, rest, O_RDONLY | O_DIRECTORY | O_CLOEXEC | flags) }
      if descriptor < 0 { throw failure(during: "open the folder", at: path) }
      defer { close(descriptor) }
      guard let status = FileStatus(ofOpen: descriptor) else { throw failure(during: "access", at: path) }
      if !isWanted(status) { return nil }
      return try FolderListing(reading: descriptor) { failure(during: "read the folder", at: path) }
    }
  }

  /// Removes everything below the folder.
  ///
  /// Symlinks are removed and not followed.
  func removeContents() throws(SystemError) {
    // The loop works depth first, but without recursion. A folder is removed after all its contents.
    var waiting: [[UInt8]] = [[]]
    while let next = waiting.last {
      let before = waiting.count
      let listing = try listing(of: next)
      for entry in listing.entries {
        let path = (next.isEmpty ? [] : next + [UInt8(ascii: "/")]) + listing.name(of: entry)
        if entry.status.kind == .folder { waiting.append(path) } else { try remove(path, flags: 0) }
      }
      guard waiting.count == before else { continue }
      waiting.removeLast()
      if !next.isEmpty { try remove(next, flags: AT_REMOVEDIR) }
    }
  }

  private func remove(_ path: [UInt8], flags: Int32) throws(SystemError) {
    try withShortRest(of: path, action: "remove") { folder, rest throws(SystemError) in
      if unlinkat(folder, rest, flags) != 0 && errno != ENOENT { throw failure(during: "remove", at: path) }
    }
  }

  private func failure(during action: String, at below: [UInt8]) -> SystemError {
    SystemError(during: action, path: display(below))
  }

  private func display(_ below: [UInt8]) -> String { shownPath(in: path, at: below) }

  /// Opens folders of a path until the rest of the path is short enough for one system call, and then runs
  /// `body`.
  ///
  /// `body` gets the descriptor of the folder that was opened last, and the rest of the path. The rest can
  /// have many components.
  ///
  /// The kernel accepts at most PATH_MAX bytes in one call, so a longer path is opened in several steps.
  private func withShortRest<Result: ~Copyable>(
    of path: [UInt8], action: String,
    body: (_ folder: Int32, _ rest: UnsafePointer<CChar>) throws(SystemError) -> Result
  ) throws(SystemError) -> Result {
    var folder = descriptor
    defer { if folder != descriptor { close(folder) } }
    var rest = path[...]
    while rest.count >= maxStep {
      guard let cut = rest.prefix(maxStep).lastIndex(of: UInt8(ascii: "/")) else { break }
      if !descend(&folder, to: rest[..<cut], keepingOpen: descriptor, flags: O_RDONLY) {
        throw failure(during: action, at: path)
      }
      rest = rest[(cut + 1)...]
    }
    var outcome: Swift.Result<Void, SystemError> = .success(())
    var result: Result?
    withCPath(rest) { rest in
      do throws(SystemError) {
        result = try body(folder, rest)
      } catch {
        outcome = .failure(error)
      }
    }
    try outcome.get()
    return result!
  }
}

/// The maximum length of a path in one system call: PATH_MAX without the final zero.
private let maxStep = Int(PATH_MAX) - 1

/// Runs `body` with a path as a zero-terminated string.
///
/// The path can contain any other bytes.
func withCPath<Result>(_ bytes: ArraySlice<UInt8>, body: (UnsafePointer<CChar>) -> Result) -> Result {
  withUnsafeTemporaryAllocation(byteCount: bytes.count + 1, alignment: 1) { buffer in
    buffer.copyBytes(from: bytes)
    buffer[bytes.count] = 0
    return body(buffer.baseAddress!.assumingMemoryBound(to: CChar.self))
  }
}

/// Replaces a folder's descriptor with the descriptor of a folder below it.
///
/// Closes the old descriptor unless it is `start`. On failure, sets `errno` and returns false.
func descend(_ folder: inout Int32, to path: ArraySlice<UInt8>, keepingOpen start: Int32, flags: Int32)
  -> Bool
{
  let next = withCPath(path) { path in
    retrying { openat(folder, path, flags | O_DIRECTORY | O_CLOEXEC) }
  }
  if next < 0 { return false }
  if folder != start { close(folder) }
  folder = next
  return true
}

/// A path below a folder, for messages.
func shownPath(in folder: String, at below: [UInt8]) -> String {
  below.isEmpty ? folder : "\(folder)/\(String(decoding: below, as: UTF8.self))"
}

// Access to paths without following symlinks in any component. Each folder on the way is opened separately,
// so a component that becomes a symlink between two calls is not followed.
extension Folder {
  /// Returns the status of a path below the folder; nil if a component is a symlink or nothing exists there.
  package func statusWithoutLinks(of path: [UInt8]) throws(SystemError) -> FileStatus? {
    try withoutLinks(path, action: "access") { parent, name in
      var status = stat()
      return fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? FileStatus(status) : nil
    }
  }

  /// Opens a file below the folder for reading; nil if a component of its path is a symlink or nothing exists
  /// there.
  package func openFileWithoutLinks(_ path: [UInt8]) throws(SystemError) -> InputFile? {
    try withoutLinks(path, action: "open") { parent, name in
      let file = openForReading(name, below: parent, flags: O_NOFOLLOW)
      return file < 0 ? nil : InputFile(descriptor: file, folder: self.path, below: path)
    }
  }

  /// Runs `body` with the open parent folder of a path and its last component.
  ///
  /// `body` returns nil and sets `errno` if it fails.
  private func withoutLinks<Result: ~Copyable>(
    _ path: [UInt8], action: String, body: (_ parent: Int32, _ name: UnsafePointer<CChar>) -> Result?
  ) throws(SystemError) -> Result? {
    var parent = descriptor
    defer { if parent != descriptor { close(parent) } }
    let names = path.split(separator: UInt8(ascii: "/"))
    let flags = Platform.placeOnly | O_NOFOLLOW
    for name in names.dropLast() {
      if !descend(&parent, to: name, keepingOpen: descriptor, flags: flags) {
        return try nothing(at: path, action: action)
      }
    }
    var result: Result?
    withCPath(names.last ?? [UInt8(ascii: ".")]) { name in result = body(parent, name) }
    if result == nil { return try nothing(at: path, action: action) }
    return result
  }

  /// Returns nil if `errno` says that a component is a symlink or does not exist.
  ///
  /// Otherwise throws an error.
  private func nothing<Result: ~Copyable>(at path: [UInt8], action: String) throws(SystemError) -> Result? {
    let error = SystemError(during: action, path: shownPath(in: self.path, at: path))
    if error.isMissing || error.isLink { return nil }
    throw error
  }
}
