@testable import Formats
@testable import Model
import Support
import Testing

/// Tests what one pass over the bytes of a path finds, and the names that Windows cannot store.
@Suite struct PathFormTests {
  private func form(_ path: String) -> PathForm { PathForm(of: Array(path.utf8).span) }

  /// The path is kept without a copy only if it is normal.
  @Test(arguments: [
    ("", false), ("a", true), ("ab/c", true), (".", false), ("..", false), ("...", true), ("./a", false),
    ("a/.", false), ("a/..", false), ("a/.../b", true), (".a", true), ("a.", true), ("..a/b", true),
    ("a//b", false), ("a/", false), ("/a", false), ("a.b/c..d", true), ("a/../b", false), ("a/./b", false),
  ]) func `a normal path has no empty components and dots`(path: String, isNormal: Bool) {
    #expect(form(path).isNormal == isNormal)
  }

  @Test func `backslashes and control characters are found anywhere`() {
    for path in ["a\\b", "\\", "a/\\", "\\a/b"] {
      #expect(form(path).hasBackslash && !form(path).hasControlCharacter, "\(path)")
    }
    for path in ["\u{1f}a", "a/\u{7f}", "\u{80}", "a\u{9f}/b", "\u{0}"] {
      #expect(form(path).hasControlCharacter && !form(path).hasBackslash, "\(path)")
    }
    for path in [" ", "~", "\u{a0}", "\u{e0}/", "\u{440}", "a/b", "\u{105}"] {
      #expect(!form(path).hasControlCharacter && !form(path).hasBackslash, "\(path)")
    }
  }

  /// A name after one that Windows cannot store changes nothing.
  @Test(arguments: [
    "con/x", "con/console", "a:b/console", "a:b/x", "a./nulx", "x/aux", "lpt1/con.txt/prnx", "a ", "x/a?",
    "com¹", "CONIN$", "conout$ .txt",
  ]) func `a path with a name that Windows refuses is found`(path: String) {
    #expect(!form(path).isStorableOnWindows)
    #expect(!WindowsNames.unstorableNames(in: path).isEmpty)
  }

  @Test(arguments: [
    "", "/", "a//b", "console", "co", "c", "x/co/n", "lpt", "com0", "prn1/auxx/nulls", " a", ".a", ".con",
    "con1", "a.con",
  ]) func `other paths are storable`(path: String) {
    #expect(form(path).isStorableOnWindows)
    #expect(WindowsNames.unstorableNames(in: path).isEmpty)
  }

  @Test func `each folder that Windows refuses is listed`() {
    #expect(
      WindowsNames.unstorableNames(in: "con/xa./y/nul.txt") == ["con", "con/xa.", "con/xa./y/nul.txt"])
    #expect(WindowsNames.unstorableNames(in: "a/b c/d e ") == ["a/b c/d e "])
    #expect(WindowsNames.unstorableNames(in: "a|/b") == ["a|"])
  }

  @Test func `eight characters are reserved`() {
    let reserved = (UInt8.min...UInt8.max).filter(WindowsNames.isReserved)
    #expect(Set(reserved) == Set(#"<>:"|?*\"#.utf8))
  }

  @Test(arguments: [
    ("", false), (".", false), ("..", false), ("...", true), ("a", true), ("a.", true), (".a", true),
    ("..a", true),
    ("a/b", true), ("a b/c", true), ("/a", false), ("a/", false), ("a//b", false), ("a/./b", false),
    ("a/../b", false), ("a/.../b", true), ("./a", false), ("../a", false), ("a/.", false), ("a/..", false),
    ("a/...", true), ("\u{1f}", false), ("a\u{7f}", false), (" ", true), ("~", true), ("\u{80}", true),
    ("....", true), ("ab", true),
  ]) func `a published path is in canonical form`(path: String, isPlain: Bool) {
    #expect(PublishedPath.isPlain(path) == isPlain)
    #expect(PublishedPath.isInPack(path) == isPlain)
  }

  @Test func `a published path has at most 65,535 bytes`() {
    let longest = String(repeating: "a", count: 65_535)
    #expect(PublishedPath.isPlain(longest) && !PublishedPath.isPlain(longest + "a"))
    #expect(PublishedPath.isPlain("a\\b") && !PublishedPath.isInPack("a\\b"))
  }

  /// JSON reads a Windows path such as `Shared\new.png` with control characters.
  @Test(arguments: [
    ("Shared\new.png", #""Shared\new.png" "/" "Shared/new.png""#),
    ("a\u{8}\u{c}\r\tz", #""a\u{8}\u{c}\r\tz" "/" "a/b/f/r/tz""#), ("a\n\u{1}b", #""a\n\u{1}b""#),
    ("\u{9f}", #""\u{9f}""#), ("a\u{7f}\n", #""a\u{7f}\n""#),
  ]) func `a path whose backslashes JSON read is corrected`(text: String, facts: String) {
    let mistake = #expect(throws: RelativePath.Mistake.self) { try RelativePath(text) }
    #expect(mistake.map { values(in: $0.message(for: text, within: "the root")) } == facts)
    #expect(mistake?.check == .invalidPath)
    #expect(RelativePath.Mistake.escapes.check == .pathEscapesRoot)
  }

  @Test(arguments: [
    ("https://x.y:1/", true), ("https://x.y:/", true), ("https://x.y:65535/", true),
    ("https://x.y:65536/", false), ("https://x.y:0/", false), ("https://x.y:99999999999999999999/", false),
    ("x.y:70000/", false), ("x/y:70000", true), ("mailto:a", false), ("HTTP://x", true),
    ("https://x?y", true),
  ]) func `a URL prefix has a right port and scheme`(text: String, isRight: Bool) {
    #expect(((try? PackURLPrefix(text)) != nil) == isRight)
  }

  @Test func `a folder's URL prefix ends in a slash`() throws {
    let prefix = { (text: String) throws in try PackURLPrefix(text) }
    #expect(try prefix("https://x/a").asFolder.text == "https://x/a/")
    #expect(try prefix("https://x/a/").asFolder.text == "https://x/a/")
    #expect(try prefix("https://x/a?b=").hasQuery && !prefix("https://x/a").hasQuery)
  }
}
