@testable import Formats
import System
import Testing

/// Tests where writing stops if the text becomes too long.
@Suite struct JSONLimitTests {
  private static let list = JSONText.array((0..<9).map { .integer(Int64($0)) })

  private func written(_ value: JSONText, indentation: Int?, atMost limit: Int) -> String {
    var buffer = ByteBuffer()
    value.append(to: &buffer, indentation: indentation, atMost: limit)
    return String(decoding: buffer.array(), as: UTF8.self)
  }

  @Test func `no element begins after the limit`() {
    #expect(written(Self.list, indentation: 0, atMost: 9) == "[\n  0,\n  1")
    #expect(written(Self.list, indentation: 0, atMost: 10) == "[\n  0,\n  1,\n  2")
    #expect(written(Self.list, indentation: nil, atMost: 4) == "[0, 1")
    #expect(written(Self.list, indentation: nil, atMost: 5) == "[0, 1, 2")
    #expect(written(Self.list, indentation: nil, atMost: 27) == "[0, 1, 2, 3, 4, 5, 6, 7, 8]")
  }

  @Test func `each kind of value has the limit`() throws {
    let members: [(String, JSONText)] = [("a", Self.list), ("b", .null)]
    let object = JSONText.object(Dictionary(uniqueKeysWithValues: members))
    for value in [JSONText.ordered(members), object] {
      #expect(written(value, indentation: nil, atMost: 3) == "{\"a\": [")
      #expect(written(value, indentation: 1, atMost: 3) == "{\n    \"a\": [")
    }
    for (text, expected) in [("[[1, 2], 3]", "[["), ("{\"a\": {\"b\": 1}, \"c\": 2}", "{\"a\": {")] {
      let read = JSONReader.read(SourceText(path: "a.json", bytes: Array(text.utf8)))
      let value = try #require(read.value)
      #expect(written(.read(value), indentation: nil, atMost: 1) == expected)
      #expect(written(.read(value), indentation: nil, atMost: 100) == text)
      #expect(written(.array([.read(value)]), indentation: nil, atMost: 0) == "[")
    }
  }
}
