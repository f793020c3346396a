import Glibc

/// A file open for reading.
package struct InputFile: ~Copyable, Sendable {
  package let descriptor: Int32
  private let folder: String
  private let below: [UInt8]

  /// A file that was opened by its path below a folder.
  init(descriptor: Int32, folder: String, below: [UInt8]) {
    self.descriptor = descriptor
    self.folder = folder
    self.below = below
  }

  /// Opens a file by its path from the current directory, without waiting for the writer of a fifo.
  ///
  /// `followingLinks` says whether the last name may be a link.
  package init(_ path: String, followingLinks: Bool = true) throws(SystemError) {
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (followingLinks ? 0 : O_NOFOLLOW)
    let descriptor = retrying { open(path, flags) }
    if descriptor < 0 { throw SystemError("open", path) }
    self.init(descriptor: descriptor, folder: path, below: [])
  }

  deinit { close(descriptor) }

  /// The file's path, for messages; composed only on demand.
  package var path: String { shown(folder, below: below) }

  /// The current status of the open file.
  package func status() throws(SystemError) -> FileStatus {
    var status = stat()
    if fstat(descriptor, &status) != 0 { throw SystemError("look at", path) }
    return FileStatus(status)
  }

  /// Appends `count` bytes from `offset` on; fewer only at the end of the file.
  package func read(_ count: Int, at offset: Int64, into buffer: inout ByteBuffer) throws(SystemError) {
    try Interruption.check()
    let failed = buffer.append(atMost: count) { space in
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
    if failed { throw SystemError("read", path) }
  }

  /// `count` bytes from `offset` on; fewer only at the end of the file.
  package func bytes(_ count: Int, at offset: Int64) throws(SystemError) -> [UInt8] {
    var buffer = ByteBuffer()
    try read(count, at: offset, into: &buffer)
    return buffer.array()
  }

  /// The whole content; nil if it exceeds `limit` bytes.
  package func contents(limit: Int) throws(SystemError) -> [UInt8]? {
    var buffer = ByteBuffer()
    // One byte more than expected shows whether the file ends; a sparse file may report any size.
    var step = min(Int(clamping: try status().size), limit) + 1
    while true {
      let before = buffer.count
      try read(min(step, limit + 1 - before), at: Int64(before), into: &buffer)
      if buffer.count > limit { return nil }
      if buffer.count - before < step { return buffer.array() }
      step = max(step, 1 << 16)
    }
  }

  /// The SHA-256 of the whole content.
  package func digest() throws(SystemError) -> Digest {
    var buffer = ByteBuffer()
    return try digest(ofFirst: .max, through: &buffer)
  }

  /// The SHA-256 of the first `size` bytes, or of all if there are fewer; `buffer` is only used to read them.
  package func digest(ofFirst size: Int64, through buffer: inout ByteBuffer) throws(SystemError) -> Digest {
    var digest = SHA256()
    var offset: Int64 = 0
    while offset < size {
      buffer.clear()
      try read(Int(min(1 << 20, size - offset)), at: offset, into: &buffer)
      if buffer.isEmpty { break }
      buffer.withBytes { digest.update($0) }
      offset += Int64(buffer.count)
    }
    return digest.finish()
  }
}
