import Foundation
import Support
@testable import System
import Testing

/// Tests how files of the user are replaced.
///
/// The new files must have the attributes of the old files.
@Suite struct ReplacementTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func bytes(_ text: String) -> ByteBuffer {
    var bytes = ByteBuffer()
    bytes.append(text)
    return bytes
  }

  private func status(_ name: String) throws -> stat {
    var status = stat()
    try #require(stat(folder.path(name), &status) == 0)
    return status
  }

  private func attribute(_ name: String, of file: String) -> String? {
    var value = [UInt8](repeating: 0, count: 100)
    let count = getAttribute(folder.path(file), name, &value, value.count)
    return count < 0 ? nil : String(decoding: value.prefix(count), as: UTF8.self)
  }

  @Test func `mode and attributes stay`() throws {
    try folder.write("a", "old")
    #expect(chmod(folder.path("a"), 0o640) == 0)
    let isTaken = setAttribute(folder.path("a"), "user.note", "mine", 4, 0) == 0
    #expect(try FileOperations.replaceContents(of: folder.path("a"), with: bytes("new")) == [])
    #expect(try status("a").st_mode & 0o7777 == 0o640)
    #expect(attribute("user.note", of: "a") == (isTaken ? "mine" : nil))
    #expect(try folder.read("a") == Data("new".utf8))
  }

  @Test(.enabled(if: geteuid() == 0, "only root gives files away")) func `the owner stays`() throws {
    try folder.write("a", "old")
    #expect(chown(folder.path("a"), 1234, 4321) == 0)
    #expect(try FileOperations.replaceContents(of: folder.path("a"), with: bytes("new")) == [])
    #expect(try status("a").st_uid == 1234 && status("a").st_gid == 4321)
  }

  @Test func `an access list stays, and makes nothing wider`() throws {
    try folder.write("a", "old")
    #expect(chmod(folder.path("a"), 0o600) == 0)
    // The entries are user::rw-, user:nobody:rw-, group::---, mask::rw-, other::---
    let entries: [(tag: UInt16, rights: UInt16, id: UInt32)] = [
      (1, 6, .max), (2, 6, 65_534), (4, 0, .max), (16, 6, .max), (32, 0, .max),
    ]
    var list: [UInt8] = [2, 0, 0, 0]
    for entry in entries {
      for byte in 0..<2 { list.append(UInt8(truncatingIfNeeded: entry.tag >> (8 * byte))) }
      for byte in 0..<2 { list.append(UInt8(truncatingIfNeeded: entry.rights >> (8 * byte))) }
      for byte in 0..<4 { list.append(UInt8(truncatingIfNeeded: entry.id >> (8 * byte))) }
    }
    let name = "system.posix_acl_access"
    // If the file system does not support access lists, there is nothing to test.
    if setAttribute(folder.path("a"), name, list, list.count, 0) != 0 { return }
    #expect(try FileOperations.replaceContents(of: folder.path("a"), with: bytes("new")) == [])
    var found = [UInt8](repeating: 0, count: 100)
    let count = getAttribute(folder.path("a"), name, &found, found.count)
    #expect(Array(found.prefix(max(0, count))) == list)
  }

  @Test func `a read-only file is refused`() throws {
    try folder.write("a", "old")
    #expect(chmod(folder.path("a"), 0o444) == 0)
    let error = SystemError(during: "replace the read-only file", path: folder.path("a"), code: EACCES)
    #expect(throws: error) { try FileOperations.replaceContents(of: folder.path("a"), with: bytes("new")) }
    #expect(try folder.read("a") == Data("old".utf8))
    #expect(try FileOperations.replaceContents(of: folder.path("a"), with: bytes("old")) == [])
  }

  @Test func `a new file is readable, and nothing is left beside it`() throws {
    #expect(try FileOperations.replaceContents(of: folder.path("new/a"), with: bytes("new")) == [])
    #expect(try status("new/a").st_mode & 0o400 != 0)
    #expect(try folder.files(below: "new").keys.sorted() == ["a"])
  }

  /// After a killed run, there is a file that nobody has locked.
  ///
  /// It is removed. The file of a run that is still active is locked, so it stays.
  @Test func `only leftovers are removed`() throws {
    for name in [".packtool-1f", ".packtool-2f", ".packtool-notes", ".packtool-", "packtool-1f"] {
      try folder.write(name, "copy")
    }
    let running = open(folder.path(".packtool-2f"), O_RDONLY)
    defer { close(running) }
    #expect(flock(running, LOCK_EX) == 0)
    try FileOperations.replaceContents(of: folder.path("a"), with: bytes("new"))
    let left = [".packtool-", ".packtool-2f", ".packtool-notes", "a", "packtool-1f"]
    #expect(try folder.files().keys.sorted() == left)
  }
}

// System calls of Linux that are missing in Swift's module for the C library.
private let setAttribute = unsafeBitCast(
  dlsym(nil, "setxattr"),
  to: (@convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeRawPointer, Int, Int32) -> Int32)
    .self)
private let getAttribute = unsafeBitCast(
  dlsym(nil, "getxattr"),
  to: (@convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeMutableRawPointer, Int) -> Int).self)
