#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A failed system call: the attempted action, the file, and the kernel's error number.
///
/// This type is also used for the error about an input file that packtool refuses because of a symlink.
package struct SystemError: Error, Hashable, CustomStringConvertible {
  /// The attempted action as a verb, such as "open", "write" or "rename".
  package let action: String
  /// The path of the file or folder, as messages show it.
  package let path: String
  /// The value of `errno`.
  package let code: Int32
  /// The forbidden symlink; nil if packtool did not refuse an input file, but a system call failed.
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

  /// Creates the error for an input file whose path leads through a symlink to a place outside a checkout.
  init(leavingCheckout path: String, to target: String, from checkout: String) {
    action = "open"
    self.path = path
    // No system call failed, so the error gets a code that no caller handles.
    code = EXDEV
    refusal = Refusal(target: target, checkout: checkout)
  }

  /// The error code for a file that ends too early.
  package static let truncated = ENODATA

  /// The error code for a file that does not exist.
  package static let missing = ENOENT

  /// The system's message for the error.
  package var reason: String {
    let text = String(cString: strerror(code))
    // The system's words begin with a capital letter, but packtool's messages are in lower case. Words such as
    // "RPC" stay.
    let words =
      text.dropFirst().first?.isLowercase == true ? text.prefix(1).lowercased() + text.dropFirst() : text
    return code == EFBIG
      ? "\(words): the file is larger than \"ulimit -f\" or the file system allows" : words
  }

  /// The action of an error about a folder that was not created.
  static let creatingFolder = "create the folder"

  package var description: String { refused ?? "cannot \(action) \"\(path)\": \(reason)" }

  /// The message about an input file that was refused because a symlink leads out of a checkout; nil if a
  /// system call failed.
  package var refused: String? {
    refusal.map {
      "\"\(path)\" leads through a symlink to \"\($0.target)\", which is outside the checkout "
        + "\"\($0.checkout)\"; put the file into the checkout, or pass the path that the symlink leads to"
    }
  }

  /// Whether packtool refused an input file because of a symlink.
  ///
  /// This is a mistake in the input and not a failure of the machine.
  package var leavesCheckout: Bool { refusal != nil }

  /// Whether the file does not exist.
  package var isMissing: Bool { code == ENOENT || code == ENOTDIR }
  /// Whether a name or path is longer than the system allows.
  package var isTooLong: Bool { code == ENAMETOOLONG }
  package var isDenied: Bool { code == EACCES || code == EPERM }
  /// Whether the disk, or the user's share of it, is full.
  package var isFullDisk: Bool { code == ENOSPC || code == EDQUOT }
  /// Whether a disk has free space that this user cannot use.
  package var isOverQuota: Bool { code == EDQUOT }
  /// Whether the cause is that the machine has too little memory or too many open files.
  ///
  /// Such an error says nothing about the file.
  package var isShortage: Bool { [EMFILE, ENFILE, ENOMEM].contains(code) }
  /// Whether another program already uses the network address.
  package var isInUse: Bool { code == EADDRINUSE }
  /// Whether the target already exists.
  package var isExisting: Bool { code == EEXIST || code == ENOTEMPTY }
  /// Whether the reader has closed its end of a pipe.
  package var isClosedPipe: Bool { code == EPIPE }
  /// Whether the path is a folder or a fifo, from which nothing can be read at an offset.
  package var isNoFile: Bool { code == ESPIPE || code == EISDIR }
  /// Whether the target of a symlink was requested, but the path is not a symlink.
  package var isNoLink: Bool { code == EINVAL }
  /// Whether there is a symlink where symlinks are not allowed, or symlinks form a loop.
  package var isLink: Bool { code == ELOOP }
}

/// Returns the result of a call.
///
/// Returns nil if the call fails in an expected way, for example because a file no longer exists.
package func unless<Result>(
  _ isExpected: (SystemError) -> Bool, call: () throws(SystemError) -> Result
) throws(SystemError) -> Result? {
  do throws(SystemError) { return try call() } catch {
    if isExpected(error) { return nil }
    throw error
  }
}

/// Closes a file and sets its descriptor to -1.
///
/// Throws if written bytes might be lost.
func finish(_ descriptor: inout Int32, of path: String) throws(SystemError) {
  // On Linux the file is closed even if a signal interrupts the call. A second close could close a file of
  // another thread.
  let isClosed = close(descriptor) == 0 || errno == EINTR
  descriptor = -1
  if !isClosed { throw SystemError(during: "close", path: path) }
}

/// Writes all bytes to a descriptor, with as many calls as necessary.
///
/// If a call fails, sets `errno` and returns false.
func writeAll(_ bytes: RawSpan, to descriptor: Int32) -> Bool {
  writeAll(bytes) { rest, _ in write(descriptor, rest.baseAddress, rest.count) }
}

/// Writes all bytes at an offset in a file.
///
/// If a call fails, sets `errno` and returns false.
func writeAll(_ bytes: RawSpan, to descriptor: Int32, at offset: Int64) -> Bool {
  writeAll(bytes) { rest, done in
    pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(done))
  }
}

/// Calls `write` with the remaining bytes, and the number of bytes already written, until no bytes remain.
private func writeAll(_ bytes: RawSpan, write: (UnsafeRawBufferPointer, Int) -> Int) -> Bool {
  bytes.withUnsafeBytes { bytes in
    var done = 0
    while done < bytes.count {
      let count = retrying { write(UnsafeRawBufferPointer(rebasing: bytes[done...]), done) }
      if count < 0 { return false }
      done += count
    }
    return true
  }
}
