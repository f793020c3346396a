@testable import Model
@testable import Pipeline
import Support
import Testing

/// Tests which strings are valid relative paths.
@Suite struct RelativePathTests {
  @Test(arguments: [
    ("a", "a"), ("a/b", "a/b"), ("./a", "a"), ("a/.", "a"), ("a/", "a"), ("a//b", "a/b"), ("a/./b", "a/b"),
    ("a/../b", "b"), ("a/b/../../c", "c"), (".", "."), ("./", "."), ("a/..", "."), ("...", "..."),
    ("a/...", "a/..."), (".a", ".a"), ("a.", "a."), ("..a/b..", "..a/b.."), ("a b", "a b"),
    ("\u{a0}", "\u{a0}"), ("a\u{a0}b", "a\u{a0}b"), ("\u{e9}/\u{2028}", "\u{e9}/\u{2028}"), (" ", " "),
    ("~", "~"), ("\u{c280}", "\u{c280}"),
  ]) func `a path is kept without empty components and dots`(text: String, path: String) throws {
    let found = try RelativePath(text)
    #expect(found.text == path && found.isRoot == (path == "."))
    #expect(found.components.joined(separator: "/") == (path == "." ? "" : path))
  }

  @Test(
    arguments: [
      ("", .isEmpty), ("/", .isAbsolute), ("/a", .isAbsolute), ("..", .escapes), ("a/../..", .escapes),
      ("../a", .escapes), ("./..", .escapes), ("a/../../a", .escapes), ("a\\b", .hasBackslash),
      ("\u{0}", .hasControlCharacter), ("a\u{1f}", .hasControlCharacter), ("\u{7f}", .hasControlCharacter),
      ("\u{80}", .hasControlCharacter), ("a/\u{9f}/b", .hasControlCharacter), ("\n", .hasControlCharacter),
    ] as [(String, RelativePath.Mistake)])
  func `other texts are mistakes`(text: String, mistake: RelativePath.Mistake) {
    #expect(throws: mistake) { try RelativePath(text) }
  }

  /// Names that Windows rejects, at each position in a path.
  @Test(arguments: ["con", "CON.txt", "nul", "com1", "lpt9.a.b", "a.", "a ", " .", "aux"])
  func `a name that Windows refuses is found wherever it is`(name: String) {
    for path in [name, "x/\(name)", "\(name)/x", "x/\(name)/y"] {
      let bytes = Array(path.utf8)
      #expect(!PathForm(of: bytes.span).isStorableOnWindows, "\(path)")
    }
    for path in ["x/y/z", "console/x", ".a/b", "xcon/y", "com/x", "com10/x"] {
      let bytes = Array(path.utf8)
      #expect(PathForm(of: bytes.span).isStorableOnWindows, "\(path)")
    }
  }

  @Test func `a path has up to 65,535 bytes`() throws {
    let longest = String(repeating: "é", count: 32_767) + "e"
    #expect(longest.utf8.count == 65_535)
    #expect(try RelativePath(longest).text == longest)
    #expect(throws: RelativePath.Mistake.isTooLong) { try RelativePath("e" + longest) }
  }
}
