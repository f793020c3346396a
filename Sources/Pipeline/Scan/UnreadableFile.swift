import Formats
package import System

/// The words about files and folders that the user who runs packtool is not permitted to read.
package enum UnreadableFile {
  /// Returns the end of a message about the file or folder at a path, with a command for its owner.
  package static func statement(on kind: FileStatus.Kind = .file, at path: String) -> String {
    let isFolder = kind == .folder
    let command = ShellText.words(["chmod", isFolder ? "a+rx" : "a+r", path]).text
    return
      "cannot be read: permission denied; as its owner, run \(quoted(command)), or exclude the "
      + (isFolder ? "folder" : "file")
  }
}
