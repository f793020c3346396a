import Foundation
import Support
import Testing

@testable import OnDemand

/// Tests the binary format of a store's own files, and the lists of stored packs.
@Suite struct StoredFormatTests {
  private static let format = "test 1"

  /// Returns the bytes of a file with the given contents.
  private func bytes(_ write: (inout ByteWriter) -> Void) -> Data {
    var writer = ByteWriter(Self.format)
    write(&writer)
    return writer.data
  }

  private func reader(_ data: Data) throws -> ByteReader {
    try ByteReader(data, format: Self.format)
  }

  @Test func `numbers are written with their lowest byte first`() throws {
    let header: [UInt8] = [6, 0, 0, 0, 0, 0, 0, 0] + Array("test 1".utf8)
    #expect(Array(bytes { _ in }) == header)
    #expect(Array(bytes { $0.add(Int64(0x0102)) }) == header + [2, 1, 0, 0, 0, 0, 0, 0])
    #expect(
      Array(bytes { $0.add(Int64(-2)) }) == header + [0xfe] + Array(repeating: 0xff, count: 7))
    #expect(Array(bytes { $0.add(1.0) }) == header + [0, 0, 0, 0, 0, 0, 0xf0, 0x3f])
    #expect(Array(bytes { $0.add("é") }) == header + [2, 0, 0, 0, 0, 0, 0, 0, 0xc3, 0xa9])
    let (zero, one) = (Array(repeating: UInt8(0), count: 8), [1] + Array(repeating: UInt8(0), count: 7))
    #expect(Array(bytes { $0.add(optional: Int64?.none) }) == header + zero)
    #expect(Array(bytes { $0.add(optional: String?.none) }) == header + zero)
    #expect(Array(bytes { $0.add(optional: Int64(1)) }) == header + one + one)
    #expect(Array(bytes { $0.add(optional: "a") }) == header + one + one + Array("a".utf8))
    #expect(Array(bytes { $0.add([Int64(1)]) { $0.add($1) } }) == header + one + one)
  }

  @Test func `what is written is read`() throws {
    let numbers: [Int64] = [0, 1, -1, .max, .min, 0x0102_0304_0506_0708]
    var reader = try reader(
      bytes {
        for number in numbers { $0.add(number) }
        $0.add(0.1)
        $0.add(-Double.infinity)
        $0.add("")
        $0.add("a\0é")
        $0.add(optional: String?.none)
        $0.add(optional: "")
        $0.add(optional: "x")
        $0.add(optional: Int64?.none)
        $0.add(optional: Int64(0))
        $0.add(optional: Int64(-7))
        $0.add([String]()) { $0.add($1) }
        $0.add(["p", "", "q"]) { $0.add($1) }
        $0.add([Int64(3)]) { $0.add($1) }
      })
    for number in numbers { #expect(try reader.number() == number) }
    #expect(try reader.real() == 0.1)
    #expect(try reader.real() == -.infinity)
    #expect(try reader.text() == "")
    #expect(try reader.text() == "a\0é")
    #expect(try reader.optionalText() == nil)
    #expect(try reader.optionalText() == "")
    #expect(try reader.optionalText() == "x")
    #expect(try reader.optionalNumber() == nil)
    #expect(try reader.optionalNumber() == 0)
    #expect(try reader.optionalNumber() == -7)
    #expect(try reader.list { try $0.text() } == [])
    #expect(try reader.list { try $0.text() } == ["p", "", "q"])
    #expect(!reader.isAtEnd)
    #expect(try reader.list { try $0.number() } == [3])
    #expect(reader.isAtEnd)
    #expect(throws: ByteReader.WrongFormat.self) { try reader.number() }
  }

  @Test func `files of other formats are refused`() throws {
    for format in ["test 2", "test 10", "test ", ""] {
      #expect(throws: ByteReader.WrongFormat.self) {
        try ByteReader(ByteWriter(format).data, format: Self.format)
      }
    }
    #expect(throws: ByteReader.WrongFormat.self) { try reader(Data()) }
    let whole = bytes { $0.add(Int64(1)) }
    for count in 0..<14 {
      #expect(throws: ByteReader.WrongFormat.self) { try reader(whole.prefix(count)) }
    }
    for count in 14..<22 {
      var short = try reader(whole.prefix(count))
      #expect(throws: ByteReader.WrongFormat.self) { try short.number() }
    }
  }

  /// A number of elements or bytes can be at most what the file still contains.
  @Test func `counts are limited by the file`() throws {
    for (count, isRight) in [
      (Int64(-1), false), (0, true), (2, true), (3, false), (.max, false), (.min, false),
    ] {
      let data = bytes {
        $0.add(count)
        $0.add(Int64(5))
        $0.add(Int64(6))
      }
      var list = try reader(data)
      let elements = try? list.list { try $0.number() }
      #expect(elements == (isRight ? [5, 6].prefix(Int(count)).map(Int64.init) : nil), "\(count)")
    }
    for (count, isRight) in [
      (Int64(-1), false), (0, true), (8, true), (9, false), (.max, false), (.min, false),
    ] {
      let data = bytes {
        $0.add(count)
        $0.add(Int64(0x61))
      }
      var reader = try reader(data)
      let text = try? reader.text()
      #expect(text?.utf8.count == (isRight ? Int(count) : nil), "\(count)")
    }
  }

  /// All values of a text count as values of the index, even within strings.
  @Test func `a text of JSON has a limited number of values`() throws {
    func text(_ mark: String, _ count: Int) -> Data {
      Data("[\"\(String(repeating: mark, count: count - 1))\"]".utf8)
    }
    for mark in [",", "[", "{"] {
      #expect(throws: OnDemandError.self) {
        try Catalog.decoded([String].self, data: text(mark, 400_001))
      }
    }
    for (mark, count) in [(",", 400_000), ("a", 400_001)] {
      let read = try Catalog.decoded([String].self, data: text(mark, count))
      #expect(read.map(\.utf8.count) == [count - 1])
    }
    #expect(throws: OnDemandError.self) {
      try Catalog.decoded([String].self, data: Data("[1]".utf8))
    }
  }

  @Test func `a list of files has a line for each file`() {
    let list = PackList(Data("aa 5 x/y z\nbb 0 \u{301}a\nno\ncc x y\ndd 1\n\nee -1 e".utf8))
    #expect(
      list.files.map(\.digest) == ["aa", "bb", "ee"] && list.files.map(\.size) == [5, 0, -1])
    #expect(list.files.map(\.path) == ["x/y z", "\u{301}a", "e"])
  }

  @Test func `a digest does not depend on the pieces`() {
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    #expect(SHA256Digest.hex(of: Data()) == empty && SHA256Digest.hex(of: Array("abc".utf8)) == abc)
    var digest = SHA256Digest()
    #expect(digest.hex() == empty)
    digest.update(Data("a".utf8))
    digest.update(Data())
    digest.update(Data("bc".utf8))
    #expect(digest.hex() == abc && digest.hex() == abc)
  }

  @Test func `progress never goes back`() {
    let first = ResourceProgress(bytes: 5, total: 10)
    #expect(first.bytes == 5 && first.total == 10 && first.fraction == 0.5)
    let second = ResourceProgress(bytes: 3, total: 20, after: first)
    #expect(second.bytes == 5 && second.total == 20 && second.fraction == 0.5)
    let third = ResourceProgress(bytes: 15, total: 20, after: second)
    #expect(third.bytes == 15 && third.fraction == 0.75)
    let none = ResourceProgress(bytes: 0, total: 0, after: third)
    #expect(none.bytes == 15 && none.total == 15 && none.fraction == 1)
    let negative = ResourceProgress(bytes: -1, total: 4)
    #expect(negative.bytes == 0 && negative.total == 4 && negative.fraction == 0)
  }
}

/// Tests in how many pieces a body can arrive.
@Suite struct PieceCounterTests {
  @Test func `small pieces are limited, and the limit grows with their bytes`() throws {
    var empty = PieceCounter()
    for _ in 0..<20_000 { try empty.add(0) }
    #expect(throws: OnDemandError.self) { try empty.add(0) }
    var small = PieceCounter()
    for _ in 0..<20_317 { try small.add(1) }
    #expect(throws: OnDemandError.self) { try small.add(1) }
    var large = PieceCounter()
    for _ in 0..<30_000 { try large.add(64) }
  }
}
