@testable import Formats
@testable import Model
@testable import Pipeline
@testable import System
import Support
import Testing

/// Tests how a glob is split into components, but not which paths it matches.
@Suite struct GlobFormTests {
  /// Globs, and the number of components that a destination replaces.
  @Test(arguments: [
    ("*.png", 0), ("**", 0), ("a.png", 0), ("{a,b}/c", 0), ("?/a", 0), ("[a]/b", 0), ("a{,b}/c", 0),
    ("Music/**/*.ogg", 1), ("a/b.png", 1), ("./a/*.png", 1), ("a/./*.png", 1), ("a/[b]/c/d", 1),
    ("a/*/b/*", 1),
    ("Sounds/{UI,Player}/*.wav", 1), ("a/../b/*.png", 1), ("a/b/../*.png", 1), ("a/b/.././c.png", 1),
    ("a/b/*.png", 2), ("a//b/**", 2), ("a/b/c.png", 2), ("a/b/{c,d}/e", 2), ("a b/é/*", 2),
  ])
  func `the fixed part ends before the first wildcard and before the name`(_ pattern: String, _ depth: Int)
    throws
  {
    #expect(try Glob(pattern).fixedDepth == depth)
  }

  @Test(
    arguments: [
      ("Levels/*/**", 2), ("Levels/**", 1), ("**", 0), ("Levels/*", nil), ("Levels/1", nil), ("**/a/**", nil),
      ("{a,b}/**", nil), ("{a}/**", 1),
    ] as [(String, Int?)])
  func `a glob of whole folders has their depth`(pattern: String, depth: Int?) throws {
    #expect(try Glob(pattern).folderDepth == depth)
  }

