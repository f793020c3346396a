@testable import Model
@testable import Pipeline
import Testing

/// Tests the tree of folders on which a proposal is based, and how it finds the root.
@Suite struct FolderTreeTests {
  private func tree(_ files: [(path: String, size: Int64)]) -> FolderTree {
    FolderTree(of: files.map { UntaggedFile(path: $0.path, size: $0.size) })
  }

  private func root(_ paths: String...) -> String { tree(paths.map { ($0, 1) }).rootPath }

  @Test func `folders have the totals of all files below them`() throws {
    let tree = tree([("b/x.py", 6), ("a", 1), ("b/c/y.ogg", 3), ("b/c/d.wav", 2), ("b/a.png", 4)])
    #expect(tree.folders.map(\.path) == ["", "b", "b/c"])
    #expect(tree.folders.map(\.name) == ["", "b", "c"])
    #expect(tree.folders.map(\.size) == [16, 15, 5])
    #expect(tree.folders.map(\.ownSize) == [1, 10, 5])
    #expect(tree.folders.map(\.fileCount) == [5, 4, 2])
    #expect(tree.folders.map(\.codeSize) == [6, 6, 0])
    #expect(tree.folders.map(\.heardOrWatchedSize) == [5, 5, 5])
    #expect(tree.folders.map { $0.files.map(\.name) } == [["a"], ["a.png", "x.py"], ["d.wav", "y.ogg"]])
    #expect(tree.subfolders(of: tree.folders[0]).map(\.path) == ["b"])
  }

  @Test func `most bytes of a folder decide what it contains`() {
    func top(_ files: [(path: String, size: Int64)]) -> FolderTree.Folder { tree(files).folders[0] }
    #expect(top([("a.py", 51), ("b", 49)]).isProgramCode && !top([("a.py", 50), ("b", 50)]).isProgramCode)
    #expect(top([("a.ogg", 91), ("b", 9)]).isHeardOrWatched)
    #expect(!top([("a.ogg", 90), ("b", 10)]).isHeardOrWatched)
    let named = tree([("music/x/a", 1)]).folders
    #expect(named.map(\.isHeardOrWatched) == [false, true, true])
  }

  /// Files below the eighth folder count as files of this folder.
  @Test func `deep folders are one folder`() throws {
    let tree = tree([("1/2/3/4/5/6/7/8/9/10/a", 2), ("1/2/3/4/5/6/7/8/b", 1)])
    let last = try #require(tree.folders.last)
    #expect(last.path == "1/2/3/4/5/6/7/8" && last.ownSize == 3 && last.fileCount == 2)
    #expect(last.files.map(\.name) == ["9/10/a", "b"])
  }

  @Test func `the root is below folders that contain only one folder`() {
    #expect(root("a", "b/c") == "")
    #expect(root("game/a/x", "game/b/x") == "game")
    #expect(root("game/a/x", "game/b/x", "readme.txt") == "game")
    #expect(root("game/a/x", "game/b/x", "docs/guide") == "game")
    #expect(root("game/a/x", "game/b/x", "list") == "")
    // A folder with only one folder is not the root, but the root can be below it.
    #expect(root("x/game/a/x", "x/game/b/x") == "x/game")
    #expect(root("x/game/a/x") == "")
    #expect(root("game/y", "game/a/x") == "game")
    // Folders of one medium and catalogs are parts of an app.
    #expect(root("music/a/x", "music/b/x") == "" && root("A.xcassets/a/x", "A.xcassets/b/x") == "")
    #expect(root("game/x", "game/y") == "")
    // In folders of an operating system, the root is the folder of the program.
    #expect(root("usr/share/games/quest/x", "usr/share/icons/i") == "usr/share/games/quest")
    #expect(root("usr/share/quest/a/x", "usr/share/quest/b/x", "usr/share/doc/d") == "usr/share/quest")
    #expect(root("share/x", "share/a/b") == "share")
  }

  @Test func `globs name one or several names`() {
    #expect(globOfNames(["b"]) == "b" && globOfNames(["b", "a"]) == "{a,b}" && globOfNames([]) == "{}")
    #expect(joined(below: "", rest: "*") == "*" && joined(below: "a", rest: "*/**") == "a/*/**")
  }

  @Test func `numbers end names`() {
    func facts(_ name: String) -> String? { NumberedName(name).map { "\($0.head)|\($0.number)|\($0.word)" } }
    #expect(
      facts("level_01") == "level_|1|level_" && facts("12") == "|12|" && facts("a1 b-2") == "a1 b-|2|a b-")
    #expect(facts("a123456789") == "a|123456789|a" && facts("a1234567890") == nil)
    #expect(facts("level") == nil && facts("a٣") == nil && facts("") == nil)
  }
}
