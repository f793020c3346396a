package import System

/// A call of libarchive that failed, with the library's own words.
package struct ArchiveError: Error, Hashable, CustomStringConvertible {
  /// What was tried, as a verb: "write".
  package let action: String
  /// The archive, as the user would recognise it.
  package let path: String
  package let reason: String
  /// What the file said, where it and not the archive is to blame.
  package let cause: SystemError?

  package init(action: String, path: String, reason: String, cause: SystemError? = nil) {
    self.action = action
    self.path = path
    self.reason = reason
    self.cause = cause
  }

  package var description: String { "cannot \(action) \"\(path)\": \(reason)" }
}
