@testable import Formats
import Foundation
import Support
import Testing

/// Compares how packtool and Python's plistlib read XML property lists in every notation.
@Suite(.noHang) struct PlistReaderTests {
  /// A property list that is being generated, with values in random notations.
  private struct Writer {
    var random: SeededRandom
    private static let characters = ["a", " ", "\n", "\r\n", "\r", "\t", "ü", "]", "é", "0", "日", "😀"]

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements.randomElement(using: &random)! }

    mutating func remark() -> String { pick(["", "", "", "<!-- <a> & -->", "<?x y?>", "<!---->"]) }

    mutating func space() -> String { pick(["", "", "\n", " \t", "\r\n"]) + remark() + pick(["", "\n"]) }

    /// Returns a text that consists of plain text, references and CDATA, with comments between them.
    mutating func text() -> String {
      var text = ""
      for _ in 0..<Int.random(in: 0...6, using: &random) {
        switch Int.random(in: 0...5, using: &random) {
        case 0:
          text += pick([
            "&amp;", "&lt;", "&gt;", "&quot;", "&apos;", "&#65;", "&#x1F600;", "&#13;", "&#0010;",
          ])
        case 1: text += "<![CDATA[\(pick(["", "a<b", "&amp;", "]]", "<!-- -->"]))]]>"
        case 2: text += remark()
        default: text += pick(Self.characters)
        }
      }
      return text
    }

    mutating func element(_ name: String, _ text: String) -> String {
      text.isEmpty && Bool.random(using: &random)
        ? "<\(name)\(pick(["", " "]))/>"
        : "<\(name)\(pick(["", " ", " a='>'"]))>\(text)</\(name)\(pick(["", " ", "\n"]))>"
    }

    mutating func integer() -> String {
      let value = pick([
        "0", "7", "-1", "+5", "0x1F", "0XfF", "0xffffffffffffffff", "18446744073709551615",
        "9223372036854775807",
        "9223372036854775808", "-9223372036854775808", "007",
      ])
      return value.contains("x") || value.contains("X")
        ? value : pick(["", " ", "\n"]) + value + pick(["", " "])
    }

    mutating func value(depth: Int) -> String {
      switch Int.random(in: depth > 4 ? 2...7 : 0...7, using: &random) {
      case 0:
        let parts = (0..<Int.random(in: 0...4, using: &random)).map { number in
          space() + element("key", "\(number)" + text()) + space() + value(depth: depth + 1)
        }
        return parts.isEmpty ? element("dict", "") : element("dict", parts.joined() + space())
      case 1:
        let parts = (0..<Int.random(in: 0...4, using: &random)).map { _ in space() + value(depth: depth + 1) }
        return parts.isEmpty ? element("array", "") : element("array", parts.joined() + space())
      case 2: return element(pick(["true", "false"]), "")
      case 3: return element("integer", integer())
      case 4: return element("real", pick(["0", "1.5", "-2e10", " 0.1 ", "inf", "nan"]))
      case 5:
        return element(
          "date", pick(["2001-01-01T00:00:00Z", "1970-02-28T23:59:59Z", "2400-02-29T12:00:00Z"]))
      case 6: return element("data", pick(["", "SGVsbG8=", " SGVs\n\tbG8h ", "AA=="]))
      default: return element("string", text())
      }
    }

    /// Returns a whole document in one of the encodings.
    mutating func document() -> Data {
      let encoding: (name: String, encoding: String.Encoding, mark: [UInt8]) = pick([
        ("UTF-8", .utf8, []), ("UTF-8", .utf8, [0xef, 0xbb, 0xbf]), ("ISO-8859-1", .isoLatin1, []),
        ("UTF-16", .utf16LittleEndian, [0xff, 0xfe]), ("UTF-16", .utf16BigEndian, [0xfe, 0xff]),
        ("windows-1252", .windowsCP1252, []),
      ])
      let type = pick(["", "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://x/a.dtd\">\n"])
      let value = value(depth: 0)
      let text =
        "<?xml version=\"1.0\" encoding=\"\(encoding.name)\"?>\n\(type)<plist version=\"1.0\">\(value)</plist>\n"
      guard let bytes = text.data(using: encoding.encoding) else {
        return Data(text.replacing(encoding.name, with: "UTF-8").utf8)
      }
      return Data(encoding.mark) + bytes
    }
  }

  /// Returns a value as a string, in a notation that the script for plistlib also uses.
  private func notation(of item: PlistItem) -> String {
    func hex(_ bytes: some Sequence<UInt8>) -> String { bytes.map { String(format: "%02x", $0) }.joined() }
    switch item {
    case .bool(let value): return value ? "T" : "F"
    case .integer(let value): return "i\(value)"
    case .unsigned(let value): return "i\(value)"
    case .real(let value): return value.isNaN ? "rnan" : "r" + String(value.bitPattern, radix: 16)
    case .date(let value): return "d\(Int(value))"
    case .string(let text): return "s" + hex(text.utf8)
    case .data(let bytes): return "b" + hex(bytes)
    case .array(let elements): return "[" + elements.map(notation).joined(separator: ",") + "]"
    case .dictionary(let members):
      let parts = members.map { "s\(hex($0.key.utf8)):\(notation(of: $0.value))" }.sorted()
      return "{" + parts.joined(separator: ",") + "}"
    }
  }

  @Test func `two thousand lists are read as plistlib reads them`() throws {
    let folder = try TemporaryFolder()
    var lists: [Data] = []
    for seed in 0..<2_000 {
      var writer = Writer(seed: UInt64(seed))
      lists.append(writer.document())
      try folder.write("\(seed).plist", lists[seed])
    }
    let output = try folder.python(
      """
      import datetime, plistlib, struct
      def text(v):
        if isinstance(v, bool): return "T" if v else "F"
        if isinstance(v, int): return "i%d" % v
        if isinstance(v, float): return "rnan" if v != v else "r%x" % struct.unpack("<Q", struct.pack("<d", v))[0]
        if isinstance(v, datetime.datetime): return "d%d" % ((v - datetime.datetime(2001, 1, 1)).total_seconds())
        if isinstance(v, bytes): return "b" + v.hex()
        if isinstance(v, str): return "s" + v.encode().hex()
        if isinstance(v, list): return "[" + ",".join(map(text, v)) + "]"
        return "{" + ",".join(sorted(text(k) + ":" + text(x) for k, x in v.items())) + "}"
      for number in range(2000):
        print(text(plistlib.load(open("%d.plist" % number, "rb"))))
      """)
    let expected = output.split(separator: "\n").map(String.init)
    try #require(expected.count == lists.count)
    for (seed, (list, text)) in zip(lists, expected).enumerated() {
      let item = Result { try PropertyList.read(Array(list)) }
      #expect(try notation(of: item.get()) == text, "seed \(seed)")
    }
  }
}
