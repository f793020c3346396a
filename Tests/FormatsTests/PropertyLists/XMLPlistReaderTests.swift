@testable import Formats
import System
import Foundation
import Support
import Testing

/// Tests XML property lists with each notation that XML allows for a value.
@Suite(.noHang) struct XMLPlistReaderTests {
  private static func document(_ value: String, front: String = "") -> String {
    front + "<plist version=\"1.0\"><dict><key>k</key>\(value)</dict></plist>"
  }

  private func value(_ text: String) throws -> PlistItem? {
    try PropertyList.read(Array(Self.document(text).utf8))["k"]
  }

  @Test(arguments: [
    ("<true></true>", PlistItem.bool(true)), ("<false></false>", .bool(false)), ("<true/>", .bool(true)),
    ("<false />", .bool(false)), ("<true>\n<!-- x --> </true >", .bool(true)),
    ("<string><![CDATA[a<b]]></string>", .string("a<b")),
    ("<string>x<![CDATA[&amp;]]>y</string>", .string("x&amp;y")),
    ("<string><![CDATA[]]]]><![CDATA[>]]></string>", .string("]]>")),
    ("<string>a<!-- <z> & -->b</string>", .string("ab")), ("<string>a<!---->b</string>", .string("ab")),
    ("<array><!----><true/><?x?></array>", .array([.bool(true)])),
    ("<string>a<?x y?>b</string>", .string("ab")),
    ("<string/>", .string("")), ("<string></string>", .string("")),
    ("<string xml:space=\"preserve\"> a </string>", .string(" a ")),
    ("<string a='>' b=\"/\">x</string>", .string("x")),
    ("<string>&lt;&gt;&amp;&quot;&apos;&#65;&#x1F600;&#0065;&#13;</string>", .string("<>&\"'A\u{1f600}A\r")),
    ("<string>a\r\nb\rc\n\r</string>", .string("a\nb\nc\n\n")),
    ("<integer>0x1F</integer>", .integer(31)), ("<integer>0XfF</integer>", .integer(255)),
    ("<integer>-0x10</integer>", .integer(-16)), ("<integer> +7\n</integer>", .integer(7)),
    ("<integer><!-- a -->1<!-- b -->2</integer>", .integer(12)),
    ("<integer><![CDATA[5]]></integer>", .integer(5)),
    ("<integer>-9223372036854775808</integer>", .integer(.min)),
    ("<integer>9223372036854775807</integer>", .integer(.max)),
    ("<integer>9223372036854775808</integer>", .unsigned(1 << 63)),
    ("<integer>18446744073709551615</integer>", .unsigned(.max)),
    ("<integer>0xFFFFFFFFFFFFFFFF</integer>", .unsigned(.max)),
    ("<real> 1.5e3 </real>", .real(1500)), ("<real>-infinity</real>", .real(-.infinity)),
    ("<array></array>", .array([])), ("<dict></dict>", .dictionary([:])), ("<array/>", .array([])),
    ("<dict />", .dictionary([:])),
    ("<data>\n\tSGVs\n\tbG8=\n</data>", .data(Array("Hello".utf8))), ("<data/>", .data([])),
    ("<date>2001-01-02T00:00:01Z</date>", .date(86_401)),
    ("<date>2000-02-29T23:59:59Z</date>", .date(-26_438_401)),
    ("<array><string>a</string> <!-- b -->\n<true></true></array>", .array([.string("a"), .bool(true)])),
    (
      "<dict><key>a<!-- b -->c</key><string>x</string><key><![CDATA[<]]></key><string/></dict>",
      .dictionary(["ac": .string("x"), "<": .string("")])
    ),
  ])
  func `a value is read as XML means it`(text: String, expected: PlistItem) throws {
    #expect(try value(text) == expected)
    // Some documents have a document type, and others do not.
    let type =
      "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\" [ <!-- > --> ]>"
    let whole = Self.document(text, front: "<?xml version='1.0' encoding='UTF-8'?>\r\n<!-- a -->\(type)\n")
    #expect(try PropertyList.read(Array(whole.utf8))["k"] == expected)
  }

  @Test(arguments: [
    "<string>a", "<string>a</strin>", "<string>a<string>", "<string>a<b/></string>", "<string>&z;</string>",
    "<string>a & b</string>",
    "<string>&#0;</string>", "<string>&#xD800;</string>", "<string>&#x110000;</string>",
    "<string>&#-1;</string>",
    "<string><![CDATA[a</string>", "<string><!-- a</string>", "<string>a<?x</string>", "<?x <true/>",
    "<integer></integer>", "<integer>1 2</integer>",
    "<integer>0x</integer>",
    "<integer>1.5</integer>", "<integer>18446744073709551616</integer>",
    "<integer>-9223372036854775809</integer>",
    "<integer>--1</integer>", "<integer>+-1</integer>", "<real>1 2</real>", "<real></real>", "<true>x</true>",
    "<true>", "<none/>",
    "<date>yesterday</date>", "<date>2001-02-29T00:00:00Z</date>", "<date>2001-13-01T00:00:00Z</date>",
    "<date>2001-01-01T24:00:00Z</date>", "<data>!</data>", "<date>2001--01-01T00:00:00Z</date>",
    "<date>-2001-01-01</date>", "<date>2001-01-01Z-</date>", "<date>2001-01-01T00::00Z</date>", "true/>",
    "text", "</array>", "<array>", "<dict>", "<dict><key>a</key></dict>", "<key>a</key><true/>",
    "<true/><true/>",
    "<plist><true/></plist>", "<string",
  ])
  func `a damaged value has a reason`(text: String) {
    #expect(throws: PropertyList.Damage.self) { try value(text) }
  }

