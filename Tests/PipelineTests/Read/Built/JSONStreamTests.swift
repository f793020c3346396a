@testable import Formats
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests the reader of large JSON texts.
///
/// Each text is read with windows of different sizes, because every value can begin in one window and end in
/// another.
@Suite struct JSONStreamTests {
  private static let windowSizes = Array(1...12) + [40, 1 << 18]

  /// The end of a test's reading.
  private enum End: Equatable {
    case read(String)
    case mistake(String)
  }

  /// Reads a value and returns it in a short form, with the places of keys.
  private func value(_ stream: inout JSONStream) throws(JSONStream.Failure) -> String {
    guard let byte = try stream.skipSpace() else { throw stream.mistake("the end") }
    var parts: [String] = []
    switch byte {
    case UInt8(ascii: "{"):
      try stream.pass(byte)
      while try stream.hasNext(closing: UInt8(ascii: "}"), at: parts.isEmpty ? .first : .later) {
        let place = stream.place
        let key = String(decoding: try stream.readKey(), as: UTF8.self)
        let value = try value(&stream)
        parts.append("\(key)@\(place.line):\(place.column)=\(value)")
      }
      return "{\(parts.joined(separator: " "))}"
    case UInt8(ascii: "["):
      try stream.pass(byte)
      while try stream.hasNext(closing: UInt8(ascii: "]"), at: parts.isEmpty ? .first : .later) {
        parts.append(try value(&stream))
      }
      return "[\(parts.joined(separator: " "))]"
    case UInt8(ascii: "\""):
      return String(decoding: try stream.readString("a value"), as: UTF8.self)
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      return String(try stream.readWholeNumber("a number"))
    default:
      try stream.skipWord()
      return "word"
    }
  }

  /// Calls `body` for a text, and returns its result or the place of its mistake.
  private func end(
    of bytes: [UInt8], windowSize: Int, body: (inout JSONStream) throws(JSONStream.Failure) -> String
  ) throws -> End {
    let folder = try TemporaryFolder()
    try folder.write("list.json", Data(bytes))
    var stream = JSONStream(try InputFile(folder.path("list.json")), windowSize: windowSize)
    do throws(JSONStream.Failure) {
      return .read(try body(&stream))
    } catch {
      guard case .mistake(_, let place) = error else { throw error }
      return .mistake("\(place.line):\(place.column)")
    }
  }

  private func ends(
    of text: String, body: (inout JSONStream) throws(JSONStream.Failure) -> String
  ) throws -> Set<String> {
    var ends: Set<String> = []
    for size in Self.windowSizes {
      switch try end(of: Array(text.utf8), windowSize: size, body: body) {
      case .read(let value): ends.insert(value)
      case .mistake(let place): ends.insert("mistake \(place)")
      }
    }
    return ends
  }

  @Test func `values are the same with windows of any size`() throws {
    let text =
      "{\n \"a\\u00e9\\\"\" : [ 1 , 20, 300 ],\r\n\t\"bé\":\"x\\\\y\",  \"c\": {\"d\": null, \"e\": [], "
      + "\"f\": {}, \"g\":-1.5e3, \"h\":true} ,\n\n"
      + "\"i\":[123456789012345678,1234567890123456789,1e3,0,\"\",\"\\n\"]}"
    let expected =
      "{aé\"@2:2=[1 20 300] bé@3:2=x\\y c@3:17={d@3:23=word e@3:34=[] f@3:43={} g@3:52=word "
      + "h@3:64=word} i@5:1=[123456789012345678 1234567890123456789 1000 0  \n]}"
    let found = try ends(of: text) { stream throws(JSONStream.Failure) in
      let value = try value(&stream)
      return try stream.skipSpace() == nil ? value : "more"
    }
    #expect(found == [expected])
  }

  @Test func `the whole text is counted, even if only a part is read`() throws {
    let folder = try TemporaryFolder()
    let bytes = Array("[1, 2]\n and more \"".utf8)
    try folder.write("list.json", Data(bytes))
    for size in Self.windowSizes {
      var stream = JSONStream(try InputFile(folder.path("list.json")), windowSize: size)
      _ = try stream.skipSpace()
      let file = try stream.finish()
      #expect(file == WrittenFile(size: Int64(bytes.count), digest: SHA256.digest(of: bytes)))
    }
  }

