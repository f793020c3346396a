@testable import Packing
import System
import Testing

/// Tests the escaped paths in a depfile.
///
/// The acceptance tests check with make and ninja that these programs read them correctly.
@Suite struct DepfileFormTests {
  @Test(arguments: [
    ("a", "a"), ("a b", "a\\ b"), ("a\\ b", "a\\\\\\ b"), ("a#b", "a\\#b"), ("a:b", "a\\:b"),
    ("a$b", "a$$b"), ("a\\b", "a\\b"), ("£", "£"), ("Â", "Â"), ("a\u{a0}", "a\u{a0}"), (".", "."),
    ("..", ".."), ("./.a", "./.a"), ("[a]", "[a]"), ("[a", "[a"), ("a~", "a~"), ("-a", "-a"),
    (String(repeating: "a", count: 4095), String(repeating: "a", count: 4095)),
  ])
  func `a path is escaped for make and ninja`(path: String, escaped: String) throws {
    let name = try DepfileName(Array(path.utf8)) { _ in false }
    #expect(String(decoding: name.bytes, as: UTF8.self) == escaped)
  }

  @Test(arguments: [
    "a\u{80}", "a\u{9f}b", "a\u{7f}", "a\u{1f}", "\n", "a*", "a?", "a;", "a|", "a<", "a>", "a^", "a`", "a%",
    "a=", "a&", "a\"", "a'", "a)", "a\\", "a:", "a ", ".a", "~a", "-la", "a\\#b", "a\\:b", "a\\$b",
    "[a]\\b", "[a-c]", "[!a]", "[^a]", "[[a]", "[é]", "[a][b]", String(repeating: "a", count: 4096),
  ])
  func `a path without a form is refused`(path: String) {
    #expect(throws: DepfileName.Fault.self) { try DepfileName(Array(path.utf8)) { _ in false } }
  }

  /// The name is not valid UTF-8: it ends with the first byte of a control character.
  @Test func `bytes that are not text are kept`() throws {
    #expect(try DepfileName([97, 0xc2]) { _ in false }.bytes == [97, 0xc2])
    #expect(try DepfileName([0xc2, 0x2f, 0xc2, 0xa0]) { _ in false }.bytes == [0xc2, 0x2f, 0xc2, 0xa0])
  }

  @Test func `a wildcard is refused if it finds a file`() {
    func isRefused(_ path: String, if others: Set<String>) -> Bool {
      (try? DepfileName(Array(path.utf8)) { others.contains(String(decoding: $0, as: UTF8.self)) }) == nil
    }
    #expect(isRefused("x/[ab]/c", if: ["x/b/c"]) && isRefused("x/[ab]/c", if: ["x/a/c"]))
    #expect(!isRefused("x/[ab]/c", if: ["x/[ab]/c", "x/c/c", "x/b"]))
    #expect(isRefused("1/[a]/[b]", if: ["1/[a]/b"]) || isRefused("1/[a]/[b]", if: []))
  }

  @Test func `a folder may get another ending`() throws {
    for path in [".git", "a)", "a\\", "a:", "a "] {
      let name = try DepfileName(Array(path.utf8), kind: .folder) { _ in false }
      #expect(name.bytes.suffix(2).elementsEqual("/.".utf8), "\(path)")
    }
    #expect(try DepfileName(Array("a".utf8), kind: .folder) { _ in false }.bytes == Array("a".utf8))
  }
}
