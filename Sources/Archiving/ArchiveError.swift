package import System

/// The error of a failed call of libarchive, with the library's message.
package struct ArchiveError: Error, Hashable, CustomStringConvertible {
  /// The attempted action as a verb, such as "write".
  package let action: String
  /// The path of the archive, as messages show it.
  package let path: String
  package let reason: String
  /// The system's error if the file could not be read or written; nil if the archive itself is wrong.
  package let cause: SystemError?

  package init(action: String, path: String, reason: String, cause: SystemError? = nil) {
    self.action = action
    self.path = path
    self.reason = reason
    self.cause = cause
  }

  package var description: String { "cannot \(action) \"\(path)\": \(reason)" }
}