  @Test(
    arguments: [
      (#"Castle/.*\.(ogg|json)"#, "Castle/**/*.{ogg,json}"), ("^Levels/.*$", "Levels/**"),
      (".*/map.json", "**/map.json"),
      (#".*\.png"#, "**/*.png"), (#"Levels/\d+/.*"#, "Levels/*/**"), (#"a\d*_[a-c]+\.txt$"#, "a*_*.txt"),
      ("(?:a|b)/.+?.ogg", "{a,b}/**/*.ogg"), (#"\w+\.(png|jpg)$"#, "*.{png,jpg}"),
      ("Level[12]/.+x", "Level[12]/**/*x"),
      (#"a\.b.c$"#, "a.b.c"),
      // Not regular expressions, or without a glob of the same meaning.
      ("*.png", nil), ("Castle/*.*", nil), (#"Castle\data"#, nil), (#"Castle\worlds\1"#, nil), ("a/b.c", nil),
      ("{a,b}/**", nil), ("(a|b", nil), ("a|b", nil), (#"(a|b)\1"#, nil), ("(a|b)+", nil),
      (#"[^\d]x|y"#, nil), ("a)|(b", nil),
      (#"x\"#, nil), ("^[", nil), ("^a[]b", nil), ("^a{2}$", nil), ("", nil), ("^", nil), ("$", nil),
    ] as [(String, String?)])
  func `a regular expression has a glob of the same meaning`(expression: String, glob: String?) {
    #expect(Glob.translated(fromExpression: expression) == glob)
  }

  @Test(arguments: [
    ("a/*.png", "./a//*.png"), ("**/**/a", "**/a"), ("{a}", "a"), ("a/b/../c", "a/c"),
    ("a/", "a"),
    ("[a]", "[a]"),
  ])
  func `globs for the same paths are equal, however they are written`(_ first: String, _ second: String)
    throws
  {
    let globs = try (Glob(first), Glob(second))
    #expect(globs.0 == globs.1)
    #expect(globs.0.hashValue == globs.1.hashValue)
  }

  @Test(arguments: [
    ("{a/***,b{c,d}e}/x", "{a/**,b{c,d}e}/x"), ("*/x**", "*/x*"),
    ("**.png", "**/*.png"), ("Levels/**.bin", "Levels/**/*.bin"), ("DLC/**.**", "DLC/**/*.*"), ("a**", "a*"),
    ("a**c", "a*c"), ("a/b**/c", "a/b*/c"), ("***", "**"), ("x/***/y", "x/**/y"), ("**/**.png", "**/*.png"),
    ("{a,b}/**.{png,jpg}", "{a,b}/**/*.{png,jpg}"), ("**a**", "**/*a*"), ("[*]**.x", "[*]*.x"),
    ("images/{**,x}.png", "images/{**/*,x}.png"), ("{a/,b}**.x", "{a/**/*.x,b*.x}"),
    ("a/{**,b}c", "a/{**/*,b}c"),
    ("{**,x}/**.y", "{**,x}/**/*.y"), ("./**.png", "**/*.png"),
    ("a/*/../**.png", "a/**/*.png"), ("a/./b**c", "a/b*c"), ("x{**,y}", "x{*,y}"),
    ("{a,{b,**}}.z", "{a,{b,**/*}}.z"),
  ])
  func `two stars beside other characters are a mistake`(_ pattern: String, _ meant: String) throws {
    let mistake = #expect(throws: Glob.Mistake.self) { try Glob(pattern) }
    #expect(mistake?.message(for: pattern).hasSuffix("use \(quoted(meant))") == true)
    #expect(throws: Never.self) { try Glob(meant) }
    #expect(StringFormat.glob.corrected(pattern) == meant)
  }

  @Test(arguments: ["[**]", "[a*]*", "*[*]", "**", "a/**/b", "**/*", "*/*", "{*,**}"])
  func `other stars are none`(_ pattern: String) { #expect(throws: Never.self) { try Glob(pattern) } }

  @Test(arguments: [
    ("a", "A"), ("a*", "*a"), ("a/*", "a/**"), ("[a]", "[!a]"), ("?", "*"), ("\u{e9}", "e\u{301}"),
  ])
  func `globs for other paths are not equal`(_ first: String, _ second: String) throws {
    #expect(try Glob(first) != Glob(second))
  }

  @Test func `braces stand for up to 1,024 patterns`() throws {
    let most = String(repeating: "{a,b}", count: 10)
    #expect(try Glob(most).branches.count == 1024)
    #expect(throws: Glob.Mistake.self) { try Glob(most + "{a,b}") }
    #expect(try Glob("{" + String(repeating: "a,", count: 1023) + "b}").branches.count == 1024)
    #expect(throws: Glob.Mistake.self) { try Glob("{" + String(repeating: "a,", count: 1024) + "b}") }
  }

  @Test func `braces stand within one another up to 64 deep`() throws {
    let nested = { (depth: Int) in
      String(repeating: "{", count: depth) + "a,b" + String(repeating: "}", count: depth)
    }
    #expect(try Glob(nested(64)).branches == Glob("{a,b}").branches)
    #expect(throws: Glob.Mistake.self) { try Glob(nested(65)) }
  }

  /// Matches names of up to four letters with patterns of these letters, `*`, `?` and classes.
  ///
  /// The results must agree with the simplest possible matcher.
  @Test func `a name pattern agrees with the plain algorithm`() throws {
    var random = SeededRandom(seed: 21)
    let parts = ["a", "b", "é", "*", "?", "[ab]", "[!a]", "[!é]", "[a-é]"]
    let letters: [Unicode.Scalar] = ["a", "b", "é", "日"]
    var matchCount = 0
    for _ in 0..<5000 {
      let pattern = (0..<Int.random(in: 1...6, using: &random)).map { _ in
        parts[Int.random(in: 0..<parts.count, using: &random)]
      }
      let name = (0..<Int.random(in: 1...6, using: &random)).map { _ in
        letters[Int.random(in: 0..<letters.count, using: &random)]
      }
      let text = String(String.UnicodeScalarView(name))
      let expected = plainlyMatches(pattern[...], name[...])
      #expect(
        try NamePattern(pattern.joined()).matches(Array(text.utf8)[...]) == expected,
        "\(pattern.joined()) \(text)")
      if expected { matchCount += 1 }
    }
    #expect((500...4500).contains(matchCount))
  }

  private func plainlyMatches(_ pattern: ArraySlice<String>, _ name: ArraySlice<Unicode.Scalar>) -> Bool {
    guard let part = pattern.first else { return name.isEmpty }
    let rest = pattern.dropFirst()
    if part == "*" {
      return plainlyMatches(rest, name) || !name.isEmpty && plainlyMatches(pattern, name.dropFirst())
    }
    guard let letter = name.first, plainlyMatches(part, letter) else { return false }
    return plainlyMatches(rest, name.dropFirst())
  }

  private func plainlyMatches(_ part: String, _ letter: Unicode.Scalar) -> Bool {
    switch part {
    case "?": true
    case "[ab]": letter == "a" || letter == "b"
    case "[!a]": letter != "a"
    case "[!é]": letter != "é"
    case "[a-é]": letter.value >= 0x61 && letter.value <= 0xe9
    default: String(letter) == part
    }
  }
}
