@testable import Formats
import System
import Foundation
import Support
import Testing

/// Compares the reader with Foundation's reader, which is an independent implementation.
@Suite(.noHang) struct JSONReaderTests {
  /// A JSON value without offsets, used to compare two readers.
  private indirect enum Plain: Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case string([UInt8])
    case array([Plain])
    case object([String: Plain])
    case unreadable

    init(_ value: JSONValue) {
      switch value.content {
      case .null: self = .null
      case .bool(let bool): self = .bool(bool)
      case .number(let text): self = .number(Double(text) ?? .nan)
      case .string(let text): self = .string(Array(text.utf8))
      case .array(let elements): self = .array(elements.map { Plain($0) })
      case .object(let members):
        self = .object(Dictionary(members.map { ($0.key, Plain($0.value)) }) { first, _ in first })
      case .unreadable: self = .unreadable
      }
    }

    init(_ any: Any) {
      switch any {
      case let number as NSNumber where String(cString: number.objCType) == "c":
        self = .bool(number.boolValue)
      case let number as NSNumber: self = .number(number.doubleValue)
      case let text as String: self = .string(Array(text.utf8))
      case let elements as [Any]: self = .array(elements.map { Plain($0) })
      case let members as [String: Any]: self = .object(members.mapValues { Plain($0) })
      default: self = .null
      }
    }
  }

  /// Writes random values, with strings and numbers of many formats and random white space between them.
  private struct Writer {
    var dice: Dice

    mutating func value(_ depth: Int) -> String {
      let text =
        switch dice.below(depth > 0 ? 7 : 5) {
        case 0: dice.pick(["null", "true", "false"])
        case 1: number()
        case 2, 3, 4: string()
        case 5: list(depth, "[", "]") { writer in writer.value(depth - 1) }
        default:
          list(depth, "{", "}") { writer in writer.string() + writer.space() + ":" + writer.value(depth - 1) }
        }
      return space() + text + space()
    }

    private mutating func list(
      _ depth: Int, _ open: String, _ close: String, _ item: (inout Writer) -> String
    ) -> String {
      var items: [String] = []
      for _ in 0..<dice.below(5) { items.append(item(&self)) }
      return open + (items.isEmpty ? space() : items.joined(separator: ",")) + close
    }

    mutating func space() -> String { dice.chance(70) ? "" : dice.pick([" ", "\n", "\t", "\r\n", "  "]) }

    private mutating func number() -> String {
      dice.pick([
        "0", "-0", "1", "-17", "0.5", "1.25e2", "3E+2", "4e-1", "123456789", "-0.0", "9007199254740991",
      ])
    }

    mutating func string() -> String {
      var text = ""
      for _ in 0..<dice.below(6) {
        text += dice.pick([
          "a", "key", "é", "日", "😀", "\\n", "\\t", "\\\"", "\\\\", "\\/", "\\b", "\\f", "\\r", "\\u0041",
          "\\u00e9", "\\uD83D\\ude00", "\\u2028", " ", "/", "'", "{", "]", ",", ":", "//",
        ])
      }
      return "\"\(text)\""
    }
  }

  private func read(_ text: String, path: String = "a.json") -> (value: JSONValue?, diagnostics: [Diagnostic])
  {
    JSONReader.read(SourceText(path: path, bytes: Array(text.utf8)))
  }

  @Test(arguments: 0..<300) func `values are those that Foundation reads`(seed: UInt64) throws {
    var writer = Writer(dice: Dice(seed: seed))
    let text = writer.value(4)
    let (value, found) = read(text)
    let foundation = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
    // Foundation silently uses the last value of a repeated key.
    let mistakes = found.filter { $0.check != .duplicateKey }
    #expect(mistakes == [], "\(text)")
    if found.isEmpty { #expect(try Plain(#require(value)) == Plain(foundation), "\(text)") }
  }

  /// Changes, adds or removes one character of a JSON text.
  ///
  /// Either both readers accept the text, or both reject it.
  @Test func `texts with a mistake are refused where Foundation refuses them`() throws {
    let marks = Array("{}[],:\"\\0123456789.-+eEtrufalsn \n\u{1}x/#'é".unicodeScalars)
    var (taken, refused) = (0, 0)
    for seed in 0..<sample(1500, of: 20_000) {
      var writer = Writer(dice: Dice(seed: UInt64(10_000 + seed)))
      var scalars = Array(writer.value(3).unicodeScalars)
      let place = writer.dice.below(scalars.count + 1)
      switch writer.dice.below(3) {
      case 0 where place < scalars.count: scalars.remove(at: place)
      case 1 where place < scalars.count: scalars[place] = writer.dice.pick(marks)
      default: scalars.insert(writer.dice.pick(marks), at: place)
      }
      let text = String(String.UnicodeScalarView(scalars))
      let isRight =
        (try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)) != nil
      let mistakes = read(text).diagnostics.filter { $0.check == .jsonSyntax }
      #expect(mistakes.isEmpty == isRight, "\(text.debugDescription) \(mistakes.rendered)")
      if isRight { taken += 1 } else { refused += 1 }
    }
    #expect(taken > 100 && refused > 500)
  }

  @Test func `offsets are those of the values`() throws {
    let text = #" {"a": [1, "é", {"b": true}], "c" : null}"#
    let value = try #require(read(text).value)
    let bytes = Array(text.utf8)
    func rest(_ offset: Int) -> String { String(decoding: bytes[offset...].prefix(3), as: UTF8.self) }
    #expect(value.offset == 1)
    let elements = try #require(value.member("a")?.elements)
    #expect(elements.map { rest($0.offset) } == ["1, ", "\"é", "{\"b"])
    #expect(elements.count == 3 && value.hasMembers(["a", "c"]) && !value.hasMembers(["a", "d"]))
    guard case .object(let members) = value.content else {
      Issue.record("no object")
      return
    }
    #expect(members.map(\.key) == ["a", "c"] && members.map { rest($0.keyOffset) } == ["\"a\"", "\"c\""])
    #expect(members.map { $0.isNamed("c") } == [false, true])
    #expect(value.member("b") == nil && elements.map(\.typeName) == ["a number", "a string", "an object"])
  }

  @Test(arguments: [
    (2, [0]), (11, [10]), (12, [11]), (13, [12, 0]), (14, [13, 5]), (40, [39, 12, 12]),
  ]) func `a finding about a repeated key names its first place`(count: Int, again: [Int]) {
    for escape in ["", "\\u0041"] {
      let keys = (0..<count).map { "key\($0)\(escape)" } + again.map { "key\($0)\(escape)" }
      let text = "{\n" + keys.map { "\"\($0)\": {\"key0\": 1}" }.joined(separator: ",\n") + "\n}"
      let found = read(text).diagnostics
      #expect(found.map(\.check) == again.map { _ in .duplicateKey })
      #expect(found.map { $0.place.position?.line } == again.indices.map { count + 2 + $0 })
      #expect(found.map { $0.notes.first?.place?.position?.line } == again.map { $0 + 2 })
    }
  }

  /// Keys with escapes are compared by their characters, in each order.
  @Test(arguments: [
    (["\\u0061", "b", "b", "a"], [3, 4], [2, 1]), (["a", "\\u0061", "a"], [2, 3], [1, 1]),
    (["a", "b", "\\u0062", "c", "a", "c"], [3, 5, 6], [2, 1, 4]), (["\\u0061", "b", "c"], [], []),
    (["a", "ab", "\\u0061b", "abc"], [3], [2]),
  ]) func `keys with escapes are repeated too`(keys: [String], again: [Int], first: [Int]) {
    let members = keys.map { "\"\($0)\": {\"a\": 1, \"b\": 1}" }.joined(separator: ",\n")
    let found = read("{\(members)}").diagnostics
    #expect(found.map { $0.place.position?.line } == again)
    #expect(found.map { $0.notes.first?.place?.position?.line } == first)
  }

  @Test func `what is found is cut after 40 characters`() {
    for (count, shown) in [(39, 39), (40, 40), (41, 40), (400, 40)] {
      let found = read("{\"a\" \(String(repeating: "b", count: count))").diagnostics
      #expect(found.count == 1)
      let words = found.first?.message.split(separator: "\"").last.map(String.init) ?? ""
      #expect(words == String(repeating: "b", count: shown))
    }
  }

  @Test func `comments and commas at the end are JSON with comments`() {
    let text = "// a\n{\"a\": [1, 2,], /* b\n*/ \"c\": 3, } // d"
    #expect(read(text, path: "a.jsonc").diagnostics == [])
    // The text has three comments and two trailing commas.
    let found = read(text, path: "a.json").diagnostics
    #expect(found.map(\.check) == Array(repeating: .jsonSyntax, count: 5))
    #expect(found.map { $0.place.position?.line } == [1, 2, 2, 3, 3])
    #expect(found.compactMap(\.fix).count == 2)
    #expect(read("# a\n1", path: "a.jsonc").diagnostics.count == 1)
    #expect(read("1 /* a", path: "a.jsonc").diagnostics.count == 1)
    #expect(read("1 // a", path: "a.jsonc").diagnostics == [])
  }

  @Test func `other encodings are named`() {
    func message(_ bytes: [UInt8]) -> String? {
      JSONReader.read(SourceText(path: "a", bytes: bytes)).diagnostics.first?.message
    }
    for (bytes, name) in [
      ([0xff, 0xfe, 0x7b, 0], "UTF-16"), ([0xfe, 0xff, 0, 0x7b], "UTF-16"), ([0x7b, 0, 0x7d, 0], "UTF-16"),
      ([0, 0x7b, 0, 0x7d], "UTF-16"), ([0xff, 0xfe, 0, 0], "UTF-32"), ([0, 0, 0xfe, 0xff], "UTF-32"),
    ] as [([UInt8], String)] {
      #expect(message(bytes)?.contains("is \(name);") == true, "\(bytes)")
    }
    for bytes in [[0x22, 0xe9, 0x22], [0x22, 0xc0, 0x80, 0x22], [0x22, 0xed, 0xa0, 0x80, 0x22]] as [[UInt8]] {
      #expect(message(bytes)?.contains("the byte 0x\(String(bytes[1], radix: 16))") == true, "\(bytes)")
    }
    #expect(message([0xef, 0xbb, 0xbf, 0x31]) == nil)
  }

  @Test(
    arguments: [
      ("0", 0), ("17", 17), ("1e3", 1000), ("64.0", 64), ("9223372036854775807", .max), ("1.5", nil),
      ("-1", nil),
      ("-0", 0), ("9223372036854775808", nil), ("1e400", nil), ("9007199254740991.0", 9_007_199_254_740_991),
      ("9007199254740992.0", nil), ("0.5e1", 5),
    ] as [(String, Int64?)])
  func `natural numbers are those of 64 bits`(text: String, number: Int64?) {
    #expect(naturalNumber(text) == number)
    #expect(read(text).value?.wholeNumber == number)
  }

  @Test func `fractions lie between 0 and 1`() {
    for (text, fraction) in [
      ("0", 0.0), ("1", 1.0), ("0.25", 0.25), ("1.01", nil), ("-0.1", nil), ("\"1\"", nil),
    ] {
      #expect(read(text).value?.fraction == fraction)
    }
    #expect(read("true").value?.bool == true && read("false").value?.bool == false)
    #expect(
      read("1").value?.bool == nil && read("1").value?.string == nil && read("1").value?.elements == nil)
  }
}

