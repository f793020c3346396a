@testable import Formats
@testable import Model
import Support
import Testing

/// Tests the limits of globs and templates exactly.
@Suite struct GlobLimitTests {
  private func patterns(_ text: String) throws -> [String] { try Glob.Expansion(text).patterns }

  @Test(arguments: [
    ("a", ["a"]), ("{a}", ["a"]), ("x{a,b}y", ["xay", "xby"]), ("{a,b}{c,d}", ["ac", "ad", "bc", "bd"]),
    ("{a,{b,c},d}", ["a", "b", "c", "d"]), ("{,a}", ["", "a"]), ("{a,}b", ["ab", "b"]), ("a}", ["a}"]),
    ("[{]", ["[{]"]), ("[{],{a,b}", ["[{],a", "[{],b"]), ("{a[,}]b,c}", ["a[,}]b", "c"]),
    ("a,b", ["a,b"]), ("{é,日}\u{301}", ["é\u{301}", "日\u{301}"]),
  ]) func `braces expand in the order of their alternatives`(text: String, expected: [String]) throws {
    #expect(try patterns(text).map { Array($0.utf8) } == expected.map { Array($0.utf8) })
    #expect(try Glob.Expansion(text).size == expected.reduce(0) { $0 + $1.utf8.count })
  }

  @Test(arguments: ["{", "{a", "a{b,c", "{a,{b}", "{[}", "[", "[a", "[]", "[!", "[!]", "[a-", "[a-z", "{a}["])
  func `an open bracket is a mistake`(text: String) {
    let mistake = #expect(throws: Glob.Mistake.self) { try Glob(text) }
    guard case .unclosed(let bracket)? = mistake else {
      Issue.record("\(String(describing: mistake))")
      return
    }
    #expect(text.contains(bracket))
    #expect(mistake?.check == .invalidPath)
  }

  /// The bytes of the text, of the alternatives, and of the repeated rest count.
  @Test(arguments: [("x{a,bc}y", 13), ("{a}", 4), ("{a,b,c}zz", 16), ("x{a,b}{c,d}", 27)])
  func `an expansion has a maximum size`(text: String, size: Int) throws {
    #expect(throws: Never.self) { try Glob.Expansion(text, maxBytes: size) }
    let mistake = #expect(throws: Glob.Mistake.self) { try Glob.Expansion(text, maxBytes: size - 1) }
    guard case .tooManyBytes? = mistake else {
      Issue.record("\(String(describing: mistake))")
      return
    }
  }

  /// A brace around one pattern does not add patterns, but the number of expansions is limited as well.
  @Test func `up to 1,024 braces are expanded`() throws {
    #expect(try Glob(String(repeating: "{a}", count: 1024)).branches.count == 1)
    let mistake = #expect(throws: Glob.Mistake.self) { try Glob(String(repeating: "{a}", count: 1025)) }
    guard case .tooManyBranches? = mistake else {
      Issue.record("\(String(describing: mistake))")
      return
    }
  }

  @Test func `a glob has at most 65,535 bytes before its braces are expanded`() throws {
    let longest = String(repeating: "a", count: 65_535)
    #expect(try Glob(longest).branches.count == 1)
    for text in [
      longest + "a", "{\(String(repeating: "a", count: 40_000)),\(String(repeating: "b", count: 30_000))}",
    ] {
      let mistake = #expect(throws: Glob.Mistake.self) { try Glob(text) }
      guard case .path(.isTooLong, let branch)? = mistake else {
        Issue.record("\(String(describing: mistake))")
        continue
      }
      #expect(branch == text)
    }
  }

