import Glibc

// Paths in which no component may be a link: each folder on the way is opened separately, so that a component that
// becomes a link between two calls is not followed.
extension Folder {
  /// The status of a path below the folder; nil if a component is a link, or nothing is there.
  package func statusWithoutLinks(of path: [UInt8]) throws(SystemError) -> FileStatus? {
    try withoutLinks(path, action: "look at") { parent, name in
      var status = stat()
      return fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? FileStatus(status) : nil
    }
  }

  /// Opens a file below the folder for reading; nil if a component of its path is a link, or nothing is there.
  package func openFileWithoutLinks(_ path: [UInt8]) throws(SystemError) -> InputFile? {
    try withoutLinks(path, action: "open") { parent, name in
      let file = openForReading(name, below: parent, flags: O_NOFOLLOW)
      return file < 0 ? nil : InputFile(descriptor: file, folder: self.path, below: path)
    }
  }

  /// Runs `body` with the open parent folder of a path and its last component; `body` returns nil and sets `errno`
  /// on failure.
  private func withoutLinks<Result: ~Copyable>(
    _ path: [UInt8], action: String, _ body: (Int32, UnsafePointer<CChar>) -> Result?
  ) throws(SystemError) -> Result? {
    var parent = descriptor
    defer { if parent != descriptor { close(parent) } }
    let names = path.split(separator: UInt8(ascii: "/"))
    for name in names.dropLast() {
      let next = withCPath(name) { name in
        retrying { openat(parent, name, placeOnly | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
      }
      if next < 0 { return try nothing(at: path, action) }
      if parent != descriptor { close(parent) }
      parent = next
    }
    var result: Result?
    withCPath(names.last ?? [UInt8(ascii: ".")]) { name in result = body(parent, name) }
    if result == nil { return try nothing(at: path, action) }
    return result
  }

  /// Returns nil if `errno` says that a component is a link or missing; throws otherwise.
  private func nothing<Result: ~Copyable>(at path: [UInt8], _ action: String) throws(SystemError) -> Result? {
    let error = SystemError(action, shown(self.path, below: path))
    if error.isMissing || error.isLink { return nil }
    throw error
  }
}

/// O_PATH, which Glibc's headers declare for _GNU_SOURCE only; it opens folders that may be traversed but not
/// read.
private let placeOnly: Int32 = 0o10000000
