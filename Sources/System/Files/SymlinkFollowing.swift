/// The behavior of a call for a path whose last name is a symlink.
package enum SymlinkFollowing: Sendable {
  /// The call uses the file or folder that the symlink leads to.
  case followed
  /// The call uses the symlink itself, or fails if it needs a file or a folder.
  case notFollowed
}

extension RunScope {
  /// Whether the run follows the symlinks in a folder of input files.
  package var symlinks: SymlinkFollowing { followsSymlinks ? .followed : .notFollowed }
}
