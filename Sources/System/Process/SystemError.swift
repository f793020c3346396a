import Glibc

/// A system call that failed: what was tried, on which file, and the kernel's error number.
package struct SystemError: Error, Hashable, CustomStringConvertible {
  /// What was tried, as a verb: "open", "write", "rename".
  package let action: String
  /// The file or folder, as the user would recognise it.
  package let path: String
  /// The value of `errno`.
  package let code: Int32

  package init(_ action: String, _ path: String, code: Int32 = errno) {
    self.action = action
    self.path = path
    self.code = code
  }

  /// The code for a file that ends before it should.
  package static let truncated = ENODATA

  /// The code for a file that is not there.
  package static let missing = ENOENT

  /// The kernel's own words for the error.
  package var reason: String {
    let words = String(cString: strerror(code))
    return code == EFBIG ? "\(words): it exceeds what \"ulimit -f\" or the file system allows" : words
  }

  package var description: String { "cannot \(action) \"\(path)\": \(reason)" }

  /// Whether there simply is no such file.
  package var isMissing: Bool { code == ENOENT || code == ENOTDIR }
  /// Whether a name or path is longer than any file's may be.
  package var isTooLong: Bool { code == ENAMETOOLONG }
  /// Whether the file is there but may not be read.
  package var isDenied: Bool { code == EACCES || code == EPERM }
  /// Whether a file or folder of that name was there before.
  package var isExisting: Bool { code == EEXIST || code == ENOTEMPTY }
  /// Whether the reader of a pipe has gone.
  package var isClosedPipe: Bool { code == EPIPE }
  /// Whether what was to be read is no file but a folder, or a fifo, which has no places to read from.
  package var isNoFile: Bool { code == ESPIPE || code == EISDIR }
  /// Whether a symbolic link stood where none may be, or links went round in a circle.
  package var isLink: Bool { code == ELOOP }
}

/// Closes a file; false, with `errno` set, where what was written to it may be lost.
func isClosing(_ descriptor: Int32) -> Bool {
  // Linux has closed it where a signal interrupts that, and a second close might hit another thread's file.
  close(descriptor) == 0 || errno == EINTR
}

/// Writes bytes to a descriptor, however many calls that takes; false, with `errno`, where one fails.
func writeAll(_ bytes: RawSpan, to descriptor: Int32) -> Bool {
  writeAll(bytes) { rest, _ in write(descriptor, rest.baseAddress, rest.count) }
}

/// The same for bytes with a place in a file.
func writeAll(_ bytes: RawSpan, to descriptor: Int32, at offset: Int64) -> Bool {
  writeAll(bytes) { rest, done in
    pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(done))
  }
}

/// Calls `put` with what is left, and how much is done, until nothing is left.
private func writeAll(_ bytes: RawSpan, put: (UnsafeRawBufferPointer, Int) -> Int) -> Bool {
  bytes.withUnsafeBytes { bytes in
    var done = 0
    while done < bytes.count {
      let count = retrying { put(UnsafeRawBufferPointer(rebasing: bytes[done...]), done) }
      if count < 0 { return false }
      done += count
    }
    return true
  }
}

/// Calls again what a signal interrupted; `errno` holds the error of a result below zero.
package func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result >= 0 || errno != EINTR { return result }
  }
}
