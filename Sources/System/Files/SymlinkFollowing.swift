/// The behavior of a call if the last name of a path is a symlink.
package enum SymlinkFollowing: Sendable {
  /// The call uses the file or folder that the symlink leads to.
  case followed
  /// The call uses the symlink itself, or fails if it needs a file or a folder.
  case notFollowed
}
