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

  /// The kernel's own words for the error.
  package var reason: String { String(cString: strerror(code)) }

  package var description: String { "cannot \(action) \"\(path)\": \(reason)" }

  /// Whether there simply is no such file.
  package var isMissing: Bool { code == ENOENT || code == ENOTDIR }
  /// Whether the kernel does not take the call as it was made.
  var isInvalid: Bool { code == EINVAL }
  /// Whether a name or path is longer than any file's may be.
  package var isTooLong: Bool { code == ENAMETOOLONG }
  /// Whether the file is there but may not be read.
  package var isDenied: Bool { code == EACCES || code == EPERM }
  /// Whether a file or folder of that name was there before.
  package var isExisting: Bool { code == EEXIST || code == ENOTEMPTY }
  /// Whether the reader of a pipe has gone.
  package var isClosedPipe: Bool { code == EPIPE }
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
  bytes.withUnsafeBytes { bytes in
    var done = 0
    while done < bytes.count {
      let put = retrying { write(descriptor, bytes.baseAddress! + done, bytes.count - done) }
      if put < 0 { return false }
      done += put
    }
    return true
  }
}

/// Writes bytes to their place in a file, however many calls that takes; false, with `errno`, where one fails.
func writeAll(_ bytes: RawSpan, to descriptor: Int32, at offset: Int64) -> Bool {
  bytes.withUnsafeBytes { bytes in
    var done = 0
    while done < bytes.count {
      let put = retrying {
        pwrite(descriptor, bytes.baseAddress! + done, bytes.count - done, off_t(offset) + off_t(done))
      }
      if put < 0 { return false }
      done += put
    }
    return true
  }
}

/// Calls again what a signal interrupted; `errno` holds the error of a result below zero.
func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result >= 0 || errno != EINTR { return result }
  }
}
