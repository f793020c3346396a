import Foundation
import Support
@testable import System
import Testing

@Suite struct FolderWalkTests {
  private let temporary: TemporaryFolder

  init() throws { temporary = try TemporaryFolder() }

  /// Returns the paths that a walk visits, without the paths below the folders in `skipped`.
  private func paths(skipping skipped: Set<String> = []) throws -> [String] {
    var walk = FolderWalk(try Folder(temporary.path))
    var paths: [String] = []
    while let entry = try walk.next() {
      let path = String(decoding: entry.path, as: UTF8.self)
      paths.append(path)
      if skipped.contains(path) { walk.skipContents() }
    }
    return paths
  }

  private func makeFiles() throws {
    for path in ["a/1", "a/2", "b/c/3", "b/d/4", "b/z", "e"] { try temporary.write(path, "") }
  }

  @Test func `an empty folder has nothing below it`() throws {
    #expect(try paths() == [])
  }

  @Test func `the names of a folder stand together, then come those of the folders in it`() throws {
    try makeFiles()
    #expect(
      try paths() == ["a", "b", "e", "b/c", "b/d", "b/z", "b/d/4", "b/c/3", "a/1", "a/2"])
  }

  @Test func `what is skipped is not gone into`() throws {
    try makeFiles()
    #expect(try paths(skipping: ["a", "b/d"]) == ["a", "b", "e", "b/c", "b/d", "b/z", "b/c/3"])
    #expect(try paths(skipping: ["b"]) == ["a", "b", "e", "a/1", "a/2"])
  }

  @Test func `links are not followed`() throws {
    try temporary.write("a/1", "")
    try FileManager.default.createSymbolicLink(
      atPath: temporary.path("a/up"), withDestinationPath: temporary.path)
    var walk = FolderWalk(try Folder(temporary.path))
    var kinds: [FileStatus.Kind] = []
    while let entry = try walk.next() { kinds.append(entry.status.kind) }
    #expect(kinds == [.folder, .file, .link])
  }
}
