@testable import Formats
@testable import System
import Foundation
import Support
import Testing

/// Tests the limits of XML property lists, their dates and their encodings.
@Suite(.noHang) struct XMLPlistFormTests {
  private func read(_ text: String) -> PlistItem? { try? PropertyList.read(Array(text.utf8)) }

  private func value(_ text: String) -> PlistItem? { read("<plist>\(text)</plist>") }

  @Test(arguments: [
    ("<plist>", "</plist>"), ("", ""), ("<?xml version='1.0'?>", ""), ("<!-- < > & -->", "<!-- x -->"),
    ("<?a > ?>", "<?b?>"), ("<!DOCTYPE plist>", ""), ("<!DOCTYPE plist [ ]>", ""),
    ("<!DOCTYPE plist [ <!ELEMENT a (b)> <!ATTLIST c> ]>", ""), ("<!DOCTYPE plist SYSTEM \">\">", ""),
    ("<!DOCTYPE plist SYSTEM '>'>", ""), ("<!DOCTYPE plist SYSTEM '\">'>", ""),
    ("<!DOCTYPE plist [ <!-- > ' \" <!ENTITY --> ]>", ""), ("<!DOCTYPE plist SYSTEM '<!ENTITY'>", ""),
    ("<plist a='>' b=\"'/>\">", "</plist >"), ("\n<plist\tversion=\"1.0\">\r\n", "\n</plist>\n "),
  ]) func `a value is read between other parts`(front: String, end: String) {
    let document = "\(front)<true/>\(end)"
    let bytes = Array(document.utf8)
    #expect((try? XMLPlistReader.read(bytes)) == .bool(true))
  }

  @Test(arguments: [
    ("<!DOCTYPE plist", ""), ("<!DOCTYPE plist [ <!ELEMENT a> ", ""), ("<!DOCTYPE plist '>", ""),
    ("<!DOCTYPE plist [ <!-- ]>", ""), ("<!DOCTYPE plist [<!ENTITY a 'b'>]>", ""), ("<!-- ", ""),
    ("<!--", "-"), ("<?x", ""), ("", "<?x"), ("", "<!-- x"), ("", "<!DOCTYPE x"), ("x", ""), ("", "x"),
    ("<plist>", ""), ("", "</plist>"),
    ("<plist><plist>", "</plist></plist>"), ("<plist/>", "<plist/>"), ("<true/>", ""),
    ("<true/><plist>", "</plist>"),
    ("<array><plist>", "</plist></array>"), ("<plist><array>", "</plist></array>"), ("<plist>", "<"),
    ("<plist", "</plist>"), ("<plist a='>", "</plist>"), ("<plist>", "</plist"), ("</plist>", ""),
  ]) func `other documents are damaged`(front: String, end: String) {
    let bytes = Array("\(front)<true/>\(end)".utf8)
    #expect(throws: PropertyList.Damage.self) { try XMLPlistReader.read(bytes) }
  }

  @Test(
    arguments: [
      ("<integer>0</integer>", .integer(0)), ("<integer>-0</integer>", .integer(0)),
      ("<integer>x1</integer>", nil),
      ("<integer>1f</integer>", nil), ("<integer>0x1f</integer>", .integer(31)),
      ("<integer>0x</integer>", nil),
      ("<integer>-</integer>", nil), ("<integer>+</integer>", nil), ("<integer>0x-1</integer>", nil),
      ("<integer>-0x8000000000000000</integer>", .integer(.min)), ("<integer>00</integer>", .integer(0)),
      ("<integer>-0xFFFFFFFFFFFFFFFF</integer>", nil), ("<integer>-1</integer>", .integer(-1)),
      ("<integer>0x10000000000000000</integer>", nil), ("<integer> \n</integer>", nil),
      ("<real>\t-2.5\n</real>", .real(-2.5)), ("<real>x</real>", nil), ("<real/>", nil),
      ("<string>&#x1F600;&#65;&#x41;</string>", .string("😀AA")), ("<string>&#x;</string>", nil),
      ("<string>&#;</string>", nil), ("<string>&;</string>", nil), ("<string>&x41;</string>", nil),
      ("<string>&65;</string>", nil), ("<string>&#+65;</string>", nil), ("<string>&#x+41;</string>", nil),
      ("<string>&#4g;</string>", nil), ("<string>&amp</string>", nil), ("<string>&AMP;</string>", nil),
      ("<string>&#0;</string>", nil),
      ("<string>&#1;</string>", .string("\u{1}")), ("<string>&#xdfff;</string>", nil),
      ("<string><![CDATA[]]></string>", .string("")), ("<string><![CDATA[a]]b]]></string>", .string("a]]b")),
      ("<string><![CDATA[a]]</string>", nil), ("<string>a</string >", .string("a")),
      ("<string>a<string/>", nil),
      ("<string>a</array>", nil), ("<true>\n</true>", .bool(true)), ("<true>a</true>", nil),
      ("<true></false>", nil), ("</true>", nil), ("</string>", nil), ("<data>A</data>", nil),
      ("<data> AQ I\n=</data>", .data([1, 2])), ("<string a=\"</string>\">b</string>", .string("b")),
      ("<string a='\"'>b</string>", .string("b")), ("<string a='/'/>", .string("")),
      ("<string <>b</string>", nil),
      ("<dict><key>a</key><key>b</key><true/></dict>", nil), ("<dict><true/></dict>", nil),
      ("<dict><real>1</real></dict>", nil), ("<dict><date>2001-01-01Z</date></dict>", nil),
      ("<dict><data/></dict>", nil),
      ("<dict><string/></dict>", nil), ("<dict><integer>1</integer></dict>", nil),
      ("<dict><array/></dict>", nil),
      ("<dict><key>a</key><true/><false/></dict>", nil), ("<dict></array>", nil), ("<array></dict>", nil),
      ("<array><key>a</key></array>", nil), ("<key>a</key>", nil),
      ("<dict><key/><true/></dict>", .dictionary(["": .bool(true)])),
      ("<dict><key>a</key><true/><key>a</key><false/></dict>", .dictionary(["a": .bool(false)])),
      (
        "<dict><key>a</key><dict/><key>b</key><array><array/></array></dict>",
        .dictionary(["a": .dictionary([:]), "b": .array([.array([])])])
      ),
    ] as [(String, PlistItem?)]) func `a value is read or refused`(text: String, item: PlistItem?)
  {
    #expect(value(text) == item)
  }

