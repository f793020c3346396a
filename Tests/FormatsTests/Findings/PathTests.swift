@testable import Formats
import Testing

@Suite struct PathTests {
  @Test(arguments: [
    ("a", "a"), ("a/", "a"), ("a//", "a"), ("/", "/"), ("///", "/"), ("/a/", "/a"), ("./a/", "./a"),
    ("a/\u{301}/", "a/\u{301}"), ("", ""),
  ])
  func `a path has no slashes at its end`(path: String, trimmed: String) {
    #expect(Formats.trimmed(path) == trimmed)
  }

  @Test(arguments: [
    ("a.xcassets", true), ("x/a.xcassets", true), ("x/.a.xcassets", true), (".xcassets", false),
    ("x/.xcassets", false), ("a.xcasset", false), ("a.xcassets/", false), ("", false),
  ])
  func `a catalog has a name before its ending`(path: String, expected: Bool) {
    #expect(isCatalog(path) == expected)
  }

  /// Several slashes after the dot do not make a path absolute.
  @Test(arguments: [
    ("a/", "a"), ("./a", "a"), (".//a/b//", "a/b"), ("././a", "a"), ("./", "."), (".", "."), ("./.", "."),
    ("../a", "../a"), (".a", ".a"), ("/a", "/a"), ("./../a", "../a"),
  ])
  func `a path is as short as it can be typed`(path: String, shortened: String) {
    #expect(Formats.shortened(path) == shortened)
  }

  @Test(arguments: [
    ("a", ".", "a"), ("a/b", "a", "b"), ("/a", "/", "a"), ("a//b", "a/", "b"), ("/a/b/c", "/a/b", "c"),
  ])
  func `a path has a folder and a last name`(path: String, folder: String, name: String) {
    #expect(folderPath(of: path) == folder)
    #expect(lastName(of: path) == name)
    #expect(foldersAbove(path).last ?? "." == (folder == "/" ? "" : folder))
  }

  @Test(arguments: [
    ("a", "b", "a/b"), (".", "b", "b"), ("a", ".", "a"), ("a", "", "a"), ("/", "b", "/b"), (".", ".", "."),
  ])
  func `a path is put below another`(folder: String, path: String, whole: String) {
    #expect(joined(folder, path) == whole)
  }
}