  @Test(arguments: [
    ("[1 2]", "1:4"), ("[1,]", "1:4"), ("[1, ]", "1:5"), ("{\"a\" 1}", "1:6"), ("{a: 1}", "1:2"),
    ("{\"a\":}", "1:6"),
    ("{\"a\":1,}", "1:8"), ("[\"a", "1:2"), ("\"a\u{1}b\"", "1:3"), ("\"a\\\u{1}\"", "1:4"),
    ("\"ab\\ud800\"", "1:4"),
    ("[\"a\\", "1:2"), ("[tru]", "1:2"), ("[01]", "1:2"), ("[1.5]", "1:2"), ("[9223372036854775808]", "1:2"),
    ("[1x]", "1:2"), ("\n\n [\n1 \n x y]", "5:2"), ("", "1:1"), ("[", "1:2"), ("[@]", "1:2"),
    ("[\u{1}]", "1:2"),
    ("{\"a\":1 \"b\":2}", "1:8"),
  ])
  func `mistakes have the same place with windows of any size`(_ text: String, _ place: String) throws {
    #expect(
      try ends(of: text) { stream throws(JSONStream.Failure) in try value(&stream) } == ["mistake \(place)"])
  }

  @Test func `strings must be UTF-8`() throws {
    for size in Self.windowSizes {
      for bytes in [[0x22, 0xff, 0x22], [0x22, 0x5c, 0x6e, 0xff, 0x22]] as [[UInt8]] {
        let end = try end(of: [0x20] + bytes, windowSize: size) { stream throws(JSONStream.Failure) in
          try value(&stream)
        }
        #expect(end == .mistake("1:2"))
      }
    }
  }

  /// Each value is the first element of an array, whose second element is then read.
  @Test(arguments: [
    ("{}", "7"), ("[]", "7"), ("[[]]", "7"), ("{\"a\":{}}", "7"), ("[{\"a\":[1,\"]\"]},{}]", "7"),
    ("\"a\\\"]\"", "7"),
    ("-1.5e3", "7"), ("true", "7"), ("{\"a\":[{}], \"b\" : []}", "7"), ("[ [1, 2] , {\"a\": [ ] } ]", "7"),
    ("[}", "mistake 1:3"), ("{]", "mistake 1:3"), ("{\"a\"}", "mistake 1:6"), ("{\"a\":1,}", "mistake 1:9"),
    ("[1,]", "mistake 1:5"), ("[1 2]", "mistake 1:5"), ("tru", "mistake 1:2"), ("@", "mistake 1:2"),
    ("{1:2}", "mistake 1:3"), ("{\"a\":[}", "mistake 1:8"), ("[{\"a\":1]", "mistake 1:9"),
    ("[{},\"a\":1]", "mistake 1:9"), ("01", "mistake 1:2"),
  ])
  func `values can be skipped`(_ text: String, _ expected: String) throws {
    let found = try ends(of: "[\(text), 7]") { stream throws(JSONStream.Failure) in
      try stream.pass(UInt8(ascii: "["))
      try stream.skipValue()
      _ = try stream.hasNext(closing: UInt8(ascii: "]"), at: .later)
      return String(try stream.readWholeNumber("a number"))
    }
    #expect(found == [expected])
  }

  @Test func `values are nested to a limit`() throws {
    for (levels, expected) in [(256, End.read("")), (257, .mistake("1:257"))] {
      let text = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
      let end = try end(of: Array(text.utf8), windowSize: 100) { stream throws(JSONStream.Failure) in
        try stream.skipValue()
        return ""
      }
      #expect(end == expected)
    }
  }

  /// A message quotes the first 40 bytes of a word, or one sign.
  @Test(arguments: [
    ("[1 \(String(repeating: "x", count: 50))]", "\"\(String(repeating: "x", count: 40))\""),
    ("[1 @@]", "\"@\""),
    ("[1 \"a\"]", ""), ("[1 ", ""),
  ])
  func `messages quote what was found`(_ text: String, _ found: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("list.json", text)
    var stream = JSONStream(try InputFile(folder.path("list.json")))
    var message = ""
    do throws(JSONStream.Failure) {
      _ = try value(&stream)
    } catch {
      guard case .mistake(let text, _) = error else { throw error }
      message = text
    }
    #expect(values(in: message) == ("\",\" \"]\" " + found).trimmingCharacters(in: .whitespaces))
  }
}
