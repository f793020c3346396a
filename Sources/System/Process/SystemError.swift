#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A system call that failed: what was tried, on which file, and the kernel's error number.
package struct SystemError: Error, Hashable, CustomStringConvertible {
  /// The attempted action, as a verb: "open", "write", "rename".
  package let action: String
  /// The file or folder, as the user would recognise it.
  package let path: String
  /// The value of `errno`.
  package let code: Int32
  /// Where a symbolic link leads that no input may follow; nil for a call that failed.
  private let refusal: Refusal?

  private struct Refusal: Hashable {
    let target: String
    let checkout: String
  }

  package init(during action: String, path: String, code: Int32 = errno) {
    self.action = action
    self.path = path
    self.code = code
    refusal = nil
  }

  /// The error for an input file that is reached through a symbolic link out of a checkout.
  init(straying path: String, to target: String, from checkout: String) {
    action = "open"
    self.path = path
    // No call failed; this code is none that a caller expects.
    code = EXDEV
    refusal = Refusal(target: target, checkout: checkout)
  }

  /// The code for a file that ends before it should.
  package static let truncated = ENODATA

  /// The code for a file that is not there.
  package static let missing = ENOENT

  /// The system's message for the error.
  package var reason: String {
    let words = String(cString: strerror(code))
    return code == EFBIG ? "\(words): it exceeds what \"ulimit -f\" or the file system allows" : words
  }

  package var description: String { refused ?? "cannot \(action) \"\(path)\": \(reason)" }

  /// The message on an input file that a symbolic link leads to from inside a checkout; nil for a call that failed.
  package var refused: String? {
    refusal.map {
      "\"\(path)\" leads through a symlink to \"\($0.target)\", outside of the checkout \"\($0.checkout)\"; put the "
        + "file into the checkout, or name the file that the symlink leads to"
    }
  }

  /// Whether the error is a refusal of an input file, which is a mistake in the input and no failure of the machine.
  package var isStray: Bool { refusal != nil }

  /// Whether there is no such file.
  package var isMissing: Bool { code == ENOENT || code == ENOTDIR }
  /// Whether a name or path is longer than any file's may be.
  package var isTooLong: Bool { code == ENAMETOOLONG }
  /// Whether permission was denied.
  package var isDenied: Bool { code == EACCES || code == EPERM }
  /// Whether the machine was short of something, which says nothing of the file.
  package var isShortage: Bool { [EMFILE, ENFILE, ENOMEM].contains(code) }
  /// Whether an address is another program's.
  package var isInUse: Bool { code == EADDRINUSE }
  /// Whether the target exists already.
  package var isExisting: Bool { code == EEXIST || code == ENOTEMPTY }
  /// Whether the reader has closed its end of a pipe.
  package var isClosedPipe: Bool { code == EPIPE }
  /// Whether the path is a folder, or a fifo, which cannot be read at an offset.
  package var isNoFile: Bool { code == ESPIPE || code == EISDIR }
  /// Whether the path whose target was asked for is no symbolic link.
  package var isNoLink: Bool { code == EINVAL }
  /// Whether a symbolic link was found where none is allowed, or links form a loop.
  package var isLink: Bool { code == ELOOP }
}

/// The result of a call; nil if it fails in an expected way, such as at a file that is gone.
package func unless<Result>(
  _ isExpected: (SystemError) -> Bool, call: () throws(SystemError) -> Result
) throws(SystemError) -> Result? {
  do throws(SystemError) { return try call() } catch {
    if isExpected(error) { return nil }
    throw error
  }
}

/// Closes a file, whose descriptor is -1 then; throws if written bytes may be lost.
func finish(_ descriptor: inout Int32, of path: String) throws(SystemError) {
  // On Linux the file is closed even if a signal interrupts the call, and a second close might hit another
  // thread's file.
  let isClosed = close(descriptor) == 0 || errno == EINTR
  descriptor = -1
  if !isClosed { throw SystemError(during: "close", path: path) }
}

/// Writes all bytes to a descriptor, in as many calls as necessary; false, with `errno` set, if one fails.
func writeAll(_ bytes: RawSpan, to descriptor: Int32) -> Bool {
  writeAll(bytes) { rest, _ in write(descriptor, rest.baseAddress, rest.count) }
}

/// The same at an offset in a file.
func writeAll(_ bytes: RawSpan, to descriptor: Int32, at offset: Int64) -> Bool {
  writeAll(bytes) { rest, done in
    pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(done))
  }
}

/// Calls `put` with the remaining bytes and the count of written ones until none remain.
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
