import Findings

/// A file that no rule matches.
package struct UntaggedFile: Sendable {
  /// The path below the root; bytes that are not UTF-8 are replaced.
  package let path: String
  /// The size in bytes.
  package let size: Int64

  package init(path: String, size: Int64) {
    self.path = path
    self.size = size
  }

  /// The path of its folder; "." for the root.
  package var folder: String { folderPath(of: path) }
}