  @Test(arguments: ["", " ", "+", "0x", "-", "1.5"]) func `a text without digits is not too large`(
    text: String
  ) {
    let damage = #expect(throws: PropertyList.Damage.self) {
      try PropertyList.read(Array("<plist><integer>\(text)</integer></plist>".utf8))
    }
    #expect(damage?.reason.contains("64") == false)
  }

  /// A reference has at most 32 characters.
  @Test(arguments: [(29, true), (30, false)]) func `a reference may have zeros`(zeros: Int, isRead: Bool) {
    let reference = "&#\(String(repeating: "0", count: zeros))65;"
    #expect(value("<string>\(reference)</string>") == (isRead ? .string("A") : nil))
  }

  @Test(arguments: [(256, true), (257, false)]) func `containers are nested up to 256 deep`(
    depth: Int, isRead: Bool
  ) {
    let nested = { (open: String, close: String) in
      String(repeating: open, count: depth) + String(repeating: close, count: depth)
    }
    #expect((value(nested("<array>", "</array>")) != nil) == isRead)
    let dictionaries = nested("<dict><key>k</key>", "</dict>").replacing(
      "<key>k</key></dict>", with: "</dict>")
    #expect((value(dictionaries) != nil) == isRead)
  }

  /// Compares dates with Foundation's calendar.
  @Test func `dates are counted as in the calendar`() {
    var random = SeededRandom(seed: 4)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let twoDigits = { (number: Int) in String(String(number + 100).dropFirst()) }
    for _ in 0..<300 {
      let seconds = Int.random(in: -12_000_000_000...60_000_000_000, using: &random)
      let date = Date(timeIntervalSinceReferenceDate: Double(seconds))
      let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
      let day = [parts.month, parts.day].map { twoDigits($0 ?? 0) }.joined(separator: "-")
      let time = [parts.hour, parts.minute, parts.second].map { twoDigits($0 ?? 0) }.joined(separator: ":")
      let year = String(String((parts.year ?? 0) + 10_000).dropFirst())
      #expect(
        value("<date>\(year)-\(day)T\(time)Z</date>") == .date(Double(seconds)), "\(year)-\(day) \(time)")
    }
  }

  @Test(
    arguments: [
      ("2001-01-01Z", 0), ("2001-01-01T01Z", 3_600), ("2001-01-01T00:01Z", 60), ("2001-01-01T00:00:59Z", 59),
      ("2001-01-01T23:59:59Z", 86_399), ("2001-02-01Z", 31 * 86_400), ("2001-12-31Z", 364 * 86_400),
      ("2000-12-31Z", -86_400), ("2004-02-29Z", (365 * 3 + 59) * 86_400), ("2000-01-01Z", -366 * 86_400),
      ("1900-03-01Z", -36_831 * 86_400), ("2001-04-30Z", 119 * 86_400), ("0001-01-01Z", -63_113_904_000),
      ("1900-02-29Z", nil), ("2001-04-31Z", nil), ("2001-01-32Z", nil), ("2001-00-01Z", nil),
      ("2001-01-00Z", nil),
      ("2001-13-01Z", nil), ("2001-01-01T24Z", nil), ("2001-01-01T00:60Z", nil),
      ("2001-01-01T00:00:60Z", nil),
      ("2001-01-01", nil), ("2001-01Z", nil), ("2001-1-01Z", nil), ("01-01-01Z", nil), ("2001-01-01TZ", nil),
      ("2001-01-01T00:00:00:00Z", nil), ("2001-01-01-01Z", nil), ("2001-01-01T0Z", nil), ("Z", nil),
      ("", nil),
      ("2001-01-01T00T00Z", nil), ("2001-01-+1Z", nil),
    ] as [(String, Double?)]) func `a date has its seconds`(text: String, seconds: Double?)
  {
    #expect(value("<date> \(text)\n</date>") == seconds.map { .date($0) })
  }

  /// Returns the text after a declaration of the encoding; nil if the document is damaged.
  private func decoded(_ bytes: [UInt8], as name: String) -> String? {
    let front = Array("<?xml version='1.0' encoding='\(name)'?>".utf8)
    guard let text = try? XMLText.bytes(of: front + bytes) else { return nil }
    return String(decoding: text.dropFirst(front.count), as: UTF8.self)
  }

  @Test func `a document is decoded as it declares`() throws {
    for name in ["us-ascii", "ASCII"] {
      #expect(decoded([0x7f], as: name) == "\u{7f}" && decoded([0x80], as: name) == nil)
    }
    for name in ["utf-8", "UTF8"] {
      #expect(decoded([0xc3, 0xa9], as: name) == "é" && decoded([0xe9], as: name) == nil)
      #expect(decoded([0x80], as: name) == nil && decoded([0x80, 0x80], as: name) == nil)
    }
    let high = Array(UInt8(0x80)...0xff)
    let latin = String(String.UnicodeScalarView(high.compactMap { UnicodeScalar($0) }))
    for name in ["ISO-8859-1", "latin1", "iso_8859-1"] {
      #expect(decoded(high, as: name) == latin)
    }
    let nine = ["¤": "€", "¦": "Š", "¨": "š", "´": "Ž", "¸": "ž", "¼": "Œ", "½": "œ", "¾": "Ÿ"]
    let latin9 = nine.reduce(latin) { $0.replacing($1.key, with: $1.value) }
    for name in ["ISO-8859-15", "Latin-9"] {
      #expect(decoded(high, as: name) == latin9)
    }
    let windows = try #require(decoded(high, as: "cp1252"))
    #expect(windows.unicodeScalars.dropFirst(32).elementsEqual(latin.unicodeScalars.dropFirst(32)))
    #expect(windows.hasPrefix("€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ"))
    let mac = try #require(decoded([0x41] + high, as: "x-mac-roman"))
    #expect(mac.hasPrefix("AÄÅÇ") && mac.hasSuffix("˛ˇ") && mac.unicodeScalars.count == 129)
    #expect(decoded([], as: "EBCDIC") == nil)
  }

  @Test(arguments: [
    ("<?xml encoding='latin1'?>", true), ("<?xml encoding = \"latin1\" ?>", true),
    ("<?xml encoding\n=\n'latin1'>", true),
    ("<?xml encoding=latin1?>", false), ("<?xml version='1.0'?>", false),
    ("<?xml><!-- encoding='latin1' -->", false),
    ("<x encoding='latin1'>", false), (" \n<?xml encoding='latin1'?>", true),
  ]) func `an encoding is declared in the first tag`(front: String, isLatin: Bool) {
    let bytes = try? XMLText.bytes(of: Array(front.utf8) + [0xe9])
    #expect(bytes?.suffix(2) == (isLatin ? [0xc3, 0xa9] : nil))
  }

  @Test func `UTF-16 needs no byte order mark`() throws {
    let text = "<é😀"
    let big = text.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    let little = text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    for bytes in [
      big, little, [0xfe, 0xff] + big, [0xff, 0xfe] + little, [0xef, 0xbb, 0xbf] + Array(text.utf8),
    ] {
      #expect(try XMLText.bytes(of: bytes) == Array(text.utf8))
      #expect(throws: PropertyList.Damage.self) { try XMLText.bytes(of: bytes.dropLast()) }
    }
    #expect(try XMLText.bytes(of: [0xfe, 0xff]) == [])
  }

  @Test(arguments: [
    ("a\r\nb", "a\nb"), ("\r", "\n"), ("\r\r\n\n", "\n\n\n"), ("\n\ra", "\n\na"), ("\na", "\na"),
    ("\r\n", "\n"),
  ]) func `lines end in newlines`(text: String, expected: String) throws {
    #expect(try XMLText.bytes(of: Array("<\(text)".utf8)) == Array("<\(expected)".utf8))
    // Only after a byte order mark, white space at the start is kept.
    let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    #expect(try XMLText.bytes(of: mark + Array("\(text)<".utf8)) == Array("\(expected)<".utf8))
    #expect(
      try XMLText.bytes(of: Array("\r\n \(text)<".utf8)) == Array("\(expected)<".utf8.drop { $0 <= 0x20 }))
  }
}
