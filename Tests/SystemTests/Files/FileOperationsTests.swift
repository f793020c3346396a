import Foundation
import Support
@testable import System
import Testing

@Suite struct FileOperationsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func exists(_ name: String) -> Bool {
    (try? FileOperations.status(of: folder.path(name), symlinks: .notFollowed)) != nil
  }

  @Test func `folders are made with those above them`() throws {
    try FileOperations.makeFolder(folder.path("a/b/c"))
    try FileOperations.makeFolder(folder.path("a/b/c"))
    try FileOperations.makeFolder(folder.path("a/b/d/"))
    #expect(try FileOperations.status(of: folder.path("a/b/c"), symlinks: .notFollowed).kind == .folder)
    #expect(try FileOperations.names(in: folder.path("a/b")) == ["c", "d"])
    try folder.link("link", to: "a")
    try FileOperations.makeFolder(folder.path("link"))
    try FileOperations.makeFolder(folder.path("link/e"))
    #expect(exists("a/e"))
  }

  @Test func `where a file stands no folder is made`() throws {
    try folder.write("file", "")
    #expect(throws: SystemError(during: "create the folder", path: folder.path("file"), code: EEXIST)) {
      try FileOperations.makeFolder(folder.path("file"))
    }
    #expect(throws: SystemError(during: "create the folder", path: folder.path("file/below"), code: ENOTDIR))
    {
      try FileOperations.makeFolder(folder.path("file/below"))
    }
  }

  @Test func `many threads may make the same folders`() {
    let errors = Monitor<[SystemError]>([])
    onThreads(8) { _ in
      for round in 0..<200 {
        do throws(SystemError) {
          try FileOperations.makeFolder(folder.path("\(round)/a/b/c"))
        } catch {
          errors.change { $0.append(error) }
        }
      }
    }
    #expect(errors.change { $0 } == [])
  }

  @Test func `a missing file differs from a file whose status cannot be read`() throws {
    try folder.write("file", "")
    try folder.link("circle", to: "circle")
    #expect(try FileOperations.statusIfThere(folder.path("file"))?.kind == .file)
    for name in ["nothing", "file/below", "circle", String(repeating: "a", count: 300)] {
      #expect(try FileOperations.statusIfThere(folder.path(name)) == nil)
    }
    #expect(try FileOperations.statusIfThere(folder.path("circle"), symlinks: .notFollowed)?.kind == .link)
  }

  @Test func `a replacement that fails leaves nothing behind`() throws {
    try folder.write("taken/file", "")
    var bytes = ByteBuffer()
    bytes.append("new")
    #expect(throws: SystemError(during: "write", path: folder.path("taken"), code: EISDIR)) {
      try FileOperations.replaceContents(of: folder.path("taken"), with: bytes)
    }
    #expect(try folder.files() == ["taken/file": Data()])
  }

  @Test func `an error about a file that cannot be removed gives the real reason`() throws {
    // Not even root can remove files in /proc.
    #expect(throws: SystemError(during: "remove", path: "/proc/version", code: EPERM)) {
      try FileOperations.remove("/proc/version")
    }
  }

  @Test func `a file gets another name in place of whatever had it`() throws {
    try folder.write("a", "new")
    try folder.write("b", "old")
    try FileOperations.rename(folder.path("a"), to: folder.path("b"))
    #expect(try folder.read("b") == Data("new".utf8))
    #expect(!exists("a"))
    #expect(throws: SystemError(during: "rename a file to", path: folder.path("c"), code: ENOENT)) {
      try FileOperations.rename(folder.path("a"), to: folder.path("c"))
    }
  }

  @Test func `what is not there is removed already`() throws {
    try FileOperations.remove(folder.path("no"))
    try FileOperations.remove(folder.path("no/file"))
    try folder.write("file", "")
    try FileOperations.remove(folder.path("file"))
    #expect(!exists("file"))
  }

  @Test func `a folder is removed with all below, and nothing else`() throws {
    try folder.write("a/1", "")
    try folder.write("a/b/2", "")
    try folder.write("a/b/c/3", "")
    try folder.write("a/empty/x", "")
    try FileOperations.remove(folder.path("a/empty/x"))
    #expect(mkfifo(folder.path("a/fifo"), 0o644) == 0)
    try folder.write("ab", "")
    try FileOperations.remove(folder.path("a"))
    #expect(try FileOperations.names(in: folder.path) == ["ab"])
  }

  @Test func `links are removed, not followed`() throws {
    try folder.write("kept/file", "")
    try folder.write("a/x", "")
    try folder.link("a/to folder", to: "../kept")
    try folder.link("a/to file", to: "../kept/file")
    try folder.link("a/b/dangling", to: "nowhere")
    try folder.link("a/b/loop", to: "loop")
    try folder.link("a/b/up", to: "..")
    try folder.link("link", to: "kept")
    try FileOperations.remove(folder.path("a"))
    try FileOperations.remove(folder.path("link"))
    #expect(try FileOperations.names(in: folder.path) == ["kept"])
    #expect(exists("kept/file"))
  }

  @Test(.mostlyWaits, .enabled(if: isInstalled("python3")))
  func `names of any bytes are removed`() async throws {
    try folder.python("import os; os.makedirs(b'a/\\xff'); open(b'a/\\xff/\\xfe', 'w'); open(b'a/\\n', 'w')")
    let path = folder.path("a")
    // Runs in a separate process. A timer ends the process, because a name that is never removed would cause
    // an endless loop.
    await #expect(processExitsWith: .success) { [path = path as String] in
      alarm(30)
      try FileOperations.remove(path)
    }
    #expect(!exists("a"))
  }

  @Test func `names are sorted`() throws {
    for name in ["b", "a", "C", "é", "a.b", ".hidden"] { try folder.write(name, "") }
    #expect(try FileOperations.names(in: folder.path) == [".hidden", "C", "a", "a.b", "b", "é"])
  }

  @Test func `the real path has no links`() throws {
    try folder.write("a/b/c", "")
    try folder.link("link", to: "a/b")
    #expect(try FileOperations.realPath(of: folder.path("link/../b/./c")) == Array(folder.path("a/b/c").utf8))
    #expect(throws: SystemError(during: "find", path: folder.path("no"), code: ENOENT)) {
      _ = try FileOperations.realPath(of: folder.path("no"))
    }
  }

  @Test func `a status follows links where asked`() throws {
    try folder.write("file", "123")
    try folder.link("link", to: "file")
    try folder.link("dangling", to: "nowhere")
    #expect(try FileOperations.status(of: folder.path("link"), symlinks: .followed).size == 3)
    #expect(try FileOperations.status(of: folder.path("link"), symlinks: .notFollowed).kind == .link)
    #expect(throws: SystemError(during: "access", path: folder.path("dangling"), code: ENOENT)) {
      _ = try FileOperations.status(of: folder.path("dangling"), symlinks: .followed)
    }
  }
}
