#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// Names and types that differ between the two C libraries.
#if canImport(Darwin)
  extension stat {
    /// The time of the last change of the content, and the time of the last change of the file in any way.
    var times: (modified: timespec, changed: timespec) { (st_mtimespec, st_ctimespec) }
  }

  extension sigaction {
    /// The function that handles the signal, or one of the special values 0 and 1 instead of a function.
    var handler: (@convention(c) (Int32) -> Void)? {
      get { __sigaction_u.__sa_handler }
      set { __sigaction_u.__sa_handler = newValue }
    }
  }

  /// The type of sockets for TCP.
  package let streamSocket = SOCK_STREAM
  let openFileLimit = RLIMIT_NOFILE
  var noThread: pthread_t? { nil }
  var noActions: posix_spawn_file_actions_t? { nil }
  /// The folder that contains a path for each open file of the process.
  let openFilesFolder = "/dev/fd"
  var environ: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> { _NSGetEnviron().pointee! }

  /// Returns the family of a socket address.
  ///
  /// The first byte of the address is the length, and the second byte is the family.
  package func family(ofAddress name: UnsafeRawPointer) -> Int32 {
    Int32(name.load(fromByteOffset: 1, as: UInt8.self))
  }

  extension Platform {
    /// Copies the extended attributes and access list of a file to another file.
    ///
    /// Returns the names of the attributes that cannot be copied.
    static func copyAttributes(of path: String, to file: Int32) -> [String] {
      let old = retrying { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
      defer { if old >= 0 { close(old) } }
      let isCopied =
        old >= 0 && fcopyfile(old, file, nil, copyfile_flags_t(COPYFILE_XATTR | COPYFILE_ACL)) == 0
      return isCopied ? [] : ["the extended attributes"]
    }
  }
#else
  import CLinux

  extension stat {
    /// The time of the last change of the content, and the time of the last change of the file in any way.
    var times: (modified: timespec, changed: timespec) { (st_mtim, st_ctim) }
  }

  extension sigaction {
    /// The function that handles the signal, or one of the special values 0 and 1 instead of a function.
    var handler: (@convention(c) (Int32) -> Void)? {
      get { __sigaction_handler.sa_handler }
      set { __sigaction_handler.sa_handler = newValue }
    }
  }

  /// The type of sockets for TCP.
  package let streamSocket = Int32(SOCK_STREAM.rawValue)
  let openFileLimit = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  var noThread: pthread_t { pthread_t() }
  var noActions: posix_spawn_file_actions_t { posix_spawn_file_actions_t() }
  /// The folder that contains a path for each open file of this process.
  var openFilesFolder: String { "/proc/\(getpid())/fd" }

  /// Returns the family of a socket address.
  package func family(ofAddress name: UnsafeRawPointer) -> Int32 { Int32(name.load(as: UInt16.self)) }

  extension Platform {
    /// Attributes that describe the old content of a file.
    ///
    /// They are not copied, because they would be wrong for the new content.
    private static let boundToContent: Set = ["security.ima", "security.evm", "security.capability"]

    /// Copies the extended attributes and access list of a file to another file.
    ///
    /// Returns the names of the attributes that cannot be copied.
    static func copyAttributes(of path: String, to file: Int32) -> [String] {
      // The new file may have inherited an access list from its folder.
      _ = fremovexattr(file, "system.posix_acl_access")
      // The size is the kernel's limit for all names together. It is also the limit for one value.
      let names = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
        count = buffer.withMemoryRebound(to: CChar.self) { max(0, listxattr(path, $0.baseAddress, $0.count)) }
      }
      return names.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }.filter { name in
        !boundToContent.contains(name) && !copyAttribute(name, of: path, to: file)
      }.map { "the attribute \"\($0)\"" }
    }

    private static func copyAttribute(_ name: String, of path: String, to file: Int32) -> Bool {
      withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { value in
        let count = getxattr(path, name, value.baseAddress, value.count)
        return count >= 0 && fsetxattr(file, name, value.baseAddress, count, 0) == 0
      }
    }
  }
#endif

/// Repeats a call while a signal interrupts it.
///
/// If the result is negative, `errno` contains the error.
package func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result >= 0 || errno != EINTR { return result }
  }
}
