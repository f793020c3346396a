import Foundation
import Testing

/// Does something on this thread with the rights of nobody, where the tests run as root.
///
/// `body` must stay on the thread: work for one job only.
package func asNobody<Value>(in site: ScanSite, _ body: () throws -> Value) throws -> Value {
  if geteuid() != 0 { return try body() }
  // A test's folder is its owner's alone; nobody may enter it, and write in it.
  chmod(site.folder.path, 0o777)
  chmod(site.folder.path("Manifest.json"), 0o666)
  let setUser = try #require(setFileSystemUser)
  _ = setUser(65_534)
  defer { _ = setUser(0) }
  return try body()
}

/// Whether `asNobody` works here.
package let canBeNobody = geteuid() != 0 || setFileSystemUser != nil

/// Linux's `setfsuid`, by which one thread alone takes another user's rights to files; nil elsewhere.
private let setFileSystemUser: (@convention(c) (UInt32) -> Int32)? =
  dlsym(nil, "setfsuid").map { unsafeBitCast($0, to: (@convention(c) (UInt32) -> Int32).self) }

/// Takes all rights from a file, also on a thread that works as nobody.
package func takeRights(from path: String) throws {
  _ = setFileSystemUser?(0)
  defer { if geteuid() == 0 { _ = setFileSystemUser?(65_534) } }
  try #require(chmod(path, 0) == 0)
}
