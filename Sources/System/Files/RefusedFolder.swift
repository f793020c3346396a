#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A folder that the system did not create.
package struct RefusedFolder: Sendable {
  /// The path of the new folder.
  package let path: String
  /// The reason, which names the parent folder.
  package let reason: String
}

extension SystemError {
  /// The folder that the system did not create; nil for any other error.
  package var refusedFolder: RefusedFolder? {
    guard action == Self.creatingFolder, isDenied || code == EROFS || code == ENOENT else { return nil }
    let above = path.split(separator: "/").dropLast().joined(separator: "/")
    var parent = path.hasPrefix("/") ? "/\(above)" : above
    if parent.isEmpty {
      parent = (try? FileOperations.realPath(of: ".")).map { String(decoding: $0, as: UTF8.self) } ?? "."
    }
    let reason =
      isDenied || code == EROFS
      ? "\(self.reason) in the folder \"\(parent)\""
      : "the file system of the folder \"\(parent)\" does not accept new folders"
    return RefusedFolder(path: path, reason: reason)
  }
}
