import Foundation
import Testing

/// Runs `body` on this thread with the permissions of the user nobody, if the tests run as root.
///
/// `body` must stay on this thread, so use it only for work with one job.
package func asNobody<Value>(in site: ScanSite, _ body: () throws -> Value) throws -> Value {
  try asNobody(in: site.folder, body)
}

/// Runs `body` on this thread with the permissions of the user nobody in a folder.
package func asNobody<Value>(in folder: TemporaryFolder, _ body: () throws -> Value) throws -> Value {
  if geteuid() != 0 { return try body() }
  // Only the owner can use a test's folder; this lets the user nobody enter it and write to it.
  chmod(folder.path, 0o777)
  chmod(folder.path("Manifest.json"), 0o666)
  let setUser = try #require(setFileSystemUser)
  _ = setUser(65_534)
  defer { _ = setUser(0) }
  return try body()
}

/// Whether `asNobody` works on this machine.
package let canBeNobody = geteuid() != 0 || setFileSystemUser != nil

/// Linux's `setfsuid`, with which a single thread gets the file permissions of another user; nil on other
/// systems.
private let setFileSystemUser: (@convention(c) (UInt32) -> Int32)? =
  dlsym(nil, "setfsuid").map { unsafeBitCast($0, to: (@convention(c) (UInt32) -> Int32).self) }

/// Removes all permissions from a file, also on a thread that works as the user nobody.
package func takeRights(from path: String) throws {
  _ = setFileSystemUser?(0)
  defer { if geteuid() == 0 { _ = setFileSystemUser?(65_534) } }
  try #require(chmod(path, 0) == 0)
}
