/// What a call does if the last name of a path is a symlink.
package enum SymlinkFollowing: Sendable {
  /// It uses the file or folder that the symlink leads to.
  case followed
  /// It uses the symlink itself, or fails where it needs a file or a folder.
  case notFollowed
}
