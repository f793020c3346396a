import Foundation
import Support
@testable import System
import Testing

@Suite struct FolderTests {
  private let temporary: TemporaryFolder
  private let folder: Folder

  init() throws {
    temporary = try TemporaryFolder()
    folder = try Folder(temporary.path)
  }

  @Test func `a folder is opened by its path`() throws {
    #expect(folder.path == temporary.path)
    #expect(try folder.status().kind == .folder)
    try temporary.write("file", "")
    try temporary.link("link", to: ".")
    #expect(try Folder(temporary.path("link")).status() == folder.status())
    #expect(throws: SystemError(during: "open the folder", path: temporary.path("file"), code: ENOTDIR)) {
      _ = try Folder(temporary.path("file"))
    }
    #expect(throws: SystemError(during: "open the folder", path: temporary.path("no"), code: ENOENT)) {
      _ = try Folder(temporary.path("no"))
    }
  }

  @Test func `a status says what a path stands for`() throws {
    try temporary.write("a/file", "12345")
    try temporary.link("a/link", to: "file")
    try temporary.link("folder", to: "a")
    #expect(mkfifo(temporary.path("fifo"), 0o644) == 0)
    try makeSocket(temporary.path("socket"))
    func kind(_ path: String, symlinks: SymlinkFollowing) throws -> FileStatus.Kind {
      try folder.status(of: Array(path.utf8), symlinks: symlinks).kind
    }
    #expect(try kind("a", symlinks: .notFollowed) == .folder)
    #expect(try kind("a/file", symlinks: .notFollowed) == .file)
    #expect(try kind("a/link", symlinks: .notFollowed) == .link)
    #expect(try kind("a/link", symlinks: .followed) == .file)
    #expect(try kind("folder", symlinks: .notFollowed) == .link)
    #expect(try kind("folder/file", symlinks: .notFollowed) == .file)
    #expect(try kind("fifo", symlinks: .followed) == .fifo)
    #expect(try kind("socket", symlinks: .followed) == .socket)
    #expect(try folder.status(of: Array("a/file".utf8), symlinks: .notFollowed).size == 5)
    #expect(try Folder("/dev").status(of: Array("null".utf8), symlinks: .notFollowed).kind == .device)
  }

  @Test func `a status tells times and identity`() throws {
    try temporary.write("a", "1")
    try temporary.write("b", "1")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000.5)], ofItemAtPath: temporary.path("a"))
    #expect(link(temporary.path("a"), temporary.path("hard")) == 0)
    let status = try folder.status(of: Array("a".utf8), symlinks: .notFollowed)
    #expect(status.modified == 1_000_000_000_500_000_000)
    #expect(status.changed > status.modified)
    #expect(try folder.status(of: Array("hard".utf8), symlinks: .notFollowed).identity == status.identity)
    #expect(try folder.status(of: Array("b".utf8), symlinks: .notFollowed).identity != status.identity)
  }

  @Test(arguments: ["no", "no/file", "file/below"])
  func `what is not there is missing`(path: String) throws {
    try temporary.write("file", "")
    let path = Array(path.utf8)
    for attempt in [
      { _ = try folder.status(of: path, symlinks: .followed) }, { _ = try folder.openFile(path) },
      { _ = try folder.listing(of: path) }, { _ = try folder.target(ofLink: path) },
    ] as [() throws -> Void] {
      let error = #expect(throws: SystemError.self, performing: attempt)
      #expect(error?.isMissing == true)
      #expect(error?.path == "\(temporary.path)/\(String(decoding: path, as: UTF8.self))")
    }
  }

  @Test func `a file below is read`() throws {
    try temporary.write("a/b/file", "content")
    var file = try folder.openFile(Array("a/b/file".utf8))
    #expect(try file.contents(limit: 100) == Array("content".utf8))
    #expect(file.path == temporary.path("a/b/file"))
    try temporary.link("link", to: "a/b/file")
    file = try folder.openFile(Array("link".utf8))
    #expect(try file.contents(limit: 100) == Array("content".utf8))
  }

  /// Runs in a separate process.
  ///
  /// A timer ends the process if it hangs.
  @Test(.mostlyWaits) func `a fifo does not make it wait`() async throws {
    #expect(mkfifo(temporary.path("fifo"), 0o644) == 0)
    let path = temporary.path
    await #expect(processExitsWith: .success) { [path = path as String] in
      alarm(30)
      let file = try Folder(path).openFile(Array("fifo".utf8))
      #expect(try file.status().kind == .fifo)
    }
  }

  @Test(arguments: ["x", "../é/ü", "/", String(repeating: "a/", count: 2047)])
  func `a link's text is kept byte for byte`(target: String) throws {
    try temporary.link("link", to: target)
    #expect(try folder.target(ofLink: Array("link".utf8)) == Array(target.utf8))
  }

  @Test func `a link's text may be any bytes, and only links have one`() throws {
    try temporary.python("import os; os.symlink(b'\\xff\\x01', b'link')")
    #expect(try folder.target(ofLink: Array("link".utf8)) == [0xff, 1])
    #expect(throws: SystemError(during: "read the symlink", path: temporary.path("."), code: EINVAL)) {
      _ = try folder.target(ofLink: Array(".".utf8))
    }
  }

  @Test func `a folder is opened below another`() throws {
    try temporary.write("a/b/c/file", "content")
    let below = try Folder(Array("a/b".utf8), below: folder)
    #expect(below.path == temporary.path("a/b"))
    #expect(try below.openFile(Array("c/file".utf8)).contents(limit: 10) == Array("content".utf8))
    #expect(throws: SystemError(during: "open the folder", path: temporary.path("a/b/c/file"), code: ENOTDIR))
    {
      _ = try Folder(Array("c/file".utf8), below: below)
    }
  }
}

func makeSocket(_ path: String) throws {
  let script = "import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])"
  try run(pythonProgram, ["-c", script, path])
}
