import Glibc

// Paths of which no name may be a link: each folder on the way is opened by itself, so that one that becomes a link
// between two calls is not followed.
extension Folder {
  /// What a path below the folder stands for; nil where a name of it is a link, or nothing stands there.
  package func statusWithoutLinks(of path: [UInt8]) throws(SystemError) -> FileStatus? {
    try withoutLinks(path, action: "look at") { parent, name in
      var status = stat()
      return fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? FileStatus(status) : nil
    }
  }

  /// Opens a file below the folder for reading; nil where a name of its path is a link, or nothing stands there.
  package func openFileWithoutLinks(_ path: [UInt8]) throws(SystemError) -> InputFile? {
    try withoutLinks(path, action: "open") { parent, name in
      let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW
      let file = retrying { openat(parent, name, flags) }
      return file < 0 ? nil : InputFile(descriptor: file, folder: self.path, below: path)
    }
  }

  /// Runs `body`, which returns nil and sets `errno` where it fails, with the last folder of a path and its last name.
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

  /// Fails, unless `errno` says that a link or nothing stands in a place.
  private func nothing<Result: ~Copyable>(at path: [UInt8], _ action: String) throws(SystemError) -> Result? {
    let error = SystemError(action, shown(self.path, below: path))
    if error.isMissing || error.isLink { return nil }
    throw error
  }
}

/// O_PATH, which Glibc's headers declare for _GNU_SOURCE only: a folder that may not be read can be gone through.
private let placeOnly: Int32 = 0o10000000
