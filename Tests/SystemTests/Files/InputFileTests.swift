import Foundation
import Support
@testable import System
import Testing

@Suite struct InputFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `a part of a file is appended`() throws {
    try folder.write("file", "0123456789")
    let file = try InputFile(folder.path("file"))
    var buffer = ByteBuffer()
    buffer.append("<")
    try file.read(3, at: 2, into: &buffer)
    try file.read(0, at: 2, into: &buffer)
    try file.read(2, at: 8, into: &buffer)
    buffer.append(">")
    #expect(String(decoding: buffer.array(), as: UTF8.self) == "<23489>")
  }

  @Test(.enabled(if: Platform.keepingAccessTime != 0, "the system has no such flag"))
  func `reading leaves the access time`() throws {
    try folder.write("file", "0123456789")
    // The access time is set to a time before the content's time, because file systems then update the access
    // time when the file is read.
    var times = [timespec(tv_sec: 1_000_000_000, tv_nsec: 0), timespec(tv_sec: 1_100_000_000, tv_nsec: 0)]
    #expect(utimensat(AT_FDCWD, folder.path("file"), &times, 0) == 0)
    #expect(try InputFile(folder.path("file")).bytes(count: 10, at: 0).count == 10)
    #expect(try Folder(folder.path).openFile(Array("file".utf8)).bytes(count: 10, at: 0).count == 10)
    var status = stat()
    #expect(stat(folder.path("file"), &status) == 0)
    #expect(status.st_atim.tv_sec == 1_000_000_000)
  }

  @Test func `where the file ends there is no more`() throws {
    try folder.write("file", "0123456789")
    let file = try InputFile(folder.path("file"))
    var buffer = ByteBuffer()
    try file.read(100, at: 7, into: &buffer)
    #expect(buffer.array() == Array("789".utf8))
    try file.read(100, at: 10, into: &buffer)
    try file.read(100, at: 1000, into: &buffer)
    #expect(buffer.count == 3)
  }

  @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 300_000])
  func `the whole content, up to a limit`(count: Int) throws {
    let bytes = Content.random.bytes(count)
    try folder.write("file", Data(bytes))
    let file = try InputFile(folder.path("file"))
    #expect(try file.contents(limit: count) == bytes)
    #expect(try file.contents(limit: count + 1) == bytes)
    #expect(try file.contents(limit: Int.max - 1) == bytes)
    if count > 0 { #expect(try file.contents(limit: count - 1) == nil) }
  }

  /// Files of the kernel report a size of 0 bytes.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/maps")))
  func `a file longer than it claims is read to its end`() throws {
    let file = try InputFile("/proc/self/maps")
    #expect(try file.status().size == 0)
    #expect(try file.contents(limit: 1 << 24)?.count ?? 0 > 1000)
    #expect(try file.contents(limit: 100) == nil)
  }

  /// Runs in a separate process.
  ///
  /// A timer ends the process if it hangs.
  @Test(.mostlyWaits) func `a fifo does not make it wait`() async throws {
    let path = folder.path("fifo")
    #expect(mkfifo(path, 0o644) == 0)
    await #expect(processExitsWith: .success) { [path = path as String] in
      alarm(30)
      let file = try InputFile(path)
      #expect(try file.status().kind == .fifo)
    }
  }

  @Test func `files that cannot be opened or read are reported`() throws {
    #expect(throws: SystemError(during: "open", path: folder.path("no"), code: ENOENT)) {
      _ = try InputFile(folder.path("no"))
    }
    let file = try InputFile(folder.path)
    var buffer = ByteBuffer([1])
    #expect(throws: SystemError(during: "read", path: folder.path, code: EISDIR)) {
      try file.read(1, at: 0, into: &buffer)
    }
    #expect(buffer.array() == [1])
  }
}
