@testable import Formats

/// A glob with paths that it matches and paths that it does not match.
struct GlobExample: Sendable {
  let pattern: String
  let matches: [String]
  let misses: [String]

  init(_ pattern: String, matches: [String] = [], misses: [String] = []) {
    self.pattern = pattern
    self.matches = matches
    self.misses = misses
  }

  static let all = names + classes + folders + braces + letters

  /// `*` and `?` within a name.
  private static let names: [GlobExample] = [
    GlobExample("*", matches: ["a", "a.png", ".hidden", "é", " ", "*"], misses: ["a/b", "a/b/c"]),
    GlobExample(
      "*.png", matches: ["a.png", ".png", "a.b.png", "日本.png"],
      misses: ["a.PNG", "a.png.txt", "apng", "d/a.png", "a.pn"]),
    GlobExample("a*", matches: ["a", "ab", "a.png"], misses: ["ba", "A", "a/b"]),
    GlobExample("a*c", matches: ["ac", "abc", "abcc", "acbc"], misses: ["acb", "bac", "a/c"]),
    GlobExample("*a*b*", matches: ["ab", "xaxbx", "aabb"], misses: ["ba", "a", "b"]),
    GlobExample("?", matches: ["a", ".", "é", "日", "😀", "?"], misses: ["ab", "a/b", "e\u{301}"]),
    GlobExample("??", matches: ["ab", "éé", "日本", "e\u{301}"], misses: ["a", "é", "日", "abc"]),
    GlobExample("?.png", matches: ["1.png", "é.png"], misses: [".png", "12.png"]),
    GlobExample("*?", matches: ["a", "ab", "é"], misses: ["a/b"]),
    GlobExample("?*?", matches: ["ab", "éé", "abc"], misses: ["a", "é"]),
    GlobExample(
      "Level ?/map*", matches: ["Level 1/map", "Level 2/map.json"], misses: ["Level 12/map", "Level 1/x/m"]),
    GlobExample("a", matches: ["a"], misses: ["A", "ab", "a/b", "b/a"]),
    GlobExample("a.b", matches: ["a.b"], misses: ["axb", "a.bc"]),
    GlobExample("a+(b)|^$", matches: ["a+(b)|^$"], misses: ["aa", "ab", "a+b"]),
  ]

  /// `[…]`, `[!…]`, and characters that have no special meaning in brackets.
  private static let classes: [GlobExample] = [
    GlobExample("[abc]", matches: ["a", "b", "c"], misses: ["d", "A", "ab", "[abc]"]),
    GlobExample("[a-z]", matches: ["a", "m", "z"], misses: ["A", "é", "-", "ab", "1"]),
    GlobExample("[A-Za-z0-9_]x", matches: ["Ax", "zx", "5x", "_x"], misses: ["-x", "x", "éx"]),
    GlobExample("[!x]", matches: ["y", "é", "日", "!"], misses: ["x", "xy", "yx"]),
    GlobExample("[^x]", matches: ["y", "é"], misses: ["x"]),
    GlobExample("[!a-c]*", matches: ["d", "dab"], misses: ["a", "bd", "cab"]),
    GlobExample("[]a]", matches: ["]", "a"], misses: ["b", "[]a]"]),
    GlobExample("[!]a]", matches: ["b"], misses: ["]", "a"]),
    GlobExample("[a-]", matches: ["a", "-"], misses: ["b"]),
    GlobExample("[-a]", matches: ["a", "-"], misses: ["b"]),
    GlobExample("[a!]", matches: ["a", "!"], misses: ["b"]),
    GlobExample("[*]", matches: ["*"], misses: ["a", "**"]),
    GlobExample("[?]", matches: ["?"], misses: ["a"]),
    GlobExample("[[]x]", matches: ["[x]"], misses: ["x]", "x"]),
    GlobExample("[{,}]", matches: ["{", ",", "}"], misses: ["a"]),
    GlobExample("[z-a]", misses: ["a", "m", "z", "-"]),
    GlobExample("[é-ü]", matches: ["é", "ö", "ü"], misses: ["e", "a", "ý"]),
    GlobExample("[日本]?", matches: ["日本", "本x"], misses: ["日", "x日"]),
    GlobExample("[😀-😂]", matches: ["😀", "😁", "😂"], misses: ["😃", "a"]),
    GlobExample("*[!é]c", matches: ["éac", "ac", "éüc"], misses: ["éc", "c"]),
    GlobExample("*[!日].png", matches: ["日x.png", "x.png"], misses: ["日.png", "x日.png", ".png"]),
    GlobExample("track[0-9][0-9].ogg", matches: ["track01.ogg"], misses: ["track1.ogg", "track0a.ogg"]),
  ]

