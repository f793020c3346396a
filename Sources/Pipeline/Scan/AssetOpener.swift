import Formats
package import System

/// Opens the files of a tree one after another.
///
/// A file in the same folder as the previous file is opened using only its name. The kernel then does not
/// have to resolve the whole path.
package struct AssetOpener {
  private var folder: (path: Substring, handle: Folder)?

  package init() {}

  /// Opens a file.
  ///
  /// `path` is relative to the root.
  package mutating func open(_ path: String, below root: Folder) throws(SystemError) -> InputFile {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else {
      return try root.openFile(Array(path.utf8))
    }
    let parent = path[..<slash]
    let name = Array(path.utf8[path.utf8.index(after: slash)...])
    if let folder, folder.path.isSameInBytes(as: parent) { return try folder.handle.openFile(name) }
    let handle = try Folder(Array(parent.utf8), below: root)
    folder = (parent, handle)
    return try handle.openFile(name)
  }
}

extension Folder {
  /// Opens a file that was scanned below this root.
  ///
  /// A file that was replaced after the scan counts as missing.
  func open(_ file: AssetFile) throws(SystemError) -> InputFile {
    let input = try openFile(Array(file.path.utf8))
    if try input.status().identity != file.stamp.identity {
      throw SystemError(during: "open", path: input.path, code: SystemError.missing)
    }
    return input
  }
}
