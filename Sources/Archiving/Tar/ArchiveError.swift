/// A call of libarchive that failed, with the library's own words.
package struct ArchiveError: Error, Hashable, CustomStringConvertible {
  /// What was tried, as a verb: "write".
  package let action: String
  /// The archive, as the user would recognise it.
  package let path: String
  package let reason: String

  package var description: String { "cannot \(action) \"\(path)\": \(reason)" }
}