  @Test func `entities are refused, so that none grows`() throws {
    let entities = (1...30).map { "<!ENTITY e\($0) \"&e\($0 - 1);&e\($0 - 1);\">" }.joined()
    for front in [
      "<!DOCTYPE plist [<!ENTITY e0 \"x\">\(entities)]>",
      "<!DOCTYPE plist [<!ENTITY e0 SYSTEM '/etc/passwd'>]>",
    ] {
      let text = Self.document("<string>&e0;</string>", front: "<?xml version=\"1.0\"?>\(front)")
      #expect(throws: PropertyList.Damage.self) { try PropertyList.read(Array(text.utf8)) }
    }
  }

  @Test(arguments: [
    ("", "<plist/>"), ("", "<plist></plist>"), ("", "<plist><true/>"), ("", "<plist><true/><false/></plist>"),
    ("", "<plist><true/></plist><true/>"), ("<?xml", ""), ("", "<plist><dict>"),
    ("", "<plist></dict></plist>"), ("<!DOCTYPE", ""), ("", "plist><true/></plist>"),
    ("", "<plist>true/></plist>"), ("", "<plist><true/>/plist>"),
  ])
  func `a list has one whole value`(front: String, text: String) {
    #expect(throws: PropertyList.Damage.self) { try PropertyList.read(Array((front + text).utf8)) }
  }

  @Test func `every encoding that a list declares is followed`() throws {
    let text = "ÄüéßŸ€"
    func declared(_ name: String, _ value: String) -> String {
      Self.document("<string>\(value)</string>", front: "<?xml version=\"1.0\" encoding=\"\(name)\"?>\n")
    }
    func expect(_ bytes: [UInt8], _ value: String, _ name: String) throws {
      #expect(try PropertyList.read(bytes)["k"] == .string(value), "\(name)")
      // A project in this encoding has the same values as one in UTF-8.
      let source = try OpenStepText.text(path: "a", bytes: bytes)
      #expect(OpenStepReader.read(source).tree.flatMap { $0.string($0.root, key: "k") } == value, "\(name)")
    }
    let encodings: [(name: String, encoding: String.Encoding)] = [
      ("ISO-8859-1", .isoLatin1), ("iso-8859-1", .isoLatin1), ("windows-1252", .windowsCP1252),
      ("UTF-8", .utf8), ("utf-16", .utf16LittleEndian), ("UTF-16", .utf16BigEndian),
    ]
    for (name, encoding) in encodings {
      let value = encoding == .isoLatin1 ? "Äüéß\u{ff}" : text
      let data = try #require(declared(name, value).data(using: encoding))
      try expect(Array(data), value, name)
      if name.lowercased() != "utf-16" { continue }
      try expect((encoding == .utf16BigEndian ? [0xfe, 0xff] : [0xff, 0xfe]) + Array(data), value, name)
    }
    // Foundation on Linux encodes Mac OS Roman differently, so the test contains the encoded bytes.
    let roman: [UInt8] = [0x80, 0x9f, 0x8e, 0xa7, 0xd9, 0xdb]
    let parts = declared("macintosh", "@").split(separator: "@").map { Array($0.utf8) }
    try expect(parts[0] + roman + parts[1], text, "macintosh")
    let euro = Array(declared("ISO-8859-15", "@").utf8).map { $0 == UInt8(ascii: "@") ? 0xa4 : $0 }
    try expect(euro, "€", "ISO-8859-15")
    try expect([0xef, 0xbb, 0xbf] + Array(declared("UTF-8", text).utf8), text, "UTF-8")
  }

  @Test(arguments: ["UTF-8", "US-ASCII", "UTF-16", "EBCDIC-CP-FR", ""])
  func `bytes of another encoding are an error`(name: String) throws {
    let front = name.isEmpty ? "" : "<?xml version=\"1.0\" encoding=\"\(name)\"?>"
    let bytes = Array(Self.document("<string>", front: front).utf8) + [0xfc] + Array("</string>".utf8)
    let damage = #expect(throws: PropertyList.Damage.self) { try PropertyList.read(bytes) }
    #expect(damage?.reason.isEmpty == false)
  }

  @Test func `long texts of each kind take linear time`() throws {
    for unit in ["a", "&amp;", "<![CDATA[a]]>", "<!-- -->", "\r\n", "]", "<?a?>"] {
      let text = String(repeating: unit, count: 100_000)
      #expect(try value("<string>\(text)</string>") != nil)
    }
    let deep = String(repeating: "<array>", count: 100_000)
    #expect(throws: PropertyList.Damage.self) { try value(deep) }
  }

  @Test func `every beginning and any byte changed ends in a value or a reason`() {
    let bytes = Array(
      Self.document(
        "<array><string>a&amp;<![CDATA[b]]><!-- c --></string><integer>0x1</integer><date>2001-01-01T00:00:00Z</date></array>",
        front: "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><!DOCTYPE plist [ ]>"
      ).utf8)
    for count in 0..<bytes.count {
      #expect(throws: PropertyList.Damage.self) { try PropertyList.read(Array(bytes[..<count])) }
    }
    var generator = SeededRandom(seed: 5)
    for _ in 0..<sample(1_000, of: 5_000) {
      var changed = bytes
      changed[Int.random(in: changed.indices, using: &generator)] = UInt8.random(
        in: 0...255, using: &generator)
      _ = try? PropertyList.read(changed)
    }
  }

  @Test func `large integers are kept by binary lists`() throws {
    let item: PlistItem = .array([.unsigned(.max), .unsigned(1 << 63), .integer(.max), .integer(.min)])
    #expect(try PropertyList.read(BinaryPlist.bytes(of: item).array()) == item)
  }
}
