@testable import Formats
import Support
import System
import Testing

/// Tests numbers, lists, sizes and escapes in texts.
@Suite struct TextFormTests {
  @Test(
    arguments: [
      (-5, "-5 bytes"), (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1_000, "1.00 kB"),
      (1_004, "1.00 kB"),
      (1_005, "1.01 kB"), (1_094, "1.09 kB"), (1_095, "1.10 kB"), (9_994, "9.99 kB"), (9_995, "10.0 kB"),
      (10_049, "10.0 kB"),
      (10_050, "10.1 kB"), (99_949, "99.9 kB"), (99_950, "100 kB"), (100_499, "100 kB"), (100_500, "101 kB"),
      (999_499, "999 kB"), (999_500, "1.00 MB"), (1_004_999, "1.00 MB"), (1_005_000, "1.01 MB"),
      (12_345_678, "12.3 MB"), (999_499_999, "999 MB"), (999_500_000, "1.00 GB"), (999_499_999_999, "999 GB"),
      (999_500_000_000, "1.00 TB"), (1_234_567_890_123, "1.23 TB"), (999_999_999_999_999, "1,000 TB"),
      (1_000_499_999_999_999, "1,000 TB"),
    ] as [(Int64, String)]) func `a size has three digits`(bytes: Int64, text: String)
  {
    #expect(ByteSize.text(bytes) == text)
  }

  @Test(arguments: [
    (999_999, ""), (1_000_000, "1.00 MB"), (1_048_575, "1.05 MB"), (1_048_576, "1 MiB"), (1 << 30, "1 GiB"),
    ((1 << 30) + (1 << 20), "1,025 MiB"), (3 << 30, "3 GiB"), (1_024_000_000, "1.02 GB"),
  ]) func `a large size is readable`(bytes: Int, text: String) {
    let end = text.isEmpty ? "" : " (\(text))"
    #expect(ByteSize.exact(bytes) == "\(grouped(bytes)) bytes\(end)")
    #expect(ByteSize.number(bytes) == grouped(bytes) + end)
  }

  @Test(
    arguments: [
      ("10 mb", "10 MB"), ("10mb", "10 MB"), ("10   MB", "10 MB"), ("1 0\tKib", "10 KiB"),
      ("1.5gib", "1.5 GiB"),
      ("10 kb", "10 kB"), ("7 BYTES", "7 bytes"), ("7 b", "7 B"), ("mb", nil), ("10 pb", nil), ("1. mb", nil),
      ("", nil),
      ("10", nil), ("-1 mb", nil), ("99999999 tb", nil),
    ] as [(String, String?)]) func `a unit in the wrong case is corrected`(text: String, corrected: String?)
  {
    #expect(ByteSize.corrected(text) == corrected)
  }

  @Test(
    arguments: [
      ("1.5 x", 15, 15), ("0.1 x", 1, 1), ("0.01 x", 0, 1), ("0.05 x", 0, 1), ("0.11 x", 1, 2),
      ("2 x", 20, 20), ("2y", 2_000_000, 2_000_000), ("0.000001 y", 1, 1), ("0.999999 y", 999_999, 999_999),
      ("922337203685477.580700 z", nil, nil),
      ("92233720368.547758 z", 9_223_372_036_854_775_800, 9_223_372_036_854_775_800),
      ("92233720368.54776 z", nil, nil), ("92233720369 z", nil, nil), ("1.1234567 x", nil, nil),
      ("1. x", nil, nil),
      ("123456789012345 x", 1_234_567_890_123_450, 1_234_567_890_123_450), ("1234567890123456 x", nil, nil),
      (".5 x", nil, nil), ("1.2.3 x", nil, nil), ("1  x", nil, nil), ("1 ", nil, nil), ("1 w", nil, nil),
    ] as [(String, Int64?, Int64?)]) func `a number with a unit is rounded`(
      text: String, down: Int64?, up: Int64?
    )
  {
    let units: [(name: String, scale: Int64)] = [("x", 10), ("y", 1_000_000), ("z", 100_000_000)]
    #expect(number(in: text, units: units) == down)
    #expect(number(in: text, units: units, rounding: .up) == up)
  }