  /// `**` for any number of folders.
  private static let folders: [GlobExample] = [
    GlobExample("**", matches: ["a", "a/b", "a/b/c", ".a/.b"]),
    GlobExample("**/a", matches: ["a", "x/a", "x/y/a", "a/a"], misses: ["a/b", "xa", "x/ab"]),
    GlobExample("a/**", matches: ["a/b", "a/b/c", "a/a"], misses: ["a", "b/a/c", "ab/c"]),
    GlobExample(
      "a/**/b", matches: ["a/b", "a/x/b", "a/x/y/b", "a/b/b"], misses: ["ab", "a/b/c", "b", "x/a/b"]),
    GlobExample("**/a/**", matches: ["a/b", "x/a/b", "x/a/y/z", "a/a"], misses: ["a", "x/a", "ab/c"]),
    GlobExample("**/*.png", matches: ["a.png", "x/a.png", "x/y/.png"], misses: ["a.png/x", "a.jpg"]),
    GlobExample("**/a/b", matches: ["a/b", "x/a/b", "a/a/b"], misses: ["a/x/b", "b"]),
    GlobExample("**/a/*/b", matches: ["a/x/b", "a/a/x/b", "a/a/b"], misses: ["a/b"]),
    GlobExample("*/**", matches: ["a/b", "a/b/c"], misses: ["a"]),
    GlobExample("**/*", matches: ["a", "a/b"]),
    GlobExample("**/**/b", matches: ["b", "x/b", "x/y/b"], misses: ["bb", "b/x"]),
    GlobExample("a/**/**", matches: ["a/b", "a/b/c"], misses: ["a"]),
    GlobExample("a/*/b", matches: ["a/x/b"], misses: ["a/b", "a/x/y/b"]),
    GlobExample("*/*", matches: ["a/b"], misses: ["a", "a/b/c"]),
    GlobExample("a/b", matches: ["a/b"], misses: ["a", "a/b/c", "x/a/b"]),
    GlobExample("./a//b/./*", matches: ["a/b/c"], misses: ["a/b", "a/b/c/d"]),
    GlobExample("x/../a/*", matches: ["a/b"], misses: ["x/a/b"]),
  ]

  /// `{a,b}` for either alternative.
  ///
  /// The alternatives can contain slashes.
  private static let braces: [GlobExample] = [
    GlobExample("{a,b}", matches: ["a", "b"], misses: ["c", "ab", "{a,b}", "a,b"]),
    GlobExample("*.{png,jpg}", matches: ["a.png", "b.jpg"], misses: ["a.gif", "png", "a.{png,jpg}"]),
    GlobExample("{a,b}/{c,d}", matches: ["a/c", "a/d", "b/c", "b/d"], misses: ["a/b", "c/d", "a"]),
    GlobExample("{a/b,c}/d", matches: ["a/b/d", "c/d"], misses: ["a/d", "b/d", "a/b/c/d"]),
    GlobExample("{a,b/**}/d", matches: ["a/d", "b/d", "b/x/y/d"], misses: ["a/x/d"]),
    GlobExample("{a,{b,c}d}", matches: ["a", "bd", "cd"], misses: ["b", "c", "d", "ad"]),
    GlobExample(
      "{a{1,2},b{3,{4,5}}}x", matches: ["a1x", "a2x", "b3x", "b4x", "b5x"], misses: ["a3x", "b1x", "ax"]),
    GlobExample("a{,b}", matches: ["a", "ab"], misses: ["b", "a{,b}"]),
    GlobExample("{,x/}a", matches: ["a", "x/a"], misses: ["x", "xa"]),
    GlobExample("{a}", matches: ["a"], misses: ["{a}"]),
    GlobExample("{*.png,[0-9]/?}", matches: ["a.png", "5/x"], misses: ["5", "a/x"]),
    GlobExample("a{b,c}d{e,f}g", matches: ["abdeg", "abdfg", "acdeg", "acdfg"], misses: ["adg", "abcdefg"]),
    GlobExample("a}", matches: ["a}"], misses: ["a"]),
    GlobExample("a,b", matches: ["a,b"], misses: ["a", "b"]),
    GlobExample("{a,b},c", matches: ["a,c", "b,c"], misses: ["a", "c"]),
    GlobExample("{日,本}語", matches: ["日語", "本語"], misses: ["語"]),
  ]

  /// Upper and lower case, dots, and characters of several bytes.
  private static let letters: [GlobExample] = [
    GlobExample("Levels/*", matches: ["Levels/1"], misses: ["levels/1", "LEVELS/1"]),
    GlobExample("[A-Z]*", matches: ["Ab"], misses: ["ab"]),
    GlobExample("É", matches: ["É"], misses: ["é"]),
    GlobExample("\u{e9}", matches: ["\u{e9}"], misses: ["e\u{301}"]),
    GlobExample("e\u{301}*", matches: ["e\u{301}", "e\u{301}x"], misses: ["\u{e9}", "\u{e9}x"]),
    GlobExample("*\u{301}", matches: ["e\u{301}"], misses: ["\u{e9}", "e"]),
    GlobExample("{a,\u{301}b}", matches: ["a", "\u{301}b"], misses: ["b"]),
    GlobExample("a/\u{301}*", matches: ["a/\u{301}b"], misses: ["a/b"]),
    GlobExample("👩‍🚀*", matches: ["👩‍🚀", "👩‍🚀.png"], misses: ["👩", "👩.png"]),
    GlobExample(".*", matches: [".a", ".", ".a.b"], misses: ["a.", "a"]),
    GlobExample("*.*", matches: ["a.b", ".", ".a", "a."], misses: ["ab"]),
    GlobExample("... ", matches: ["... "], misses: ["..."]),
    GlobExample("a b/c d", matches: ["a b/c d"], misses: ["a  b/c d"]),
  ]
}
