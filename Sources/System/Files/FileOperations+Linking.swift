import Glibc

extension FileOperations {
  /// Gives a file a second name; copies it, with its time, where the file system cannot.
  ///
  /// A symbolic link is not followed: the new name is another link.
  package static func linkOrCopy(_ path: String, to target: String) throws(SystemError) {
    if link(path, target) == 0 { return }
    let error = SystemError("link to", target)
    guard [EXDEV, EPERM, EMLINK, EOPNOTSUPP, ENOSYS].contains(error.code) else { throw error }
    try copy(path, toNew: target)
  }

  /// Moves a folder; file by file where it cannot be renamed, as one in a lower layer of overlayfs.
  package static func moveFolder(_ path: String, to target: String) throws(SystemError) {
    if Glibc.rename(path, target) == 0 { return }
    let error = SystemError("rename to", target)
    guard error.code == EXDEV else { throw error }
    try makeFolder(target)
    var walk = FolderWalk(try Folder(path, followingLinks: false))
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

  private static func copy(_ path: String, toNew target: String) throws(SystemError) {
    let input = try InputFile(path, followingLinks: false)
    var output = try OutputFile(creating: target, use: .later)
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
    try setTime(of: target, to: input.status().modified)
  }

  /// Makes a file readable by all users, whatever the umask.
  package static func publish(file path: String) throws(SystemError) {
    var status = stat()
    if lstat(path, &status) != 0 { throw SystemError("look at", path) }
    if status.st_mode & 0o7777 != 0o644 && chmod(path, 0o644) != 0 {
      throw SystemError("set the mode of", path)
    }
  }
}
