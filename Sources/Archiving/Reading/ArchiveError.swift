package import System

/// Why an archive is not as packtool writes one.
package struct FormMistake: Error {
  /// The index of the entry in a zip; nil for the archive as a whole.
  package var entry: Int?
  package let reason: String
  /// The system's error, if reading the file failed; nil if the archive is at fault.
  package let cause: SystemError?

  package init(_ reason: String, entry: Int? = nil, cause: SystemError? = nil) {
    self.entry = entry
    self.reason = reason
    self.cause = cause
  }

  /// The failure of the system while the file was read.
  package init(_ cause: SystemError) { self.init(cause.reason, cause: cause) }

  init(_ error: ArchiveError) {
    self.init("it cannot be read to its end: \(error.reason)", cause: error.cause)
  }
}

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
