#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import Formats
package import System
import Synchronization

/// A file to which the server adds a line of JSON for each answered request.
package final class RequestLog: Sendable {
  private let path: String
  private let descriptor: Int32
  private let hasFailed = Atomic(false)
  private let reportError: @Sendable (SystemError) -> Void

  /// Opens a file for appending.
  ///
  /// `reportError` is called the first time that a line cannot be written.
  package init(_ path: String, reportError: @escaping @Sendable (SystemError) -> Void) throws(SystemError) {
    self.path = path
    self.reportError = reportError
    descriptor = retrying { open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0o644) }
    if descriptor < 0 { throw SystemError(during: "open", path: path) }
  }

  deinit { close(descriptor) }

  /// Adds a line with a single system call.
  ///
  /// Lines of different threads therefore do not mix.
  func write(_ entry: JSONText) {
    var line = entry.line
    line.append("\n")
    let count = line.withBytes {
      $0.withUnsafeBytes { bytes in
        retrying { writeSystemCall(bytes, to: descriptor) }
      }
    }
    if count == line.count { return }
    let error = SystemError(during: "write", path: path, code: count < 0 ? errno : ENOSPC)
    if !hasFailed.exchange(true, ordering: .relaxed) { reportError(error) }
  }
}
