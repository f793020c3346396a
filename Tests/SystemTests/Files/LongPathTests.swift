import Foundation
import Support
@testable import System
import Testing

/// Tests paths that are too long for one system call.
@Suite(.enabled(if: isInstalled("python3"))) struct LongPathTests {
  private let temporary: TemporaryFolder
  private let folder: Folder

  init() throws {
    temporary = try TemporaryFolder()
    folder = try Folder(temporary.path)
  }

  /// Creates nested folders, and a file and a symlink in the innermost folder.
  private func makeDeepFolder(_ depth: Int, name: String) throws -> [UInt8] {
    let script = """
      import os, sys
      for _ in range(int(sys.argv[1])):
        os.mkdir(sys.argv[2])
        os.chdir(sys.argv[2])
      open('file', 'w').write('deep')
      os.symlink('file', 'link')
      """
    try temporary.python(script, ["\(depth)", name])
    return Array(Array(repeating: name, count: depth).joined(separator: "/").utf8)
  }

  /// Removes the folder with `rm`.
  ///
  /// Other temporary folders are removed with Foundation, but Foundation cannot remove such deep folders.
  private func removeAll() { _ = try? run("rm", ["-rf", temporary.path]) }

  private static let longName = String(repeating: "d", count: 200)

  @Test func `a thousand folders deep all is found`() throws {
    let deep = try makeDeepFolder(1000, name: Self.longName)
    defer { removeAll() }
    #expect(deep.count == 200_999)
    let file = deep + Array("/file".utf8)
    #expect(try folder.status(of: deep, symlinks: .followed).kind == .folder)
    #expect(try folder.status(of: file, symlinks: .notFollowed).size == 4)
    #expect(try folder.openFile(file).contents(limit: 10) == Array("deep".utf8))
    let below = try Folder(deep, below: folder)
    #expect(try below.openFile(Array("link".utf8)).contents(limit: 10) == Array("deep".utf8))
    #expect(try folder.target(ofLink: deep + Array("/link".utf8)) == Array("file".utf8))
    let listing = try folder.listing(of: deep)
    #expect(listing.entries.map { Array(listing.name(of: $0)) } == [Array("file".utf8), Array("link".utf8)])
    var walk = FolderWalk(folder)
    var walked: [[UInt8]] = []
    while let entry = try walk.next() { walked.append(entry.path) }
    #expect(walked.count == 1002)
    #expect(walked.suffix(3) == [deep, file, deep + Array("/link".utf8)])
    let error = #expect(throws: SystemError.self) {
      _ = try folder.status(of: deep + Array("/nothing".utf8), symlinks: .followed)
    }
    #expect(error?.code == ENOENT)
  }

  /// Lengths near PATH_MAX, which is 4,096 bytes with the final zero, and near twice this length.
  @Test func `paths of every length about the limit are found`() throws {
    let script = """
      import os
      for total in list(range(4085, 4105)) + list(range(8180, 8200)):
        rest = total
        folder = os.open('.', os.O_RDONLY)
        while rest > 250:
          name = 'd' * min(200, rest - 2)
          try:
            os.mkdir(name)
          except FileExistsError:
            pass
          os.chdir(name)
          rest -= len(name) + 1
        open('f' * rest, 'w').write(str(total))
        os.fchdir(folder)
      """
    defer { removeAll() }
    try temporary.python(script)
    for total in Array(4085...4104) + Array(8180...8199) {
      var path = ""
      while total - path.utf8.count > 250 { path += String(repeating: "d", count: 200) + "/" }
      path += String(repeating: "f", count: total - path.utf8.count)
      #expect(try folder.openFile(Array(path.utf8)).contents(limit: 10) == Array("\(total)".utf8))
    }
  }

  @Test(arguments: [256, 300, 4094, 4095, 4096, 5000])
  func `a name longer than any may be is not found`(length: Int) throws {
    let name = Array(repeating: UInt8(ascii: "n"), count: length)
    let error = #expect(throws: SystemError.self) { _ = try folder.status(of: name, symlinks: .followed) }
    #expect(error?.code == ENAMETOOLONG)
  }

  @Test(arguments: [(400, "d"), (60, longName)])
  func `folders of any depth are removed`(depth: Int, name: String) throws {
    _ = try makeDeepFolder(depth, name: name)
    try FileOperations.remove(temporary.path(name))
    #expect(try folder.listing().entries.isEmpty)
  }
}
