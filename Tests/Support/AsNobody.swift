import Foundation
import Testing

/// Runs `body` on this thread with the permissions of the user nobody, if the tests run as root.
///
/// `body` must stay on this thread, so it must use only one job.
package func asNobody<Value>(in site: ScanSite, _ body: () throws -> Value) throws -> Value {
  try asNobody(in: site.folder, body)
}

/// Runs `body` on this thread with the permissions of the user nobody in a folder.
package func asNobody<Value>(in folder: TemporaryFolder, _ body: () throws -> Value) throws -> Value {
  if geteuid() != 0 { return try body() }
  // Only its owner can use the folder of a test. Allow the user nobody to enter the folder and write to it.
  chmod(folder.path, 0o777)
  chmod(folder.path("Manifest.json"), 0o666)
  let setUser = try #require(setFileSystemUser)
  _ = setUser(65_534)
  defer { _ = setUser(0) }
  return try body()
}

/// Whether `asNobody` works on this machine.
package let canBeNobody = geteuid() != 0 || setFileSystemUser != nil

/// Linux's `setfsuid`, which gives a single thread the file permissions of another user.
///
/// It is nil on other systems.
private let setFileSystemUser: (@convention(c) (UInt32) -> Int32)? =
  dlsym(nil, "setfsuid").map { unsafeBitCast($0, to: (@convention(c) (UInt32) -> Int32).self) }

/// Removes all permissions from a file.
///
/// This works even on a thread that runs as the user nobody.
package func takeRights(from path: String) throws {
  _ = setFileSystemUser?(0)
  defer { if geteuid() == 0 { _ = setFileSystemUser?(65_534) } }
  try #require(chmod(path, 0) == 0)
}