  @Test func `numbers have commas`() {
    let numbers = [0, 7, 999, 1_000, -1_000, 12_345, 123_456, 1_234_567, -999, .min]
    #expect(
      numbers.map { grouped($0) } == [
        "0", "7", "999", "1,000", "-1,000", "12,345", "123,456", "1,234,567", "-999",
        "-9,223,372,036,854,775,808",
      ])
    #expect([0, 1, 2, -1].map { counted($0, of: "file") } == ["0 files", "1 file", "2 files", "-1 files"])
    #expect([1, 2].map { counted($0, of: "entry", plural: "entries") } == ["1 entry", "2 entries"])
  }

  @Test func `names are listed`() {
    let names = ["a", "b", "c", "d"]
    #expect(
      (0...3).map { listed(Array(names.prefix($0))) } == ["", #""a""#, #""a" and "b""#, #""a", "b" and "c""#])
    #expect(listed(names, atMost: 4) == #""a", "b", "c" and "d""#)
    #expect(listed(names, atMost: 3) == #""a", "b" and 2 more"#)
    #expect(listed(names, atMost: 2) == #""a" and 3 more"#)
    #expect(
      (0...4).map { listedWithOr(Array(names.prefix($0))) } == [
        "", "a", "a or b", "a, b or c", "a, b, c or d",
      ])
    #expect(setNotation(["a", "b\""]) == #"{"a", "b\""}"# && setNotation([]) == "{}")
    #expect(suggestion(nil) == "" && suggestion("a\n") == #"; did you mean "a\n"?"#)
  }

  @Test func `names are compared by bytes`() {
    let (one, two) = ("\u{e9}", "e\u{301}")
    #expect(one == two && !one.isSameInBytes(as: two) && one.isSameInBytes(as: "\u{e9}"))
    #expect(
      !Substring(one).isSameInBytes(as: Substring(two)) && Substring(one).isSameInBytes(as: Substring(one)))
    #expect(!Substring(one).isSameInBytes(as: two) && Substring(one).isSameInBytes(as: one))
    #expect(two.precedesInBytes(one) && !one.precedesInBytes(two) && !one.precedesInBytes(one))
    #expect(Substring(two).precedesInBytes(one) && !Substring(one).precedesInBytes(one))
    #expect("a".precedesInBytes("ab") && "Z".precedesInBytes("a") && "".precedesInBytes("a"))
  }

  @Test func `paths lead from folder to folder`() {
    let path = { (from: String, to: String) in
      relativeComponents(
        from: from.split(separator: "/").map(String.init), to: to.split(separator: "/").map(String.init)
      ).joined(separator: "/")
    }
    #expect(path("a/b", "a/c") == "../c" && path("a", "a") == "" && path("", "a/b") == "a/b")
    #expect(path("a/b/c", "a") == "../.." && path("a", "b") == "../b" && path("a/b", "a/b/c/d") == "c/d")
    #expect(path("\u{e9}/a", "e\u{301}/a").utf8.elementsEqual("../../e\u{301}/a".utf8))
    #expect(
      isWebAddress("https://a") && !isWebAddress("a:/b") && lastName(of: "/") == "/" && lastName(of: "") == ""
    )
    #expect(lastName(of: "a/b/") == "b" && foldersAbove("a/b/c") == ["a", "a/b"] && foldersAbove("a") == [])
  }

  @Test func `URLs are encoded by bytes`() {
    let bytes: [UInt8] = [
      0x00, 0x0f, 0x10, 0x20, 0x25, 0x2f, 0x30, 0x39, 0x3a, 0x41, 0x5a, 0x61, 0x7a, 0x7e, 0x7f, 0xff,
    ]
    let text = PercentEncoding.text(of: bytes, leaving: PercentEncoding.path)
    #expect(text == "%00%0F%10%20%25/09%3AAZaz~%7F%FF")
    #expect(PercentEncoding.bytes(of: Array(text.utf8)) == bytes)
    #expect(PercentEncoding.text(of: Array("+,;".utf8), leaving: PercentEncoding.applePack) == "+,%3B")
    let decoded = { (text: String) in
      PercentEncoding.bytes(of: Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(
      decoded("%41") == "A" && decoded("x%4ay%4B") == "xJyK" && decoded("") == "" && decoded("+") == "+")
    for wrong in ["%", "%4", "a%", "a%4", "%4g", "%g4", "%%41", "%4%"] {
      #expect(decoded(wrong) == nil, "\(wrong)")
    }
    #expect(PercentEncoding.decoded("a%20b") == "a b" && PercentEncoding.decoded("ab") == nil)
    #expect(PercentEncoding.decoded("%ff") == nil && PercentEncoding.decoded("%4") == nil)
  }

  @Test(arguments: [
    ("a b", "a b"), ("\"\\", "\\\"\\\\"), ("\n\r\t", "\\n\\r\\t"),
    ("\u{a0}\u{2003}\u{200b}", "\\u{a0}\\u{2003}\\u{200b}"),
    ("\u{1}\u{7f}\u{85}", "\\u{1}\\u{7f}\\u{85}"),
    ("\u{202e}\u{feff}\u{2028}", "\\u{202e}\\u{feff}\\u{2028}"),
    ("é日😀~!", "é日😀~!"), ("", ""),
  ]) func `text is safe to show`(text: String, shown: String) {
    #expect(escaped(text) == shown)
    #expect(escaped(bytes: Array(text.utf8)) == shown)
    #expect(quoted(text) == "\"\(shown)\"" && quoted(bytes: Array(text.utf8)) == "\"\(shown)\"")
  }

  @Test func `long text is cut`() {
    #expect(
      escaped("abc", upTo: 3) == "abc" && escaped("abcd", upTo: 3) == "abc…" && escaped("a", upTo: 0) == "…")
    #expect(
      escaped(bytes: [0x61, 0xff, 0x0f, 0x10, 0x20, 0x22, 0x5c, 0x7e, 0x7f])
        == #"a\xff\x0f\x10 \x22\x5c~\x7f"#)
    #expect(escaped(bytes: [0xff, 0x61, 0x62], upTo: 3) == #"\xffab"#)
    #expect(escaped(bytes: [0xff, 0x61, 0x62], upTo: 2) == #"\xffa…"#)
    #expect(quoted(String(repeating: "a", count: 300)).count == 302)
    #expect(quoted(String(repeating: "a", count: 301)).hasSuffix("a…\""))
    #expect(harmless("a\tb\u{a0}é") == "a\tb\u{a0}é" && harmless("a\t\u{1}\n") == "a\t\\u{1}\\n")
    #expect(
      xmlEscaped("<>&\"'\n\t\r\u{1f}\u{fffe}\u{ffff}é")
        == "&lt;&gt;&amp;&quot;'&#10;&#9;\u{fffd}\u{fffd}\u{fffd}\u{fffd}é")
  }

  @Test(
    arguments: [
      (0, "0"), (1, "1"), (-1, "-1"), (0.05, "0.1"), (0.04, "0"), (-0.04, "0"), (-0.05, "-0.1"),
      (1.25, "1.3"), (10.94, "10.9"),
      (10.95, "11"), (-2.5, "-2.5"), (.nan, "0"), (.infinity, "0"), (1e12, "0"), (-1e12, "0"),
      (999_999_999_999, "999999999999"),
    ] as [(Double, String)]) func `coordinates have a decimal`(number: Double, text: String)
  {
    #expect(HTMLForm.text(of: number) == text)
    let html: HTML = "\(number)"
    #expect(html.text == text)
  }

  @Test func `HTML is escaped`() {
    #expect(HTMLForm.escaped("<>&\"'") == "&lt;&gt;&amp;&quot;&#39;")
    #expect(HTMLForm.escaped("a\n\u{7f}\u{202e}") == "a\\n\\u{7f}\\u{202e}")
    #expect(HTMLForm.escaped("\u{fffe}\u{1fffe}\u{1ffff}\u{fffd}") == "\\u{fffe}\\u{1fffe}\\u{1ffff}\u{fffd}")
    let short: HTML = "\("abcdefghij", upTo: 9)|\("abcdefghi", upTo: 9)|\("<<<<", upTo: 11)"
    #expect(short.text == "abc…hij|abcdefghi|&lt;…&lt;")
    let wide: HTML = "\("éabcdefghi", upTo: 9)|\("éabcdefg", upTo: 9)|\("ééééé", upTo: 9)|\("<a", upTo: 5)"
    #expect(wide.text == "éa…ghi|éabcdefg|é…é|&lt;a")
    let letters: [HTML] = ["a", "b", "c"]
    #expect(letters.joined(separator: "-").text == "a-b-c" && (letters[0] + letters[1]).text == "ab")
    var sum: HTML = ""
    #expect(sum.isEmpty)
    sum += "a"
    sum += "<b>"
    #expect(sum.text == "a<b>" && !sum.isEmpty)
    let parts: [HTML] = ["x", "y"]
    let whole: HTML = "\(parts)\(7)\(quoting: sum)"
    #expect(whole.text == "xy7a&lt;b&gt;")
  }

  @Test func `a page allows its own style and script`() {
    let page = HTML.page(title: "\("<t>")", style: "s {}", script: "x()", body: "<p>").text
    #expect(page.contains("<title>&lt;t&gt;</title>") && page.contains("<style>s {}</style>"))
    #expect(
      page.contains("<script>x()</script>") && page.contains("\n<p>\n") && !page.contains("connect-src"))
    let digest = Base64.text(of: SHA256.digest(of: Array("x()".utf8)).bytes)
    #expect(page.contains("script-src 'sha256-\(digest)'"))
    let served = HTML.page(title: "t", style: "s {}", script: "x()", body: "", connections: .ownServer).text
    #expect(served.contains("connect-src 'self'"))
  }

  @Test(arguments: [
    ("a/b.c-d_e+f:g,h@i9Z", "a/b.c-d_e+f:g,h@i9Z"), ("", "''"), ("a b", "'a b'"), ("it's", "'it'\\''s'"),
    ("a\0b", "'a\u{fffd}b'"), ("é", "'é'"), ("~", "'~'"), ("a=b", "'a=b'"),
  ]) func `a shell word is quoted`(text: String, word: String) {
    #expect(ShellForm.escaped(text) == word)
    #expect(ShellText.words(["x", text]).text == "x \(word)")
  }
}