/// Tests that patterns match exactly the values that they describe.
@Suite struct JSONPatternTests {
  private func value(_ text: String) throws -> JSONValue {
    try #require(JSONReader.read(SourceText(path: "a", bytes: Array(text.utf8))).value)
  }

  private let rule = JSONTextRule(forbidding: "*?", forbiddingFirst: "#", maxBytes: 5)

  @Test func `texts match by their bytes`() throws {
    let pattern = JSONPattern.text(rule)
    for text in ["a", "abcde", "a/b", "a#", "~", " "] {
      #expect(try value("\"\(text)\"").matches(pattern), "\(text)")
    }
    for text in ["", "abcdef", "*", "a?", "#a", "a/#", "a/", "é", "\\u0041", "\u{7f}"] {
      #expect(try !value("\"\(text)\"").matches(pattern), "\(text)")
    }
    for text in ["1", "[]", "{}", "null", "[\"a\"]"] { #expect(try !value(text).matches(pattern)) }
  }

  /// Like the two stars of a glob, which are a folder of any depth only if they are alone.
  @Test func `a doubled mark matches as a whole component`() throws {
    let pattern = JSONPattern.text(
      JSONTextRule(forbidding: "[]", forbiddingFirst: "/.", doubledOnlyAsComponent: "*", maxBytes: 9))
    for text in [
      "**", "a/**", "**/a", "a/**/b", "**/**", "*", "a*", "*.*", "*a*", "a/*", "*/*", "a/*b*/c", "a/**/bcde",
    ] {
      #expect(try value("\"\(text)\"").matches(pattern), "\(text)")
    }
    for text in [
      "a**", "**a", "a/**b", "a/b**", "***", "a/***", "**a/b", "a**/b", "**/", "/**", "./**", "a/**/bcdef",
      "a[*", "aa**", "**aa",
      "aa/**aa",
    ] { #expect(try !value("\"\(text)\"").matches(pattern), "\(text)") }
  }

  @Test func `a pattern has up to 64 keys`() throws {
    let keys = (0..<64).map {
      JSONObjectPattern.Key("k\($0)", pattern: .tested { _ in true }, isRequired: $0 == 63)
    }
    let pattern = JSONPattern.object(JSONObjectPattern(keys, oneOf: ["k0", "k62"]))
    #expect(try value(#"{"k63": "", "k62": ""}"#).matches(pattern))
    #expect(try value(#"{"k0": "", "k1": "", "k63": ""}"#).matches(pattern))
    for text in [
      #"{"k62": ""}"#, #"{"k63": ""}"#, #"{"k63": "", "k62": "", "k0": ""}"#, #"{"k63": "", "k1": ""}"#,
    ] {
      #expect(try !value(text).matches(pattern), "\(text)")
    }
  }

  /// The sign for kelvins is equal to the letter K.
  @Test func `keys are equal as strings are`() throws {
    let object = try value(#"{"aK": 1, "b\u212a": 2, "c": 3}"#)
    #expect(object.member("a\u{212a}")?.wholeNumber == 1 && object.member("aK")?.wholeNumber == 1)
    #expect(object.member("bK")?.wholeNumber == 2 && object.member("b\u{212a}")?.wholeNumber == 2)
    #expect(
      object.member("a\u{212b}") == nil && object.member("c\u{301}") == nil && object.member("cc") == nil)
  }

  @Test func `lists match by their elements and by how many there are`() throws {
    let pattern = JSONPattern.list(of: .text(rule), counts: 1...3)
    for text in ["[\"a\"]", "[\"a\", \"b\", \"c\"]"] { #expect(try value(text).matches(pattern), "\(text)") }
    for text in [
      "[]", "[\"a\", \"b\", \"c\", \"d\"]", "[1]", "[\"a\", 1]", "[1, \"a\"]", "[[\"a\"]]", "{\"a\": \"a\"}",
      "\"a\"",
    ] { #expect(try !value(text).matches(pattern), "\(text)") }
    let nested = JSONPattern.list(of: pattern, counts: 0...9)
    #expect(try value("[[\"a\"], [\"a\", \"b\"]]").matches(nested) && value("[]").matches(nested))
    #expect(try !value("[[\"a\"], []]").matches(nested))
  }

  @Test func `objects match by their keys`() throws {
    let tested = JSONPattern.tested { $0 == "yes" }
    let object = JSONObjectPattern(
      [
        .init("name", pattern: .text(rule), isRequired: true), .init("a long name 1", pattern: tested),
        .init("a long name 22", pattern: tested), .init("not", pattern: nil), .init("one", pattern: tested),
        .init("two", pattern: tested),
      ], oneOf: ["one", "two"])
    let pattern = JSONPattern.object(object)
    for text in [
      #"{"name": "x", "one": "yes"}"#, #"{"two": "yes", "name": "x"}"#,
      #"{"name": "x", "a long name 22": "yes", "one": "yes", "a long name 1": "yes"}"#,
    ] { #expect(try value(text).matches(pattern), "\(text)") }
    for text in [
      #"{"name": "x"}"#, #"{"one": "yes"}"#, #"{"name": "x", "one": "yes", "two": "yes"}"#,
      #"{"name": "x", "one": "no"}"#, #"{"name": "x", "one": "yes", "not": "yes"}"#,
      #"{"name": "x", "one": "yes", "other": "yes"}"#, #"{"name": "x", "one": "yes", "name": "x"}"#,
      #"{"name": "x", "one": "yes", "a long name 3": "yes"}"#, #"{"name": "x", "one": "yes", "onf": "yes"}"#,
      #"{"name": 1, "one": "yes"}"#, "[]", "{}", "\"x\"",
    ] { #expect(try !value(text).matches(pattern), "\(text)") }
  }

  @Test func `of several objects the first whose first key is there counts`() throws {
    let tested = JSONPattern.tested { $0 == "yes" }
    let kinds = ["path", "glob"].map {
      JSONObjectPattern(
        [.init($0, pattern: tested, isRequired: true), .init("to", pattern: tested)], oneOf: [])
    }
    let pattern = JSONPattern.variants(kinds)
    for text in [#"{"path": "yes"}"#, #"{"to": "yes", "glob": "yes"}"#] {
      #expect(try value(text).matches(pattern), "\(text)")
    }
    for text in [
      #"{"path": "no"}"#, #"{"path": "yes", "glob": "yes"}"#, #"{"to": "yes"}"#, "{}", "[]",
      #"{"glob": "no"}"#,
    ] { #expect(try !value(text).matches(pattern), "\(text)") }
  }

  @Test func `rows have the values of their keys`() throws {
    let tested = JSONPattern.tested { _ in true }
    let object = JSONObjectPattern(
      [
        .init("id", pattern: tested, isRequired: true),
        .init("tags", pattern: .list(of: tested, counts: 0...9)),
      ], oneOf: [])
    let array = try value(
      #"[{"id": "a", "tags": ["x", "y"]}, {"tags": []}, {"tags": [], "id": "b"}, 7, {"id": "c"}]"#)
    let elements = try #require(array.elements)
    let rows = JSONRows(of: elements, elementCount: elements.count, pattern: object)
    #expect(rows.count == 5)
    #expect((0..<5).map { rows.other($0) == nil } == [true, false, true, false, true])
    #expect(rows.other(3)?.wholeNumber == 7 && rows.other(1)?.member("tags") != nil)
    #expect([0, 2, 4].map { rows.text(inRow: $0, column: 0).value } == ["a", "b", "c"])
    #expect(rows.text(inRow: 0, column: 0).offset == 8)
    #expect([0, 2, 4].map { rows.hasValue(inRow: $0, column: 1) } == [true, true, false])
    #expect(
      rows.texts(inRow: 0, column: 1).map(\.value) == ["x", "y"] && rows.texts(inRow: 2, column: 1).isEmpty
        && rows.texts(inRow: 4, column: 1).isEmpty)
    #expect(rows.value(inRow: 0, column: 1)?.elements?.count == 2 && rows.value(inRow: 4, column: 1) == nil)
    #expect(!rows.areAscending(by: 0))
    for (text, isAscending) in [
      (#"[{"id": "a"}, {"id": "b"}]"#, true), (#"[{"id": "a"}, {"id": "a"}]"#, false),
      (#"[{"id": "b"}, {"id": "a"}]"#, false), (#"[{"id": "a"}, {"id": "aa"}]"#, true), ("[]", true),
      (#"[{"id": "é"}]"#, false),
    ] {
      let elements = try #require(value(text).elements)
      #expect(
        JSONRows(of: elements, elementCount: elements.count, pattern: object).areAscending(by: 0)
          == isAscending,
        "\(text)")
    }
  }
}

/// Tests how JSON texts are written, and how single values are edited.
@Suite struct JSONTextTests {
  @Test func `values are written in one form`() throws {
    let value = JSONText.object([
      "b": .array([.integer(Int64.min), .real(0.5), .real(.infinity), .bool(true), .bool(false), .null]),
      "a": .object([:]), "é": .strings(["x\"\\\n\u{1}/é"]),
      "B": .ordered([("z", .array([])), ("y", .integer(0))]),
    ])
    #expect(
      String(decoding: value.line.array(), as: UTF8.self)
        == #"{"B": {"z": [], "y": 0}, "a": {}, "b": [-9223372036854775808, 0.5, null, true, false, null], "#
        + #""é": ["x\"\\\n\u0001/é"]}"#)
    let lines = value.text
    #expect(lines.hasPrefix("{\n  \"B\": {\n    \"z\": [],\n    \"y\": 0\n  },\n  \"a\": {},\n  \"b\": [\n"))
    #expect(lines.hasSuffix("  ]\n}\n"))
    // A value that was read is written in the same style, regardless of its original style.
    let read = try #require(
      JSONReader.read(SourceText(path: "a", bytes: Array(" {\"a\" :[1,{\"b\":\"x\"}] }".utf8))).value)
    #expect(JSONText.read(read).text == "{\n  \"a\": [\n    1,\n    {\n      \"b\": \"x\"\n    }\n  ]\n}\n")
    #expect(String(decoding: JSONText.read(read).line.array(), as: UTF8.self) == #"{"a": [1, {"b": "x"}]}"#)
  }

  private func edited(_ text: String, _ edit: (SourceText) -> TextEdit?) -> String? {
    let source = SourceText(path: "a.jsonc", bytes: Array(text.utf8))
    return edit(source).map { String(decoding: EditedText(source, edits: [$0]).bytes, as: UTF8.self) }
  }

  @Test func `a value is replaced, and the rest stays`() {
    for (text, offset, result) in [
      ("[\"a\" , 2]", 1, "[7 , 2]"), ("[[1, [2]], 3]", 1, "[7, 3]"),
      ("{\"a\": {\"b\": 1} }", 6, "{\"a\": 7 }"),
      ("[true]", 1, "[7]"), ("[1.5e3]", 1, "[7]"),
    ] {
      #expect(edited(text) { $0.replacing(valueAt: offset, by: "7") } == result)
    }
    #expect(edited("[\"a\\\"b\", 1]") { $0.replacing(stringAt: 1, by: "x\"") } == "[\"x\\\"\", 1]")
    #expect(edited("[1]") { $0.replacing(stringAt: 1, by: "x") } == nil)
    #expect(edited("[\"a\n\"]") { $0.replacing(stringAt: 1, by: "x") } == nil)
    #expect(edited("[\"a") { $0.replacing(stringAt: 1, by: "x") } == nil)
  }

  @Test func `an element is removed with one comma`() {
    for (text, offset, result) in [
      ("[\"a\"]", 1, "[]"), ("[\"a\", \"b\"]", 1, "[ \"b\"]"), ("[\"a\", \"b\"]", 6, "[\"a\"]"),
      ("[\"a\" , \"b\" , \"c\"]", 7, "[\"a\"  , \"c\"]"), ("[\"a\" // x,\n, \"b\"]", 13, "[\"a\" // x,\n]"),
      ("[\"a\", // x,\n\"b\", \"c\"]", 12, "[\"a\", // x,\n \"c\"]"),
      ("[\"//\",\"b\"]", 6, "[\"//\"]"), ("[\"a\" ,\n\"b\"]", 1, "[\n\"b\"]"),
    ] {
      #expect(edited(text) { $0.removing(elementAt: offset) } == result, "\(text)")
    }
    #expect(edited("[1]") { $0.removing(elementAt: 1) } == nil)
  }
}

/// Tests how strings are made safe for other formats.
@Suite struct EncodingTests {
  @Test func `bytes are percent-encoded, and decoded once`() {
    let all = Array(UInt8.min...UInt8.max)
    let text = PercentEncoding.text(of: all, leaving: PercentEncoding.path)
    #expect(
      text.hasPrefix("%00%01") && text.contains("%2C-./0") && text.contains("%7D~%7F")
        && text.hasSuffix("%FF"))
    #expect(text.contains("%09%0A%0F%10") == false && text.contains("%09%0A") && text.contains("%0F%10"))
    #expect(PercentEncoding.bytes(of: Array(text.utf8)) == all)
    #expect(PercentEncoding.text(of: "a+b,c d".utf8, leaving: PercentEncoding.applePack) == "a+b,c%20d")
    for (text, bytes) in [
      ("", []), ("%41", [0x41]), ("%2541", [0x25, 0x34, 0x31]), ("a%2Fb%2f", [0x61, 0x2f, 0x62, 0x2f]),
      ("+", [0x2b]),
    ] as [(String, [UInt8])] {
      #expect(PercentEncoding.bytes(of: Array(text.utf8)) == bytes)
    }
    for text in ["%", "%4", "%4g", "%g4", "a%", "%%41", "% 41", "%-1"] {
      #expect(PercentEncoding.bytes(of: Array(text.utf8)) == nil, "\(text)")
    }
  }

  @Test func `text is safe in XML`() {
    #expect(xmlEscaped("<a href=\"x\">&amp;'\n\t") == "&lt;a href=&quot;x&quot;&gt;&amp;amp;'&#10;&#9;")
    #expect(
      xmlEscaped("\u{0}\u{1f}\u{7f}\u{fffe}\u{ffff}\u{fffd}é😀 ")
        == "\u{fffd}\u{fffd}\u{7f}\u{fffd}\u{fffd}\u{fffd}é😀 ")
  }
}
