package import System

/// A failed call of libarchive, with the library's message.
package struct ArchiveError: Error, Hashable, CustomStringConvertible {
  /// The attempted action, as a verb: "write".
  package let action: String
  /// The archive, as the user would recognise it.
  package let path: String
  package let reason: String
  /// The system's error, if reading or writing the file failed; nil if the archive is at fault.
  package let cause: SystemError?

  package init(action: String, path: String, reason: String, cause: SystemError? = nil) {
    self.action = action
    self.path = path
    self.reason = reason
    self.cause = cause
  }

  package var description: String { "cannot \(action) \"\(path)\": \(reason)" }
}