  @Test func `a class may begin with a closing bracket and have a range after it`() throws {
    let matches = { (pattern: String, name: String) in try NamePattern(pattern).matches(Array(name.utf8)[...])
    }
    for name in ["]", "^", "_", "a"] { #expect(try matches("[]-a]", name), "\(name)") }
    for name in ["-", "b", "[", "\\"] { #expect(try !matches("[]-a]", name), "\(name)") }
    for name in ["]", "a"] { #expect(try !matches("[!]-a]", name), "\(name)") }
    for name in ["a", "-", "b"] { #expect(try matches("[b-a-]", name) == (name == "-"), "\(name)") }
    #expect(try matches("[a-a]", "a") && matches("[!!]", "a") && !matches("[!!]", "!"))
    #expect(try matches("[a^]", "^") && !matches("[^^]", "^"))
  }

  @Test(arguments: [
    ("a", false), ("*", false), ("**", true), ("a*b*", false), ("a**", true), ("*a*", false), ("[**]", false),
    ("[**]**", true), ("*[*]*", false), ("", false), ("[]*]*", false),
  ]) func `stars in a class are no double star`(text: String, isDouble: Bool) throws {
    #expect(try NamePattern.hasDoubleStar(text) == isDouble)
  }

  @Test func `literal parts of a name are its texts`() throws {
    let texts = { (text: String) in
      try NamePattern(text).texts.map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(try texts("a*bé?[c]d") == ["a", "bé", "d"])
    #expect(try texts("*") == [] && texts("ab") == ["ab"])
  }

  @Test(
    arguments: [
      (#"a.+\$"#, "a*$"), (#"Level.+\d"#, "Level*[0-9]"), (#"Level.+\w"#, "Level*?"), ("a.+[xy]", "a*[xy]"),
      ("a.+b?", nil), ("a.+b{2}", nil), (#"a.+\.?"#, nil), (#"a.+\d?"#, nil), (#"a.+\d{2}"#, nil),
      ("a.+(b|c)?", nil), ("a.+[xy]?", nil), ("a.+.?", nil), ("[^a]x.+", nil), (#"[\d]x.+"#, nil),
      ("x[].+]", nil), (#"x.+\"#, nil), ("/.*", nil), ("x.+)(b", nil), ("x.+)", nil), ("(x.+", nil),
      ("a.+?b.+", "a*b*"), (".*", "**"), (".+/.+", "**/**"), ("a/.*/b", "a/**/b"), ("a.+^b", nil),
      (#"a.+\("#, "a*("), (#"a.+\*"#, nil), (#"a.+\s"#, nil), ("((a|b)/.*|c)", "{{a,b}/**/*,c}"),
    ] as [(String, String?)]) func `a quantifier of anything else has no glob`(
      expression: String, glob: String?
    )
  {
    #expect(Glob.translated(fromExpression: expression) == glob)
  }

  @Test(arguments: [
    ("$1", ["$1"]), ("$9999", ["$9999"]), ("a$1b$22", ["a", "$1", "b", "$22"]), ("$$", ["$"]),
    ("$$$1", ["$", "$1"]), ("a$1$$", ["a", "$1", "$"]), ("x", ["x"]), ("$1$2", ["$1", "$2"]), ("", []),
    ("$1٣", ["$1", "٣"]),
  ]) func `a template has its parts`(text: String, parts: [String]) throws {
    let template = try TagTemplate(Located(text, at: 3))
    let found = template.parts.map { part in
      switch part {
      case .text(let text): text
      case .wildcard(let number): "$\(number)"
      }
    }
    #expect(found == parts && template.text.offset == 3)
    #expect(template.highest == (parts.compactMap { Int($0.dropFirst()) }.max() ?? 0))
  }

  @Test(
    arguments: [
      ("$", nil), ("a$b", nil), ("$ 1", nil), ("$0", "0"), ("$01", "01"), ("$10000", "10000"), ("$1$", nil),
      ("$$$", nil), ("$99999999999999999999", "99999999999999999999"),
    ] as [(String, String?)]) func `other templates are mistakes`(text: String, number: String?)
  {
    let mistake = #expect(throws: TagTemplate.Mistake.self) { try TagTemplate(Located(text, at: 0)) }
    switch mistake {
    case .loneDollar: #expect(number == nil)
    case .number(let digits): #expect(digits == number)
    case nil: break
    }
    #expect(TagTemplate.literal("a$b$$") == "a$$b$$$$")
  }

  @Test func `a rule needs the wildcards that its templates use`() throws {
    let rule = { (glob: String, templates: [String]) in
      ResourceRule(
        glob: try Glob(glob), text: Located(glob, at: 0), tags: [],
        templates: templates.map { Located($0, at: 0) })
    }
    #expect(try rule("a", []) != nil)
    #expect(try rule("*/*", ["$1", "$2"])?.generatedTags(for: "a/b") == ["a", "b"])
    #expect(try rule("*/*", ["$1", "$3"]) == nil)
    #expect(try rule("{*/*,*}", ["$2"]) == nil && rule("{*/*,*}", ["$1"]) != nil)
    #expect(try rule("*/*", ["$1", "$"]) == nil)
    #expect(try rule(String(repeating: "?", count: 1_025), []) != nil)
    #expect(try rule(String(repeating: "?", count: 1_025), ["$1"]) == nil)
    #expect(try rule("*/*", ["$1"])?.generatedTags(for: "a") == [])
  }

  @Test func `a glob of a path matches only the path`() throws {
    for path in ["a", "a*b", "[x]?", "{a,b}/c", "a}b", "**", "]"] {
      let glob = try #require(Glob.escaping(path))
      let names = path.split(separator: "/").map { Array($0.utf8)[...] }
      let components = try #require(glob.branches.first)
      #expect(glob.branches.count == 1 && components.count == names.count, "\(path)")
      #expect(zip(components, names).allSatisfy { $0.matches($1) }, "\(path)")
      #expect(!components[0].matches(Array("x".utf8)[...]), "\(path)")
    }
    #expect(Glob.escaping("/a") == nil)
    for (path, isPlain) in [
      ("a/b", true), ("a*", false), ("a?", false), ("[", false), ("}", false), ("\\", false),
    ] {
      #expect(Glob.isPlain(path) == isPlain, "\(path)")
    }
  }

  @Test(arguments: [("a/..", 0), ("*", 0), ("a/b/../../c/*", 1), ("a", 0), ("a/b", 1), ("{a}/b/c", 0)])
  func `components of dots are not fixed`(pattern: String, depth: Int) throws {
    #expect(try Glob(pattern).fixedDepth == depth)
  }

  @Test func `captures of nothing are none`() throws {
    #expect(try #require(GlobCaptures(Glob("**"))).captures(in: "") == nil)
    #expect(try #require(GlobCaptures(Glob("*/**"))).captures(in: "") == nil)
    let fewest = try #require(GlobCaptures(Glob("{**/*_?,a*b[c]/x,*}"))).fewest
    #expect(fewest.pattern == "*" && fewest.wildcards == 1)
    let most = try #require(GlobCaptures(Glob("**/a*[b]?/**"))).fewest
    #expect(most.wildcards == 5)
  }
}
