@testable import Formats
@testable import Model
@testable import Pipeline
import Support
import Testing

/// Tests which part of a path each wildcard of a glob matches.
@Suite struct GlobCapturesTests {
  private func captures(_ pattern: String, _ path: String) throws -> [String]? {
    try #require(GlobCaptures(Glob(pattern))).captures(in: path)
  }

  @Test(
    arguments: [
      ("Levels/*/**", "Levels/1/map.json", ["1", "map.json"]),
      ("Levels/*/**", "Levels/1/Art/sky.png", ["1", "Art/sky.png"]),
      ("Levels/*/**", "Levels/map.json", nil),
      ("**/*.lproj/**", "fr.lproj/a.strings", ["", "fr", "a.strings"]),
      ("**/*.lproj/**", "UI/Menu/fr.lproj/a/b.strings", ["UI/Menu", "fr", "a/b.strings"]),
      ("Voices/*_??.ogg", "Voices/hero_hello_fr.ogg", ["hero_hello", "f", "r"]),
      ("Voices/*_*.ogg", "Voices/hero_hello_fr.ogg", ["hero_hello", "fr"]),
      ("*", "a", ["a"]), ("**", "a/b", ["a/b"]), ("**/**", "a/b", ["a", "b"]), ("**/a", "a", [""]),
      ("**/*", "a/b/c", ["a/b", "c"]), ("*a*", "aaa", ["aa", ""]),
      ("[a-c][!a-c]?", "bxé", ["b", "x", "é"]), ("**/b/**", "b/b/b/b", ["b/b", "b"]),
      ("{a,b}/*", "b/c", ["c"]), ("{Levels/*,Stages/*}/**", "Stages/2/a", ["2", "a"]),
      ("{x*,*y}", "xy", ["y"]), ("plain", "plain", []), ("./a//*", "a/b", ["b"]), ("*é*", "aéb", ["a", "b"]),
      ("*", "a/b", nil), ("a/**", "a", nil), ("**/a/**/b/**", "a/b", nil), ("*_*", "ab", nil),
    ] as [(String, String, [String]?)])
  func `each wildcard takes as much as those before it leave`(
    pattern: String, path: String, wanted: [String]?
  ) throws {
    #expect(try captures(pattern, path) == wanted)
  }

  /// The code for rules, which decides whether a glob matches a path, is separate from the code for captures.
  ///
  /// Both pieces of code must agree.
  @Test func `a path has captures if the glob matches it`() throws {
    var random = SystemRandomNumberGenerator()
    let pieces = ["a", "b", "*", "?", "/", "**", "[ab]", "[!a]", "{a,b*}", "é"]
    let letters = ["a", "b", "/", "é", "ab"]
    var matched = 0
    for _ in 0..<sample(5_000, of: 20_000) {
      let pattern = (0..<Int.random(in: 1...7, using: &random)).map { _ in pieces.randomElement()! }.joined()
      let path = (0..<Int.random(in: 1...7, using: &random)).map { _ in letters.randomElement()! }.joined()
      guard let glob = try? Glob(pattern), let normal = try? RelativePath(path), !normal.isRoot else {
        continue
      }
      let captures = try #require(GlobCaptures(glob))
      let found = captures.captures(in: normal.text)
      #expect((found != nil) == glob.matches(normal.text), "\(pattern) and \(normal.text): \(found ?? [])")
      if let found {
        matched += 1
        #expect(found.count >= captures.fewest.wildcards)
      }
    }
    #expect(matched > 100)
  }

  @Test(
    .noHang,
    arguments: [
      String(repeating: "**/a/", count: 150) + "b", String(repeating: "*a", count: 400) + "b",
      String(repeating: "**/", count: 300) + "*a*a*a*a*b",
      String(repeating: "{a,b}", count: 6) + "/**/a/**/a/**/b",
    ])
  func `hostile globs end soon`(pattern: String) throws {
    let glob = try #require(GlobCaptures(Glob(pattern)))
    #expect(glob.captures(in: Array(repeating: "a", count: 32_000).joined(separator: "/")) == nil)
    #expect(glob.captures(in: String(repeating: "a", count: 60_000)) == nil)
  }

  @Test func `what is too large is not compiled`() throws {
    #expect(try GlobCaptures(Glob(String(repeating: "?", count: 1025))) == nil)
    #expect(try GlobCaptures(Glob(String(repeating: "{a,b}", count: 6))) != nil)
    #expect(try GlobCaptures(Glob(String(repeating: "{a,b}", count: 7))) == nil)
  }

  @Test(
    arguments: [
      ("Level $1", ["Level 2"]), ("$2 $1", ["b 2"]), ("$$1", ["$1"]), ("$$$1$$", ["$2$"]),
      ("plain", ["plain"]),
    ])
  func `a template is filled`(template: String, tags: [String]) throws {
    let rule = ResourceRule(
      pattern: .glob(try Glob("*/*")), text: Located("*/*", at: 0), tags: [],
      templates: [try TagTemplate(Located(template, at: 0))])
    #expect(rule.generatedTags(for: "2/b") == tags)
  }
}
