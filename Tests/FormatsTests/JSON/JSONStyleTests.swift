@testable import Formats
import Foundation
import Support
import Testing

/// Tests packtool's style for manifests.
@Suite struct JSONStyleTests {
  private func styled(_ text: String) -> String {
    let source = SourceText(path: "a.jsonc", bytes: Array(text.utf8))
    #expect(JSONReader.read(source).diagnostics.isEmpty, "\(text)")
    return String(decoding: EditedText(source, edits: JSONStyle.edits(of: source) ?? []).bytes, as: UTF8.self)
  }

  @Test(arguments: [
    ("{}", "{}\n"), ("[ ]", "[]\n"), ("{ } // c", "{} // c\n"), ("1", "1\n"),
    ("{\"a\":1}", "{\n  \"a\": 1\n}\n"),
    ("{\"a\":[1,2 , 3,],\r\n}", "{\r\n  \"a\": [1, 2, 3]\r\n}\r\n"),
    ("{\"a\":[{\"b\":[]}]}", "{\n  \"a\": [\n    { \"b\": [] }\n  ]\n}\n"),
    ("{\"a\":{\"b\":{\"c\":[1]}}}", "{\n  \"a\": { \"b\": { \"c\": [1] } }\n}\n"),
    ("{\"a\":1,\n\n\n\n\"b\":2\n\n}", "{\n  \"a\": 1,\n\n  \"b\": 2\n}\n"),
    ("{\n\n\"a\"\n:\n1}", "{\n  \"a\": 1\n}\n"),
    ("{\"a\":\"\\u0041 \\/ {[,:]} //\"}", "{\n  \"a\": \"\\u0041 \\/ {[,:]} //\"\n}\n"),
    ("\u{feff}{\"a\":1.50e1}", "{\n  \"a\": 1.50e1\n}\n"),
  ]) func `what is where`(text: String, expected: String) { #expect(styled(text) == expected) }

  @Test(arguments: [
    ("// a\n{}", "// a\n{}\n"), ("{}\n\n\n// b", "{}\n\n// b\n"),
    ("{ // a\n\"b\": 1 }", "{ // a\n  \"b\": 1\n}\n"),
    ("{\"b\": 1 // a\n, \"c\": 2 }", "{\n  \"b\": 1, // a\n  \"c\": 2\n}\n"),
    ("{\"b\": 1, // a   \n }", "{\n  \"b\": 1 // a\n}\n"),
    ("{\"b\": 1\n // a\n }", "{\n  \"b\": 1\n  // a\n}\n"),
    ("{\"b\": /* a */ 1}", "{\n  \"b\": /* a */ 1\n}\n"),
    ("{\"b\" /* a */ : 1}", "{\n  \"b\": /* a */ 1\n}\n"),
    ("{\"b\": // a\n1}", "{\n  \"b\": // a\n  1\n}\n"),
    ("{\"b\": [1, /* a */ 2]}", "{\n  \"b\": [\n    1, /* a */\n    2\n  ]\n}\n"),
    ("{\"b\": [\n/* a\n  b */\n2]}", "{\n  \"b\": [\n    /* a\n  b */\n    2\n  ]\n}\n"),
    ("{\"b\": [ // a\n]}", "{\n  \"b\": [ // a\n  ]\n}\n"),
  ]) func `comments are kept`(text: String, expected: String) { #expect(styled(text) == expected) }

  @Test(arguments: [
    ("\n{}", "{}\n"), ("\r\n{}", "{}\r\n"), ("{}\r\n", "{}\r\n"), ("{}\r", "{}\n"),
    ("{\"a\":\r\n1}\n", "{\r\n  \"a\": 1\r\n}\r\n"),
    ("{}", "{}\n"), ("\r{}\n", "{}\n"),
  ]) func `the first line end is that of all lines`(text: String, expected: String) {
    #expect(styled(text) == expected)
  }

  @Test func `a line has a certain width`() {
    // The width of a line includes the indentation, the brackets and the comma.
    let name = { (count: Int) in String(repeating: "é", count: count) }
    let lines = styled("{\"a\": [{\"b\": \"\(name(104))\"}, {\"b\": \"\(name(105))\"}, 0]}").split(
      separator: "\n")
    #expect(lines[2].count == 120 && lines[2].hasSuffix("},"))
    #expect(lines[3] == "    {" && lines[4] == "      \"b\": \"\(name(105))\"")
  }

  /// With a comma after it, a line has at most 120 columns.
  @Test(arguments: [
    "[\"P\"]", "[\"P\", 1]", "[1, \"P\", 2]", "[1, 2, 3, \"P\"]", "{ \"k\": \"P\" }",
    "{ \"k\": 1, \"l\": \"P\" }",
    "{ \"k\": 1, \"l\": 2, \"P\": 3 }", "{ \"k\": { \"x\": \"P\" }, \"l\": [] }",
    "{ \"k\": {}, \"l\": [\"P\"] }", "[\"P\", {}]",
    "[[], \"P\", []]", "{ \"k\": [1, 2], \"l\": { \"m\": [\"P\", {}] } }",
  ]) func `each kind of value has the same width`(value: String) {
    for (width, isOne) in [(118, true), (119, true), (120, false), (121, false)] {
      let name = String(repeating: "é", count: width - 7 - value.count + 1)
      let line = "  \"a\": " + value.replacing("P", with: name)
      #expect(line.count == width)
      let lines = styled("{\(line)}").split(separator: "\n")
      #expect((lines.count == 3 && lines[1] == line) == isOne, "\(width)")
    }
  }

  /// If this one line were split, each of its bytes would need an indentation of thousands of bytes.
  @Test func `a hostile text is not made huge`() {
    let depth = 255
    let text =
      String(repeating: "[[1],", count: depth) + String(repeating: "[0],", count: sample(2_000, of: 400_000))
      + "0"
      + String(repeating: "]", count: depth)
    let source = SourceText(path: "a", bytes: Array(text.utf8))
    #expect(JSONReader.read(source).diagnostics.isEmpty)
    let most = sample(1 << 20, of: JSONStyle.maxResultSize)
    #expect((JSONStyle.edits(of: source, maxResultSize: most) == nil) as Bool)
  }

  /// Generates random JSON texts with comments, blank lines and trailing commas.
  private struct Maker {
    var random: SeededRandom
    var text = ""

    mutating func space() {
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        text += [
          "", " ", "\n", "\n\n", "\t", "\r\n", "// c\(text.count)\n", "/* c\(text.count) */", "/*\n * c */",
        ]
        .randomElement(using: &random)!
      }
    }

    mutating func value(_ depth: Int) {
      space()
      let scalars = ["1", "-2.5e3", "true", "null", "\"\"", "\"a, // b\"", "\"\\\"{\"", "\"é\""]
      if depth == 0 || Bool.random(using: &random) {
        text += scalars.randomElement(using: &random)!
      } else {
        let isObject = Bool.random(using: &random)
        text += isObject ? "{" : "["
        let count = Int.random(in: 0...4, using: &random)
        for number in 0..<count {
          space()
          if isObject { text += "\"k\(number)\"" }
          if isObject { space() }
          if isObject { text += ":" }
          value(depth - 1)
          space()
          if number + 1 < count || Bool.random(using: &random) { text += "," }
        }
        space()
        text += isObject ? "}" : "]"
      }
      space()
    }
  }

  /// For every text, formatting twice has the same result as formatting once.
  ///
  /// Values, comments and their order stay the same.
  @Test(arguments: 0..<40) func `meaning stays`(seed: UInt64) throws {
    for round in 0..<25 {
      var maker = Maker(random: SeededRandom(seed: seed * 1000 + UInt64(round)))
      maker.value(4)
      let text = maker.text
      let before = SourceText(path: "a.jsonc", bytes: Array(text.utf8))
      let edits = try #require(JSONStyle.edits(of: before))
      let after = SourceText(path: "a.jsonc", bytes: EditedText(before, edits: edits).bytes)
      #expect(JSONReader.read(after).diagnostics.isEmpty, "\(text)")
      #expect(JSONStyle.edits(of: after) == [], "\(text)")
      let values = [before, after].map { JSONReader.read($0).value.map { JSONText.read($0).text } }
      #expect(values[0] != nil && values[0] == values[1], "\(text)")
      #expect(comments(of: before) == comments(of: after), "\(text)")
    }
  }

  private func comments(of text: SourceText) -> [String] {
    JSONTokens(of: text.bytes).tokens.filter(\.isComment).map {
      String(decoding: text.bytes[$0.range], as: UTF8.self)
    }
  }
}
