@testable import Formats
@testable import Pipeline
import Support
import Testing

/// Tests how code is split into words, strings and punctuation signs.
@Suite struct CodeTokenTests {
  private func read(_ code: String, _ language: CodeLanguage) -> CodeTokens {
    CodeTokens(SourceText(path: "code", bytes: Array(code.utf8)), language: language)
  }

  /// Returns the tokens in one line.
  ///
  /// A word begins with `w`, a string with `s`, and a template with `t`. After `@` is the offset. A bar is
  /// before each token that begins a line.
  private func tokens(_ code: String, _ language: CodeLanguage = .swift) -> String {
    let code = read(code, language)
    return code.tokens.map { token in
      let kind =
        switch token.kind {
        case .word: "w"
        case .string: "s"
        case .template: "t"
        case .sign: ""
        }
      return "\(token.beginsLine ? "|" : "")\(kind)\(code.string(token))@\(token.offset)"
    }.joined(separator: " ")
  }

  @Test func `words and signs have their offsets and begin lines`() {
    #expect(
      tokens("a !b\n\n_c9 é=\"x\"") == "|wa@0 !@2 wb@3 |w_c9@6 wé@10 =@12 sx@13")
    #expect(tokens("\n\t\u{1}a") == "|wa@3")
    #expect(tokens("") == "")
  }

  @Test(arguments: [
    (CodeLanguage.swift, "/* a /* b */ c */d//e\nf", "|wd@17 |wf@22"),
    (.swift, "/*a*/b", "|wb@5"), (.swift, "/* /* a */ */ b", "|wb@14"), (.swift, "/* a", ""),
    (.swift, "a//", "|wa@0"), (.swift, "a /* b \n c */ d", "|wa@0 wd@14"),
    (.kotlin, "/* /* a */ */ b", "|wb@14"),
    (.objectiveC, "/* a /* b */c", "|wc@12"), (.cSharp, "/* /* a */ b", "|wb@11"),
    (.lua, "--[[ a ]]b--c\nd // e", "|wb@9 |wd@14 /@16 /@17 we@19"),
    (.gdScript, "a#b\n/*", "|wa@0 |/@4 *@5"), (.json, "[1] // c", "|[@0 w1@1 ]@2"),
  ])
  func `comments are not tokens`(_ language: CodeLanguage, _ code: String, _ expected: String) {
    #expect(tokens(code, language) == expected)
  }

  @Test(arguments: [
    // Swift
    (CodeLanguage.swift, #""a"b"#, "|sa@0 wb@3"), (.swift, #""" a"#, "|s@0 wa@3"),
    (.swift, "\"\"\"a\"b\nc\"\"\"d", "|sa\"b\nc@0 wd@11"),
    (.swift, #""\""b"#, "|s\"@0 wb@4"), (.swift, #""a\(b)c""#, "|ta(b)c@0"),
    (.swift, #""a$b""#, "|sa$b@0"), (.swift, #"$"a{b}""#, "|$@0 sa{b}@1"),
    // An unclosed string is not a token, and ends at the end of its line.
    (.swift, "\"a\nb", "|wb@3"), (.swift, "a \"b", "|wa@0"), (.swift, #"a "b\"#, "|wa@0"),
    (.swift, "\"\"\"a\"\"", ""),
    // JSON does not have strings that span lines.
    (.json, #""""a""#, "|s@0 sa@2"),
    // C#
    (.cSharp, #"x$"a{b}c""#, "|wx@0 $@1 ta{b}c@2"), (.cSharp, #"$ "a""#, "|$@0 sa@2"),
    (.cSharp, #""a{b}" "\(c)""#, "|sa{b}@0 s(c)@7"),
    // Kotlin
    (.kotlin, #""a$b" "c\$d" "e" "\(f)""#, "|ta$b@0 sc$d@6 se@13 s(f)@17"),
    // Single quotes
    (.lua, #"'a"b' + "c'd""#, #"|sa"b@0 +@6 sc'd@8"#), (.gdScript, "'a'", "|sa@0"),
  ])
  func `strings and templates are values`(_ language: CodeLanguage, _ code: String, _ expected: String) {
    #expect(tokens(code, language) == expected)
  }

  /// A character between single quotes has at most ten bytes, so that a lone quote does not hide code.
  @Test(arguments: [
    (#"'"' "x""#, "sx@4"), (#"'\'' "x""#, "sx@5"), (#"'\\'"x""#, "sx@4"),
    (#"it's "x""#, "|wit@0 ws@3 sx@5"),
    ("'abcdefghij'x", "wx@12"), ("'abcdefghijk'x", "wabcdefghijk@1 wx@13"), ("'a\n'\"x\"", "wa@1 sx@4"),
    ("'b'a", "wa@3"), ("'''a'", ""), ("a '", "|wa@0"), (#"'a\"#, #"wa@1 \@2"#),
  ])
  func `characters between single quotes are not tokens`(_ code: String, _ expected: String) {
    #expect(tokens(code, .objectiveC) == expected)
    #expect(tokens(code, .swift) == expected)
  }

  @Test(arguments: [
    (#"a\n\t\r\0\q\\b"#, "a\n\t\r\0q\\b"), (#"\u0041B\x41B\U00000041B"#, "ABABAB"),
    (#"\u{41}\u{1F600}"#, "A\u{1F600}"), (#"\u{0000000041}"#, "A"), (#"\u{00000000041}"#, "u{00000000041}"),
    (#"\x1Gb"#, "xb"), (#"\u{110000}b"#, "ub"), (#"\u4"#, "\u{4}"), ("ö", "ö"),
  ])
  func `escapes stand for characters`(_ text: String, _ value: String) throws {
    let code = read("\"\(text)\"", .swift)
    #expect(code.string(try #require(code.tokens.first)) == value)
  }

  @Test(arguments: [
    (CodeLanguage.swift, #""a\(b)c""#, "a", "c"), (.swift, #""\(a)x\(b)y""#, "", "y"),
    (.swift, #""a\(b)""#, "a", ""),
    (.swift, #""a\(b""#, "a", ""), (.kotlin, #""a${b}c""#, "a", "c"), (.kotlin, #""a$b""#, "a", ""),
    (.cSharp, #"$"a{b}\tc""#, "a", "\tc"),
  ])
  func `templates have a beginning and an end`(
    _ language: CodeLanguage, _ text: String, _ front: String, _ back: String
  ) throws {
    let code = read(text, language)
    let ends = code.ends(ofTemplate: try #require(code.tokens.last { $0.kind == .template }))
    #expect(ends.front == front && ends.back == back)
  }

  /// The text of a string can be the same as a sign or a word.
  @Test func `signs and words are not in strings`() {
    let code = read(#""=" "a" a ="#, .swift)
    #expect((-1...4).filter { code.hasSign("=", at: $0) } == [3])
    #expect((-1...4).filter { code.hasWord("a", at: $0) } == [2])
    #expect(!code.hasSign(":", at: 3) && !code.hasWord("b", at: 2) && !code.hasWord("", at: 2))
  }

  @Test func `the name of a file shows its language`() {
    let names = ["a.swift", "a.b.m", "a.mm", "a.cs", "a.kt", "a.lua", "a.gd", "a.json"]
    #expect(names.map { CodeLanguage(ofFile: $0) } == CodeLanguage.allCases)
    #expect(["swift", "a.Swift", "a.swift.txt", "a."].allSatisfy { CodeLanguage(ofFile: $0) == nil })
    #expect(CodeLanguage.allCases.filter(\.nestsComments) == [.swift, .kotlin])
    #expect(CodeLanguage.allCases.filter(\.hasSingleQuotes) == [.lua, .gdScript])
    #expect(CodeLanguage.allCases.filter(\.listsInBraces) == [.cSharp, .lua])
    #expect(CodeLanguage.allCases.filter(\.endsStatementsAtLines) == [.swift, .kotlin, .lua, .gdScript])
  }
}
