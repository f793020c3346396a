#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension FileOperations {
  /// Returns the number of bytes that a program can still write to the disk of a path; nil if it is unknown.
  ///
  /// The file or folder need not exist yet.
  package static func freeSpace(at path: String) -> Int64? {
    var path = path
    var info = statvfs()
    while statvfs(path, &info) != 0 {
      if path == "/" || path == "." { return nil }
      guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else {
        path = "."
        continue
      }
      path = slash == path.startIndex ? "/" : String(path[..<slash])
    }
    let (space, isTooLarge) = Int64(clamping: info.f_bavail).multipliedReportingOverflow(
      by: Int64(clamping: info.f_frsize))
    return isTooLarge ? .max : space
  }
}
