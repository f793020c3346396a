@testable import Formats
import Support
import System
import Testing

/// Tests the values of projects in the OpenStep format, and texts at the limits of the format.
@Suite(.noHang) struct PlistTreeTests {
  private func tree(_ text: String) throws -> PlistTree {
    let read = OpenStepReader.read(SourceText(path: "a", bytes: Array(text.utf8)))
    #expect(read.diagnostics.isEmpty, "\(text)")
    return try #require(read.tree)
  }

  /// The columns and facts of the mistakes in a text.
  private func mistakes(_ text: String, maxSize: Int = OpenStepReader.maxTextSize) -> [String] {
    let read = OpenStepReader.read(SourceText(path: "a", bytes: Array(text.utf8)), maxSize: maxSize)
    #expect((read.tree == nil) == !read.diagnostics.isEmpty)
    return read.diagnostics.map { "\($0.place.position?.column ?? 0) \($0.namedValues)" }
  }

  private func string(_ text: String) throws -> String? {
    let tree = try tree(text)
    #expect(tree.records.count == 1)
    return tree.string(tree.root)
  }

  @Test(arguments: [
    ("\"\"", ""), ("''", ""), ("'a\"b'", "a\"b"), ("\"a'b\"", "a'b"), (#""a\nb""#, "a\nb"),
    (#""\a\b\f\n\r\t\v\x""#, "\u{7}\u{8}\u{c}\n\r\t\u{b}x"), (#""\"\\\'""#, "\"\\'"), (#"'\''"#, "'"),
    (#""\U00e9\u65e5x""#, "é日x"), (#""\U00E9""#, "é"), (#""\U41g""#, "Ag"), (#""\U""#, "\u{fffd}"),
    (#""\Ug""#, "\u{fffd}g"), (#""\U004142""#, "A42"), (#""\101\7\18\1234""#, "A\u{7}\u{1}8S4"),
    (#""\0""#, "\u{0}"), (#""\377""#, "\u{ff}"), (#""\8""#, "8"), (#""\é\日x""#, "é日x"), ("\"é日\"", "é日"),
    // Characters outside the basic plane.
    (#""\Ud83d\Ude00""#, "😀"), (#""a\UD83D\UDE00b""#, "a😀b"), (#""\😀""#, "😀"), (#""\😀\🏴x""#, "😀🏴x"),
    (#""\Ud83d""#, "\u{fffd}"), (#""\Ud83dx""#, "\u{fffd}x"), (#""\Ude00\Ud83d""#, "\u{fffd}\u{fffd}"),
    ("a_$/:.-+~9Z", "a_$/:.-+~9Z"), ("a/b", "a/b"), ("a/", "a/"), ("/", "/"), ("日\u{2027}", "日\u{2027}"),
    ("a//b", "a//b"), ("a/*b*/", "a"), ("a /*b*/", "a"), ("a//*b*/", "a/"), (" a ", "a"), ("a\u{2029}", "a"),
    ("\u{2028}\u{2029}a", "a"), ("//x\u{2028}a", "a"), ("//x\ra", "a"), ("//x\na", "a"), ("/**/a", "a"),
    ("/***/a", "a"), ("/*/*/a", "a"), ("\u{1}a", "a"), ("a\u{2068}b", "a\u{2068}b"),
    ("a\u{20a8}\u{2040}", "a\u{20a8}\u{2040}"),
  ]) func `a string has its text`(text: String, expected: String) throws {
    let found = try #require(try string(text))
    #expect(Array(found.unicodeScalars) == Array(expected.unicodeScalars))
  }

  @Test(arguments: [
    (#""a"#, #"1 "#), (#""a\"#, "1 "), (#""a\""#, "1 "), ("'a\"", "1 "), ("(a, \"b)", "5 "),
    ("/*/", #"1 "*/""#), ("//", "3 "), ("(a /* x", #"4 "*/""#), ("{a /* x", #"4 "*/" "a""#),
    ("{a = /* x", #"6 "*/" "a""#), ("{\"a", "2 "), ("{a = {\"b;};}", #"7 "a""#), ("/*", #"1 "*/""#),
    ("a /* *", #"3 "*/""#), ("<0g>", #"3 "g""#),
    ("<0", #"3 ">""#), ("<", #"2 ">""#), ("<0\u{e9}>", #"3 "\xc3""#), ("%", #"1 "%""#), (")", #"1 ")""#),
    ("(%)", #"2 "%""#), ("(,)", #"2 ",""#), ("{;}", #"2 ";""#), ("(a,,)", #"4 ",""#), ("(a", #"3 ",""#),
    ("(a,", "4 "), ("{a = ;}", #"6 ";" "a""#), ("{a = ", #"6 "a""#), ("{a", #"3 "=" "a""#),
    ("{a = b", #"7 ";" "a""#),
    ("{x = {y = (a b);};}", #"14 "," "b" "x.y""#), ("(a)(b)", #"4 "(""#),
    ("{a = (b, {c = %;});}", #"15 "%" "a.c""#),
    ("=a", #"1 "=""#), ("a = b", #"3 "=""#), ("<?xml", "1 "), ("bplist00", "1 "),
  ]) func `a mistake is at its place`(text: String, expected: String) {
    #expect(mistakes(text) == [expected])
  }

  @Test(arguments: ["<<<<<<<", "=======", ">>>>>>>"]) func `a merge conflict is recognized`(mark: String) {
    let message = { (text: String) in
      OpenStepReader.read(SourceText(path: "a", bytes: Array(text.utf8))).diagnostics.first?.message
    }
    let conflict = message("{a = b;\n\(mark) HEAD\n}")
    #expect(conflict != nil && conflict == message("(\n\(mark)"))
    #expect(conflict != message("{a = b;\n\(mark.dropLast()) HEAD\n}"))
  }

  @Test func `a text has a maximum size and depth`() {
    #expect(mistakes("(abc)", maxSize: 5) == [])
    #expect(mistakes("(abc)", maxSize: 4) == ["1 4 bytes"])
    let nested = { (depth: Int, open: String, close: String) in
      String(repeating: open, count: depth) + "a" + String(repeating: close, count: depth)
    }
    #expect(mistakes(nested(256, "(", ")")) == [])
    #expect(mistakes(nested(257, "(", ")")) == ["257 256"])
    #expect(mistakes(nested(256, "{k=", ";}")) == [])
    #expect(mistakes(nested(257, "{k=", ";}")).map { $0.prefix(7) } == ["769 256"])
  }

  @Test func `the values of dictionaries and arrays are found`() throws {
    let text = #"{a = (x, "y z", <0f>, {b = c;}); 'q r' = s; a = t; d = {}; e = (); f = <>; "\U0067" = v;}"#
    let tree = try tree(text)
    let root = tree.root
    #expect(tree.isDictionary(root) && !tree.isArray(root) && tree.string(root) == nil)
    let members = tree.members(root)
    #expect(members.compactMap { tree.string($0.key) } == ["a", "q r", "a", "d", "e", "f", "g"])
    #expect(members.map { tree.string($0.value) } == [nil, "s", "t", nil, nil, nil, "v"])
    let first = try #require(tree.value(root, key: "a"))
    #expect(tree.isArray(first) && tree.elements(first).map { tree.string($0) } == ["x", "y z", nil, nil])
    #expect(tree.string(tree.elements(first)[3], key: "b") == "c")
    #expect(tree.string(root, key: "q r") == "s" && tree.string(root, key: "g") == "v")
    #expect(tree.string(root, key: "a") == nil && tree.string(root, key: "b") == nil)
    #expect(tree.value(root, key: "x") == nil && tree.value(first, key: "x") == nil)
    #expect(tree.strings(root, key: "a").map(\.value) == ["x", "y z"])
    #expect(tree.strings(root, key: "a").map(\.offset) == [6, 9])
    #expect(tree.strings(root, key: "q r").map(\.value) == ["s"] && tree.strings(root, key: "z").isEmpty)
    #expect(tree.strings(root, key: "d").isEmpty && tree.strings(root, key: "f").isEmpty)
    #expect(tree.elements(root).isEmpty && tree.members(first).isEmpty && tree.members(nil).isEmpty)
    #expect(tree.value(root, key: "d").map { tree.members($0).isEmpty } == true)
    #expect(tree.value(root, key: "e").map { tree.elements($0).isEmpty } == true)
    #expect(tree.offset(of: root) == 0 && tree.offset(of: first) == 5)
  }

  /// The first bytes of a separator, at the end of a text, are a part of a word.
  @Test func `a text may end within a character`() {
    for bytes in [[0xe2, 0x80], [0xe2], [0x61, 0xe2, 0x80], [0x61, 0x2f], [0xe2, 0x80, 0xa7]] as [[UInt8]] {
      let read = OpenStepReader.read(SourceText(path: "a", bytes: bytes))
      #expect(read.diagnostics.isEmpty && read.tree?.records.map(\.end) == [Int32(bytes.count)])
    }
  }

  @Test func `an array may end in a comma`() throws {
    for text in ["(a, b)", "(a, b,)", "( a ,b , )", "(a/* x */,b)"] {
      let tree = try tree(text)
      #expect(tree.elements(tree.root).map { tree.string($0) } == ["a", "b"], "\(text)")
    }
  }
}

/// Tests that projects in other formats become OpenStep texts.
@Suite(.noHang) struct OpenStepTextTests {
  private func converted(_ bytes: [UInt8], maxSize: Int = PropertyList.maxSize) throws -> String {
    String(decoding: try OpenStepText.text(path: "a", bytes: bytes, maxSize: maxSize).bytes, as: UTF8.self)
  }

  @Test func `JSON becomes a sorted property list`() throws {
    let json = #" {"b": [1, "x\"\\", true, false, null, []], "a": {}, "c": -1.5}"#
    let text = #"""
      {
      "a" = {
      };
      "b" = (
      "1",
      "x\"\\",
      "YES",
      "NO",
      "",
      (
      ),
      );
      "c" = "-1.5";
      }
      """#
    #expect(try converted(Array(json.utf8)) == text)
    #expect(try converted([0xef, 0xbb, 0xbf] + Array(json.utf8)) == text)
    let broken = Array(#"{"a": [}"#.utf8)
    #expect(throws: PropertyList.Damage.self) { try converted(broken) }
  }

  @Test(arguments: [
    "{a = b;}", #"{"a" = b;}"#, "{}", "{", "(\"a\":)", "", #"{"a"}"#, #"{"a" /* : */ = b;}"#, #"["a": 1]"#,
    "{'a': 1}", "{a\": b}",
  ]) func `other texts are kept`(text: String) throws {
    #expect(try converted(Array(text.utf8), maxSize: 0) == text)
  }

  @Test(arguments: [#"{"a": 1}"#, "{ \n\"a\"\t: 1}", "\n{\"\": 1}"]) func `a key with a colon is JSON`(
    text: String
  ) throws {
    #expect(try converted(Array(text.utf8)) != text)
    #expect(try converted(Array(text.utf8), maxSize: text.utf8.count) != text)
    #expect(throws: PropertyList.Damage.self) {
      try converted(Array(text.utf8), maxSize: text.utf8.count - 1)
    }
  }

  @Test func `UTF-16 is decoded`() throws {
    let text = "{a = \"é😀\";}"
    let big = text.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    let little = text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    #expect(try converted([0xfe, 0xff] + big) == text)
    #expect(try converted([0xff, 0xfe] + little) == text)
    #expect(try converted([0xfe, 0xff] + big + [0x41]) == text)
    #expect(try converted([0xfe, 0xff]) == "" && converted([0xff, 0xfe, 0x41]) == "")
    let json = #"{"a": 1}"#.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    #expect(try converted([0xfe, 0xff] + json) == "{\n\"a\" = \"1\";\n}")
    #expect(throws: PropertyList.Damage.self) { try converted([0xfe, 0xff] + json, maxSize: 7) }
  }

  @Test func `each value of a list is kept or replaced`() throws {
    let item: PlistItem = .dictionary([
      "z": .array([
        .integer(-7), .unsigned(.max), .real(0.5), .date(2), .data([1]), .bool(true), .bool(false),
      ]),
      "\"": .string("\\"),
    ])
    let text = #"""
      {
      "\"" = "\\";
      "z" = (
      "-7",
      "18446744073709551615",
      "0.5",
      "2.0",
      <>,
      YES,
      NO,
      );
      }
      """#
    #expect(try converted(BinaryPlist.bytes(of: item).array()) == text)
    let xml = "\u{feff}\n<plist><array><true/></array></plist>"
    #expect(try converted(Array(xml.utf8)) == "(\nYES,\n)")
  }

  @Test func `items have their parts`() {
    let item: PlistItem = .dictionary(["a": .array([.string("x"), .integer(1)]), "b": .strings(["p", "q"])])
    #expect(item["a"]?.elements == [.string("x"), .integer(1)] && item["c"] == nil)
    #expect(item["a"]?.strings == nil && item["b"]?.strings == ["p", "q"] && item.strings == nil)
    #expect(item.members?.count == 2 && item["a"]?.members == nil && item["a"]?["x"] == nil)
    #expect(item.string == nil && item.elements == nil && PlistItem.string("x").string == "x")
    #expect(PlistItem.integer(-2).number == -2 && PlistItem.unsigned(1 << 63).number == 0x1p63)
    #expect(PlistItem.real(0.5).number == 0.5 && PlistItem.date(1).number == nil)
  }

  @Test(arguments: [
    ("<?xml", true), ("<!DOCTYPE plist", true), ("<plist>", true), (" \n\t<plist>", true),
    ("x<plist>", false),
    ("<plis", false), ("", false), ("<0f>", false), ("\u{feff}<plist>", true),
  ]) func `an XML list is recognized`(text: String, isXML: Bool) {
    #expect(PropertyList.isXML(Array(text.utf8)) == isXML)
    let wide = text.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    #expect(PropertyList.isXML([0xfe, 0xff] + wide) == isXML)
    if !isXML {
      #expect(throws: PropertyList.Damage.self) { try PropertyList.read(Array(text.utf8)) }
    }
  }
}
