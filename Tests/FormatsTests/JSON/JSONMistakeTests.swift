@testable import Formats
import Support
import System
import Testing

/// Tests what the reader finds in JSON texts with mistakes, and how fixes change these texts.
@Suite(.noHang) struct JSONMistakeTests {
  private func read(_ text: String, path: String = "a") -> (value: JSONValue?, diagnostics: [Diagnostic]) {
    JSONReader.read(SourceText(path: path, bytes: Array(text.utf8)))
  }

  /// The offsets and values of all findings.
  private func mistakes(_ text: String, path: String = "a") -> [String] {
    read(text, path: path).diagnostics.map {
      "\($0.place.position.map { "\($0.line):\($0.column)" } ?? "") \($0.namedValues)"
    }
  }

  /// Returns a text after all its fixes; nil if it has none.
  private func fixed(_ text: String, path: String = "a") -> String? {
    let source = SourceText(path: path, bytes: Array(text.utf8))
    return EditedText(fixing: JSONReader.read(source).diagnostics, in: source).map {
      String(decoding: $0.bytes, as: UTF8.self)
    }
  }

  @Test(
    arguments: [
      (#"{"a": [1, 2, "b": 3}"#, #"{"a": [1, 2], "b": 3}"#),
      (#"{"a": [1, 2 "b": 3}"#, #"{"a": [1, 2], "b": 3}"#),
      (#"{"a": [1 , "b": 3}"#, #"{"a": [1 ], "b": 3}"#), (#"{"a": [1}"#, #"{"a": [1]}"#),
      (#"{"a": [1, }"#, nil),
      (#"[{"a": 1, {"b": 2}]"#, #"[{"a": 1}, {"b": 2}]"#),
      (#"[{ "a": 1, { "b": 2 }]"#, #"[{ "a": 1 }, { "b": 2 }]"#),
      (#"[{ "a": 1 , { "b": 2 }]"#, #"[{ "a": 1 }, { "b": 2 }]"#), (#"[{"a": 1]"#, #"[{"a": 1}]"#),
      (
        "[\n  {\n    \"a\": 1,\n  {\n    \"b\": 2\n  }\n]",
        "[\n  {\n    \"a\": 1\n  },\n  {\n    \"b\": 2\n  }\n]"
      ),
      ("[\r\n\t{\r\n\"a\": 1\r\n]", "[\r\n\t{\r\n\"a\": 1\r\n\t}\r\n]"),
      ("{\"a\": [\n1, // ]\n\"b\": 3}", nil), (#"{"a": ["x": 1}]}"#, #"{"a": [{ "x": 1}]}"#),
      (#"{"a": ["x": 1]}"#, nil), (#"[["a", 1]"#, nil), (#"{"a": [1, 2, "b": 3]}"#, nil),
      (#"[{ {"b": 2}]"#, nil),
      ("[1,]", "[1]"), (#"{"a": 1,}"#, #"{"a": 1}"#), ("[1, ]", "[1 ]"), ("[1\n2]", "[1,\n2]"),
      ("[1 2]", nil),
      ("{\"a\": 1\n\"b\": 2}", "{\"a\": 1,\n\"b\": 2}"), ("[1 // c\n2]", nil), ("[1,,2]", nil), ("1", nil),
      (#"{"a": {"x": [1}}"#, #"{"a": {"x": [1]}}"#), (#"{"a": [[1], "b": 2}"#, #"{"a": [[1]], "b": 2}"#),
    ] as [(String, String?)]) func `brackets and commas are added or removed`(text: String, expected: String?)
  {
    #expect(fixed(text) == expected)
    if let expected { #expect(read(expected).diagnostics.isEmpty) }
  }

  @Test(
    arguments: [
      (#"{"a": [1, 2, "b": 3}"#, [#"1:12 1 7 "]" "b""#]), (#"{"a": [1, 2 "b": 3}"#, [#"1:12 1 7 "]," "b""#]),
      (#"{"a": [1}"#, [#"1:9 1 7 "]" "}""#]), (#"[{"a": 1, {"b": 2}]"#, [#"1:9 1 2 "}""#]),
      (#"{"a": ["x": 1}]}"#, [#"1:8 "x" "{""#]), ("[1 2]", ["1:3 "]), ("[1,]", ["1:3 "]),
      ("", [#"1:1 "key" "value""#]),
      (" ", [#"1:2 "key" "value""#]), ("[", ["1:2 "]), ("[1", [#"1:3 "," "]""#]),
      (#"{"a""#, [#"1:5 ":" "a""#]),
      (#"{"a" = 1}"#, [#"1:6 ":" "a" "=""#]), (#"{"a" 1}"#, [#"1:6 ":" "a" "1""#]), ("{a: 1}", [#"1:2 "a""#]),
      ("{1: 1}", [#"1:2 "1""#]),
      ("{: 1}", [#"1:2 ":""#]), ("1 2", [#"1:3 "2""#]), ("[1}", [#"1:3 "," "]" "}""#]),
      (#"["a": 1]"#, [#"1:5 "," "]" ":""#]), (#"{"a": 1]"#, [#"1:8 "," "}" "]""#]), ("]", [#"1:1 "]""#]),
      ("[é]", [#"1:2 "é""#]),
      ("[\u{1}]", ["1:2 0001"]), ("[\u{1f}]", ["1:2 001"]), ("[1 \"a\"]", ["1:3 "]),
      ("{'a': 'b'}", [#"1:2 "'""#, #"1:7 "'""#]),
      ("“a”", ["1:1 "]), ("[„a]", ["1:2 "]), ("<<<<<<< HEAD", ["1:1 "]), ("[\n=======\n1]", ["2:1 "]),
      ("[ =======", [#"1:3 "=""#]),
      ("{\"a\": 1, \"a\": 2}", [#"1:10 "a""#]), ("[+1]", [#"1:2 "+1""#]), ("[nil]", [#"1:2 "nil""#]),
      (
        "[.5, 01, 1., -]",
        [
          #"1:2 ".5""#, #"1:6 "01""#, #"1:10 "1.""#, #"1:14 "-""#,
        ]
      ),
      ("\"a", ["1:1 "]), ("[\"a\nb\"]", ["1:2 "]), ("\"\t\"", [#"1:2 "\t""#]),
      ("\"\u{1}\u{10}\"", [#"1:2 "\u0001""#, #"1:3 "\u0010""#]),
    ] as [(String, [String])]) func `a mistake has its place and values`(text: String, expected: [String])
  {
    #expect(mistakes(text) == expected)
  }

  @Test func `a text that ends too early has no value`() {
    for text in [
      "", " ", "[", "{", "[1", "[1,", "\"a", "{\"a\"", "{\"a\":", "{\"a\": 1", "{\"a\": 1,", "[[]", "// a",
    ] {
      #expect(read(text).value == nil && read(text).diagnostics.last?.check == .jsonSyntax, "\(text)")
    }
    let picture = JSONReader.read(SourceText(path: "a", bytes: [0x89, 0x50, 0x4e, 0x47, 0x31]))
    #expect(picture.value == nil && picture.diagnostics.map(\.place) == [Place("a")])
  }

  @Test func `a conflict after a key is one`() {
    let message = { (text: String) in read(text).diagnostics.map(\.message) }
    #expect(message("{\"a\"\n======= 1}") == message("[\n=======\n1]"))
    #expect(message("{\"a\"\n====== 1}") != message("[\n=======\n1]"))
  }

  @Test(arguments: [
    "\"\\u", "\"\\u1", "\"\\u12", "\"\\u123", "\"\\u1234", "\"\\ud83d\\u", "\"\\ud83d\\", "\"\\",
  ])
  func `a text may end in an escape`(text: String) {
    #expect(read(text).value == nil && !mistakes(text).isEmpty)
    #expect(read(text).diagnostics.last?.place.position?.column == 1)
    if text.hasSuffix("1234") { #expect(mistakes(text).count == 1) }
  }

  @Test(
    arguments: [
      (#"{"a": [1, 2, "b": "}"}"#, #"{"a": [1, 2], "b": "}"}"#), (#"{"a": [1, "b": "x}"#, nil),
      (#"{"a": [1, "b": "\"]"}"#, #"{"a": [1], "b": "\"]"}"#),
      ("[{\n\"a\": 1\n]", "[{\n\"a\": 1\n}\n]"), (#"["a": 1]"#, nil), (#"{"a": 1]"#, nil), (#"[[1}"#, nil),
      (#"{"a": {"b": 1]"#, nil),
      ("{\"a\": [1,\n\"b\": 2 // }\n}", "{\"a\": [1],\n\"b\": 2 // }\n}"),
      (#"{"a": [{"b": [1}]}"#, #"{"a": [{"b": [1]}]}"#),
      (#"{"a": [1 "b" : 2}"#, #"{"a": [1], "b" : 2}"#),
      (#"[{"a": 1, "b": [2, {"c": 3]}]"#, #"[{"a": 1, "b": [2, {"c": 3}]}]"#),
    ] as [(String, String?)]) func `strings and comments have no brackets`(text: String, expected: String?)
  {
    #expect(fixed(text, path: "a.jsonc") == expected)
    if let expected { #expect(read(expected, path: "a.jsonc").diagnostics.isEmpty) }
    #expect(read(text, path: "a.jsonc").diagnostics.count == 1)
  }

  @Test func `repeated keys of lists or objects are to be joined`() {
    let message = { (text: String) in read(text).diagnostics.first?.message }
    let plain = message(#"{"a": 1, "a": 2}"#)
    let lists = [#"{"a": [1], "a": [2]}"#, "{\"a\" :\n[1], \"a\"\t:[]}"].map(message)
    let objects = [#"{"a": {}, "a": {}}"#, "{\"a\" : {\"b\": 1}, \"a\":\r\n{}}"].map(message)
    #expect(plain != nil && lists[0] == lists[1] && objects[0] == objects[1])
    #expect(Set([plain, lists[0], objects[0]]).count == 3)
    for other in [
      #"{"a": [], "a": {}}"#, #"{"a": {}, "a": []}"#, #"{"a": [], "a": 1}"#, #"{"a": 1, "a": {}}"#,
    ] {
      #expect(message(other) == plain, "\(other)")
    }
  }

  /// A literal, its value and the number of mistakes in it.
  @Test(arguments: [
    (#""C:\Users\new""#, "C:/Users/new", 1), (#""a\\b\qc""#, "a/b/qc", 1), (#""a\qb\zc""#, "a/qb/zc", 1),
    (#""\dir""#, "/dir", 1),
    (#""\_a""#, "/_a", 1), (#""a\*.png""#, "a/*.png", 1), (#""\d+""#, "d+", 1), (#""\d""#, "d", 1),
    (#""\d\q""#, "/d/q", 1),
    (#""(\q)""#, "(q)", 1), (#""\q.*\z""#, "q.*z", 2), (#""\ug0""#, "/ug0", 1), (#""\u12""#, "12", 1),
    (#""\u{41}""#, "{41}", 1),
    (#""\ud800""#, "", 1), (#""\ud800\u0041""#, "A", 1), (#""\ud800\n""#, "\n", 1), (#""\ud800x""#, "x", 1),
    (#""\udc00""#, "", 1),
    (#""\ud83d\ude00""#, "😀", 0), (#""\udbff\udfff""#, "\u{10ffff}", 0), (#""\ud800\udc00""#, "\u{10000}", 0),
    (#""\ud7ff\ue000""#, "\u{d7ff}\u{e000}", 0),
    (#""\ud83d\u00e9""#, "é", 1), (#""\é""#, "é", 1), (#""\😀a""#, "😀a", 1), (#""\'""#, "'", 1),
    (#""\b\f\n\r\t\/\"\\""#, "\u{8}\u{c}\n\r\t/\"\\", 0),
    (#""\u004a\u004A\u00e9""#, "JJé", 0), ("'a\"b'", "a\"b", 1), ("\"a\tb\"", "ab", 1), ("\"é日\"", "é日", 0),
    (#""\w\s\D""#, "/w/s/D", 1),
    (#""\s ""#, "s ", 1), (#""a\"b\q""#, "a\"bq", 1),
    (#""\udc00\udc00""#, "", 2), (#""\ud800\ue000""#, "\u{e000}", 1), (#""\u+123""#, "+123", 1),
    (#""\ x""#, " x", 1), (#""é \n x""#, "é \n x", 0),
  ]) func `a string has a value even with a mistake`(literal: String, value: String, count: Int) {
    let text = SourceText(path: "a", bytes: Array("[\(literal), 1]".utf8))
    let found = JSONReader.string(at: 1, of: text)
    #expect(Array(found.text.unicodeScalars) == Array(value.unicodeScalars))
    #expect(found.mistakes.count == count)
    let whole = JSONReader.read(text)
    #expect(whole.diagnostics.count == count && whole.value?.elements?.count == 2)
    let isReadable = count == 0 || literal.hasPrefix("'")
    #expect(
      whole.value?.elements?.first { _ in true }?.string.map { $0.isSameInBytes(as: value) }
        == (isReadable ? true : nil))
  }

  @Test(arguments: [
    ("0", true), ("-0", true), ("10", true), ("-1.5e+3", true), ("1E3", true), ("1e-3", true), ("0.0", true),
    ("0e0", true),
    ("", false), ("-", false), ("+1", false), ("01", false), ("-01", false), ("00", false), (".5", false),
    ("1.", false), ("1.e3", false), ("--1", false),
    ("0x1", false), ("inf", false), ("nan", false), ("1e", false), ("1e+", false), ("1_0", false),
    ("-.5", false), ("1.5.2", false),
  ]) func `a number has the form of JSON`(word: String, isRight: Bool) {
    #expect(isNumber(word) == isRight)
    #expect((read("[\(word.isEmpty ? "x" : word)]").diagnostics.isEmpty) == isRight)
  }

  /// The byte before a letter of ASCII can be a letter of an old encoding.
  @Test(
    arguments: [
      ([0xe9, 0x22], #""é""#), ([0xc0, 0x20], #""À""#), ([0xbf, 0x22], ""), ([0xd7, 0x22], ""),
      ([0xe9, 0xe9], ""), ([0xe9, 0x80], ""), ([0xff, 0x41], #""ÿ""#),
    ] as [([UInt8], String)]) func `a byte that is not UTF-8 is named`(bytes: [UInt8], letter: String)
  {
    let found = JSONReader.read(SourceText(path: "a", bytes: [0x22] + bytes)).diagnostics
    #expect(found.map { $0.place.position?.column } == [2])
    #expect(JSONReader.read(SourceText(path: "a", bytes: [0x22] + bytes + [0x22])).value == nil)
    #expect(found.first?.message.contains("0x\(String(bytes[0], radix: 16))") == true)
    #expect(
      found.first?.namedValues.contains(letter) == true
        && (found.first?.message.contains("\"") == !letter.isEmpty))
    #expect(JSONReader.read(SourceText(path: "a", bytes: [0x22, 0x22, 0xe9])).diagnostics.count == 1)
  }

  @Test func `fixes are applied without overlaps`() {
    let text = SourceText(path: "a", bytes: Array("[1, 2, 3]".utf8))
    let finding = { (range: Range<Int>, replacement: String, check: Check, path: String) in
      Diagnostic(check, message: "", at: Place(path), fix: TextEdit(range, replacement: replacement))
    }
    func fixed(_ findings: Diagnostic...) -> String? {
      EditedText(fixing: findings, in: text).map { String(decoding: $0.bytes, as: UTF8.self) }
    }
    let three = finding(7..<8, "33", .unknownKey, "a")
    #expect(fixed() == nil && fixed(finding(1..<2, "x", .unknownKey, "b")) == nil)
    #expect(fixed(three, finding(1..<2, "11", .unknownKey, "a")) == "[11, 2, 33]")
    #expect(fixed(finding(1..<5, "0", .unknownKey, "a"), finding(4..<5, "9", .unknownKey, "a")) == "[0, 3]")
    #expect(
      fixed(finding(1..<2, "4", .unknownKey, "a"), finding(2..<2, ", 5", .unknownKey, "a")) == "[4, 5, 2, 3]")
    #expect(
      fixed(finding(2..<2, ", 6", .unknownKey, "a"), finding(2..<2, ", 7", .unknownKey, "a"))
        == "[1, 6, 2, 3]")
    // A fix of the syntax that leaves a mistake is not applied.
    #expect(fixed(three, finding(0..<1, "(", .jsonSyntax, "a")) == "[1, 2, 33]")
    #expect(fixed(finding(0..<1, "(", .jsonSyntax, "a")) == nil)
    #expect(fixed(finding(0..<1, "(", .unknownKey, "a")) == nil)
    #expect(fixed(three, finding(0..<1, " [", .jsonSyntax, "a")) == " [1, 2, 33]")
  }

  @Test func `values are put in brackets and out of them`() {
    let edited = { (text: String, edit: (SourceText) -> TextEdit?) in
      let source = SourceText(path: "a.jsonc", bytes: Array(text.utf8))
      return edit(source).map { String(decoding: source.bytes.applying([$0]), as: UTF8.self) }
    }
    #expect(edited("{\"a\": \"b\\\"\"}") { $0.bracketing(stringAt: 6) } == "{\"a\": [\"b\\\"\"]}")
    #expect(edited("{\"a\": 1}") { $0.bracketing(stringAt: 6) } == nil)
    #expect(edited("[ \"b\"\n] ") { $0.unbracketing(listAt: 0) } == "\"b\" ")
    for text in ["[]", "[1]", "[\"a\", \"b\"]", "[\"a\"", "[", "[[\"a\"]]", "{\"a\"]", "[\"a\"}", "[\"a\" "] {
      #expect(edited(text) { $0.unbracketing(listAt: 0) } == nil, "\(text)")
    }
    #expect(edited("[\"a, b\"]") { $0.replacing(stringAt: 1, by: ["a", "b"]) } == "[\"a\", \"b\"]")
    #expect(edited("[1]") { $0.replacing(stringAt: 1, by: ["a", "b"]) } == nil)
    #expect(edited("[[1, {}], 2]") { $0.replacing(valueAt: 1, by: "x") } == "[x, 2]")
    #expect(edited(" ") { $0.replacing(valueAt: 0, by: "x") } == nil)
  }

  /// packtool searches only the last 4,096 bytes of a long line for a comment.
  @Test(arguments: [(4_094, true), (4_095, false), (5_000, false)])
  func `a comma after a long line is removed`(
    length: Int, isBefore: Bool
  ) {
    let line = String(repeating: " ", count: length)
    let source = SourceText(path: "a.jsonc", bytes: Array("[\(line)1,\"b\", 2]".utf8))
    let start = length + 3
    let edit = source.removing(elementAt: start)
    #expect(edit?.range == (isBefore ? start - 1..<start + 3 : start..<start + 4) && edit?.replacement == "")
    let strict = SourceText(path: "a.json", bytes: source.bytes)
    #expect(strict.removing(elementAt: start)?.range == start - 1..<start + 3)
  }

  @Test(
    arguments: [
      ("{\n  \"a\": 1\n}\n", nil), ("{\n  \"a\": 1\n}", 12), ("{\n  \"a\":1\n}\n", 8), ("{ \"a\": 1 }", 1),
      ("[]\n", nil), ("[]\n\n", 3),
      ("1.0\n", nil), ("1.50\n", 3), ("{\n  \"b\": 1,\n  \"a\": 1\n}\n", 5), (" 1\n", 0),
      ("\"\\u0041\"\n", 1), ("1e3\n", 1), ("null\n", nil),
    ] as [(String, Int?)]) func `the first byte in another style is found`(text: String, offset: Int?) throws
  {
    #expect(try #require(read(text).value).firstOddByte == offset)
  }

  @Test func `kinds of values have names`() throws {
    let value = try #require(read(#"[null, true, 1, "a", "\u0041", [], {}]"#).value)
    let elements = try #require(value.elements)
    #expect(
      elements.map(\.typeName) == [
        "null", "a boolean", "a number", "a string", "a string", "an array", "an object",
      ])
    #expect(elements.map(\.string) == [nil, nil, nil, "a", "A", nil, nil])
    #expect(elements.map { $0.member("a") == nil } == Array(repeating: true, count: 7))
    #expect(JSONMembers(parent: value).map(\.key) == [])
    let wrong = try #require(read(#"["\q(", 1]"#).value?.elements)
    #expect(wrong.map(\.typeName) == ["an unreadable value", "a number"])
    let object = try #require(read(#"{"caf\u00e9": 1, "cafe\u0301": 2, "x": 3}"#).value)
    #expect(object.member("café")?.wholeNumber == 1 && object.member("x")?.wholeNumber == 3)
    #expect(object.member("caf") == nil && object.member("xx") == nil && object.member("") == nil)
  }

  @Test func `lines around changes are joined up to six`() {
    let lines = (1...30).map { "\($0)\n" }.joined()
    let hunks = { (numbers: [Int]) in
      let edits = numbers.map { number in
        let start = lines.utf8.count - (number...30).map { "\($0)\n".utf8.count }.reduce(0, +)
        return TextEdit(start..<start + 1, replacement: "x")
      }
      return EditedText(SourceText(path: "a", bytes: Array(lines.utf8)), edits: edits).hunks.map {
        [$0.oldStart, $0.oldCount, $0.newStart, $0.newCount]
      }
    }
    #expect(hunks([10, 17]) == [[7, 14, 7, 14]])
    #expect(hunks([10, 18]) == [[7, 7, 7, 7], [15, 7, 15, 7]])
    #expect(hunks([1, 30]) == [[1, 4, 1, 4], [27, 4, 27, 4]])
    #expect(hunks([3]) == [[1, 6, 1, 6]] && hunks([4]) == [[1, 7, 1, 7]] && hunks([]) == [])
    #expect(hunks([5, 6]) == [[2, 8, 2, 8]])
  }

  private static let zeros = [UInt8](repeating: 0, count: 600)

  @Test(
    arguments: [
      ([0x89, 0x50, 0x4e, 0x47], "a PNG picture"), ([0x89, 0x50, 0x4e], nil),
      ([0xff, 0xd8, 0xff], "a JPEG picture"), ([0x1f, 0x8b], "a gzip archive"),
      ([0x1f], nil), (Array("GIF8".utf8), "a GIF picture"), (Array("%PDF-".utf8), "a PDF document"),
      (Array("RIFF\0\0\0\0WEBP".utf8), "a WebP picture"),
      (Array("RIFFxxxxWEBP".utf8), nil), (Array("RIFF\0\0\0\0WAVE".utf8), "a WAVE sound"),
      (Array("xxx\0ftyp".utf8), "a movie or a sound"),
      (Array("xx\0".utf8), "a binary file"), (Array("x\0".utf8), nil), (Array("\0x".utf8), nil),
      (Array("{x\0".utf8), nil), (Array("[x\0".utf8), nil),
      ([0xfe, 0x78, 0], nil), ([0xfd, 0x78, 0], "a binary file"),
      (Array(("xx" + String(repeating: "x", count: 509) + "\0").utf8), "a binary file"),
      (Array((String(repeating: "x", count: 512) + "\0").utf8), nil),
      (Array((String(repeating: "x", count: 257) + "ustar").utf8), nil),
      (Array(("xx" + String(repeating: "\0", count: 255) + "ustar").utf8), "a tar archive"), ([], nil),
      ([0], "a binary file"),
    ] as [([UInt8], String?)])
  func `binary formats are recognized`(bytes: [UInt8], words: String?) {
    let format = OtherFormat(of: SourceText(path: "a", bytes: bytes))
    #expect(format?.words == words)
    if let format { #expect(!format.isText && format.place == Place("a")) }
  }

  @Test(
    arguments: [
      ("<plist>", "a", "an XML property list"), (" \n<!DOCTYPE html><HTML>", "a", "an HTML page"),
      ("<?xml version", "a", "XML"), ("<x>", "a", nil),
      ("version https://git-lfs.github.com", "a", "a Git LFS pointer"), ("x = 1", "a.toml", "TOML"),
      ("x = 1", "a", nil), ("x", "a.yaml", "YAML"), ("x", "a.yml", "YAML"),
      ("{}", "a.yaml", nil), ("[]", "a.yml", nil), ("---\nx", "a", "YAML"), ("--- x", "a", nil),
      ("root: x", "a", "YAML"), ("root:\nx", "a", "YAML"), ("root:\r\n", "a", "YAML"),
      ("root:", "a", "YAML"), ("root:x", "a", nil), (": x", "a", nil), ("{a: 1}", "a", nil),
      ("\"a\": 1", "a", nil), ("", "a.yaml", nil), (" \t\r\n", "a.toml", nil),
    ] as [(String, String, String?)]) func `text formats are recognized`(
      text: String, path: String, words: String?
    )
  {
    let format = OtherFormat(of: SourceText(path: path, bytes: Array(text.utf8)))
    #expect(format?.words == words)
    if let format { #expect(format.isText && format.place.position == .init(line: 1, column: 1)) }
  }

  @Test func `a text may have comments by its name`() {
    let text = { (path: String, hasComments: Bool, isFixed: Bool) in
      SourceText(path: path, bytes: [], hasComments: hasComments, hasFixedName: isFixed)
    }
    #expect(text("a.jsonc", false, false).mayHaveComments && text("a", true, false).mayHaveComments)
    #expect(!text("a.json", false, false).mayHaveComments)
    #expect(values(in: text("x/a.json", false, false).commentHint) == #""a.jsonc""#)
    #expect(text("a.json", false, true).commentHint == "" && text("a.jsonc", false, false).commentHint == "")
  }
}
