@testable import Formats
@testable import System
import Foundation
import Support
import Testing

/// Tests each byte of binary property lists, and lists at the limits of the format.
@Suite(.noHang) struct BinaryPlistFormTests {
  /// A binary list with any objects and sizes.
  private struct List {
    var objects: [[UInt8]]
    var offsetSize = 1
    var referenceSize = 1
    var top = 0
    /// The stated number of objects; nil for the actual number.
    var count: Int?
    /// The stated offset of the table; nil for the actual offset.
    var table: Int?
    /// The stated offsets of objects, by the index of the object.
    var offsets: [Int: Int] = [:]
    var start = "bplist00"

    var bytes: [UInt8] {
      var bytes = Array(start.utf8)
      var places: [Int] = []
      for object in objects {
        places.append(bytes.count)
        bytes += object
      }
      let end = bytes.count
      for (index, place) in places.enumerated() {
        bytes += bigEndian(offsets[index] ?? place, offsetSize)
      }
      bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
      return bytes + bigEndian(count ?? objects.count, 8) + bigEndian(top, 8) + bigEndian(table ?? end, 8)
    }

    private func bigEndian(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).reversed().map { $0 < 8 ? UInt8(truncatingIfNeeded: value >> ($0 * 8)) : 0 }
    }

    func read(maxObjects: Int = 100, maxBytes: Int = 100) -> PlistItem? {
      try? BinaryPlistReader.read(bytes, maxObjects: maxObjects, maxBytes: maxBytes)
    }
  }

  private static let most: [UInt8] = Array(repeating: 0xff, count: 8)
  private static let zeros: [UInt8] = Array(repeating: 0, count: 8)
  private static let smallest: [UInt8] = [0x80, 0, 0, 0, 0, 0, 0, 0]
  private static let largest: [UInt8] = [0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]
  private static let one: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1]
  private static let huge: [UInt8] = [0x40, 0, 0, 0, 0, 0, 0, 0]

  /// Returns bytes after the byte of their type, and perhaps before others.
  private static func bytes(_ types: [UInt8], _ first: [UInt8], _ second: [UInt8] = []) -> [UInt8] {
    types + first + second
  }

  /// Returns an integer of sixteen bytes.
  private static func wide(_ high: [UInt8], _ low: [UInt8]) -> [UInt8] { bytes([0x14], high, low) }

  @Test(
    arguments: [
      ([8], .bool(false)), ([9], .bool(true)), ([0x10, 5], .integer(5)), ([0x10, 255], .integer(255)),
      ([0x11, 1, 2], .integer(258)), ([0x12, 1, 2, 3, 4], .integer(0x0102_0304)),
      ([0x12, 255, 255, 255, 255], .integer(0xffff_ffff)),
      ([0x13, 0, 0, 0, 0, 0, 0, 1, 2], .integer(258)), (bytes([0x13], most), .integer(-1)),
      (bytes([0x13], smallest), .integer(.min)), (wide(zeros, one), .integer(1)),
      (wide(zeros, most), .unsigned(.max)), (wide(zeros, smallest), .unsigned(1 << 63)),
      (wide(zeros, largest), .integer(.max)), (wide(most, most), .integer(-1)),
      (wide(most, smallest), .integer(.min)), (wide(most, largest), nil), (wide(one, zeros), nil),
      ([0x22, 0x3f, 0xc0, 0, 0], .real(1.5)), ([0x23, 0x3f, 0xf8, 0, 0, 0, 0, 0, 0], .real(1.5)),
      ([0x33, 0xc0, 0, 0, 0, 0, 0, 0, 0], .date(-2)), ([0x40], .data([])), ([0x42, 7, 8], .data([7, 8])),
      ([0x4f, 0x10, 3, 1, 2, 3], .data([1, 2, 3])), ([0x4f, 0x11, 0, 2, 1, 2], .data([1, 2])),
      ([0x4f, 0x13, 0, 0, 0, 0, 0, 0, 0, 1, 9], .data([9])), ([0x52, 0x61, 0x62], .string("ab")),
      ([0x5f, 0x10, 2, 0x61, 0x62], .string("ab")), ([0x62, 0, 0xe9, 0x65, 0xe5], .string("é日")),
      ([0x6f, 0x10, 2, 0xd8, 0x3d, 0xde, 0], .string("😀")), ([0xa0], .array([])), ([0xc0], .array([])),
      ([0xd0], .dictionary([:])), ([0x70], nil), ([0x80, 0], nil), ([0x15], nil), ([0x00], nil),
      ([0x21], nil),
      (bytes([0x4f, 0x13], most), nil), (bytes([0x6f, 0x13], most), nil), (bytes([0x6f, 0x13], huge), nil),
      (bytes([0xaf, 0x13], most), nil), (bytes([0xdf, 0x13], most), nil), (bytes([0xdf, 0x13], huge), nil),
      ([0x7f, 0x10, 1, 0x61], nil),
    ] as [([UInt8], PlistItem?)])
  func `an object has its value`(object: [UInt8], item: PlistItem?) {
    #expect(List(objects: [object]).read() == item)
  }

  @Test func `objects refer to one another`() {
    let text: (String) -> [UInt8] = { [0x50 | UInt8($0.utf8.count)] + Array($0.utf8) }
    var list = List(objects: [[0xa3, 1, 2, 1], text("a"), [0xd2, 1, 3, 4, 0x05], text("b"), [9], [8]])
    let members: PlistItem = .dictionary(["a": .bool(true), "b": .bool(false)])
    #expect(list.read() == .array([.string("a"), members, .string("a")]))
    list.top = 2
    #expect(list.read() == members)
    list.top = 5
    #expect(list.read() == .bool(false))
    list.top = 6
    #expect(list.read() == nil)
    // A key must be a string.
    #expect(List(objects: [[0xd1, 1, 1], [9]]).read() == nil)
    #expect(List(objects: [[0xd1, 1, 2], text("k")]).read() == nil)
    #expect(List(objects: [[0xc1, 1], [9]]).read() == .array([.bool(true)]))
    let wide = List(
      objects: [[0xa2, 0, 1, 0, 2], [0x10, 1], [0xd1, 0, 3, 0, 1], text("k")], offsetSize: 2, referenceSize: 2
    )
    #expect(wide.read() == .array([.integer(1), .dictionary(["k": .integer(1)])]))
    for size in [3, 4, 7, 8] {
      let reference = { (number: UInt8) in Array(repeating: 0, count: size - 1) + [number] }
      let list = List(objects: [[0xa1] + reference(1), [0x10, 4]], offsetSize: size, referenceSize: size)
      #expect(list.read() == .array([.integer(4)]), "\(size)")
    }
  }

  @Test func `a table must be inside the file`() {
    let plain = List(objects: [[9], [8]])
    #expect(plain.read() == .bool(true))
    for (offset, isRead) in [(7, false), (8, true), (9, true), (10, false), (11, false), (0, false)] {
      var list = plain
      list.offsets[0] = offset
      #expect((list.read() != nil) == isRead, "offset \(offset)")
    }
    // The table is from 10 to 11, before the last 32 bytes.
    for (count, isRead) in [(0, false), (1, true), (2, true), (3, false), (Int.max, false), (-1, false)] {
      var list = plain
      list.count = count
      #expect((list.read() != nil) == isRead, "count \(count)")
    }
    // A table from 9 on has the second object as its first number, which is the offset of the first object.
    for (table, isRead) in [
      (7, false), (8, false), (9, true), (10, true), (11, false), (12, false), (-1, false),
    ] {
      var list = plain
      list.table = table
      #expect((list.read() == .bool(true)) == isRead, "table \(table)")
    }
    for (size, isRead) in [(0, false), (1, true), (8, true), (9, false)] {
      #expect((List(objects: [[9]], offsetSize: size).read() != nil) == isRead, "size \(size)")
      #expect((List(objects: [[9]], referenceSize: size).read() != nil) == isRead, "size \(size)")
    }
    var other = plain
    other.start = "bplist01"
    #expect(other.read() == nil)
    // The table begins right after the start, and the object is in it.
    var least = List(objects: [[]])
    least.offsets[0] = 9
    #expect(least.read() == nil)
  }

  @Test(arguments: [(64, true), (65, false)]) func `objects are nested up to 64 deep`(
    depth: Int, isRead: Bool
  ) {
    let arrays = (0..<depth).map { [0xa1, UInt8($0 + 1)] } + [[9]]
    #expect((List(objects: arrays).read() != nil) == isRead)
    let key: [UInt8] = [0x51, 0x6b]
    let values = (0..<depth).map { [0xd1, UInt8(depth + 1), UInt8($0 + 1)] } + [[9], key]
    #expect((List(objects: values).read(maxObjects: 200) != nil) == isRead)
  }

  @Test func `the numbers of objects and bytes are limited`() {
    let list = List(objects: [[0xa3, 1, 1, 2], [0x42, 1, 2], [0x61, 0, 0x61]])
    #expect(list.read(maxObjects: 4, maxBytes: 6) != nil)
    #expect(list.read(maxObjects: 3, maxBytes: 6) == nil)
    #expect(list.read(maxObjects: 4, maxBytes: 5) == nil)
    let text = List(objects: [[0x53, 0x61, 0x62, 0x63]])
    #expect(text.read(maxObjects: 1, maxBytes: 3) == .string("abc") && text.read(maxBytes: 2) == nil)
  }

  /// The objects of a list, without the start, the table and the end.
  private struct Objects {
    let bytes: [UInt8]
    let count: Int
    let referenceSize: Int
  }

  /// Returns the objects of a list that packtool writes.
  private func objects(_ item: PlistItem) -> Objects {
    let bytes = BinaryPlist.bytes(of: item).array()
    let end = bytes.suffix(32)
    let number = { (range: Range<Int>) in
      end.dropFirst(range.lowerBound).prefix(range.count).reduce(0) { $0 << 8 | Int($1) }
    }
    #expect(bytes.starts(with: "bplist00".utf8) && end.prefix(6).allSatisfy { $0 == 0 })
    #expect(number(16..<24) == 0)
    let (count, table) = (number(8..<16), number(24..<32))
    #expect(bytes.count == table + count * number(6..<7) + 32)
    return Objects(bytes: Array(bytes[8..<table]), count: count, referenceSize: number(7..<8))
  }

  @Test(
    arguments: [
      (.bool(true), [9]), (.bool(false), [8]), (.integer(0), [0x10, 0]), (.integer(1), [0x10, 1]),
      (.integer(255), [0x10, 255]), (.integer(256), [0x11, 1, 0]), (.integer(65_535), [0x11, 255, 255]),
      (.integer(65_536), [0x12, 0, 1, 0, 0]), (.integer(0xffff_ffff), [0x12, 255, 255, 255, 255]),
      (.integer(0x1_0000_0000), [0x13, 0, 0, 0, 1, 0, 0, 0, 0]), (.integer(-1), bytes([0x13], most)),
      (.unsigned(1 << 63), wide(zeros, smallest)),
      (.real(1.5), [0x23, 0x3f, 0xf8, 0, 0, 0, 0, 0, 0]), (.date(-2), [0x33, 0xc0, 0, 0, 0, 0, 0, 0, 0]),
      (.data([]), [0x40]), (.data([7, 8]), [0x42, 7, 8]), (.string(""), [0x50]),
      (.string("ab"), [0x52, 0x61, 0x62]),
      (.string("é"), [0x61, 0, 0xe9]), (.string("😀"), [0x62, 0xd8, 0x3d, 0xde, 0]),
      (.string("\u{7f}"), [0x51, 0x7f]), (.string("\u{80}"), [0x61, 0, 0x80]),
      (.array([]), [0xa0]), (.dictionary([:]), [0xd0]),
      (.array([.bool(true), .bool(true)]), [0xa2, 1, 1, 9]),
      (
        .dictionary(["b": .bool(true), "a": .integer(1)]),
        [0xd2, 1, 2, 3, 4, 0x51, 0x61, 0x51, 0x62, 0x10, 1, 9]
      ),
      (.array([.data([1]), .data([1])]), [0xa2, 1, 2, 0x41, 1, 0x41, 1]),
      (
        .array([.real(1), .string("a"), .string("a")]),
        [0xa3, 1, 2, 2, 0x23, 0x3f, 0xf0, 0, 0, 0, 0, 0, 0, 0x51, 0x61]
      ),
    ] as [(PlistItem, [UInt8])])
  func `a value has its bytes`(item: PlistItem, bytes: [UInt8]) {
    #expect(objects(item).bytes == bytes)
  }

  @Test(arguments: [
    (14, [0x4e]), (15, [0x4f, 0x10, 15]), (16, [0x4f, 0x10, 16]), (256, [0x4f, 0x11, 1, 0]),
  ])
  func `a count of 15 and more follows its object`(count: Int, front: [UInt8]) {
    let ones = [UInt8](repeating: 1, count: count)
    #expect(objects(.data(ones)).bytes == front + ones)
  }

  @Test func `references are as large as the number of objects needs`() {
    for (count, size) in [(254, 1), (255, 2), (256, 2)] {
      let found = objects(.array((0..<count).map { .integer(Int64($0)) }))
      #expect(found.count == count + 1 && found.referenceSize == size, "\(count)")
    }
  }

  @Test func `leading keys come first`() {
    let item: PlistItem = .dictionary([
      "a": .bool(true), "b": .bool(true), "c": .bool(true), "d": .bool(true),
    ])
    let bytes = BinaryPlist.bytes(of: item, leadingKeys: ["d", "b", "d"]).array()
    #expect(
      String(decoding: bytes.filter { (0x61...0x64).contains($0) }.prefix(6), as: UTF8.self).hasSuffix("dbac")
    )
  }

  /// Equal keys share an object only if Apple's runtime stores them in the pointer.
  @Test(arguments: [
    ("k", true), ("ABCDEFG", true), ("~~~~~~~", true), ("~~~~~~~~", false), ("ABCDEFGH", true),
    ("ABCDEFGHI", true), ("ABCDEFGHIJ", false), ("eilotrmapd", true), ("eilotrmapdn", true),
    ("eilotrmapdns", false), ("éilotrm", false), ("é", false), ("ejlotrmapdn", true), ("eilotrmap3", true),
    ("eilotrmapb", false), ("jjjjjjjjjj", true), ("XXXXXXXXX", true), ("XXXXXXXX!", false),
  ]) func `equal short keys are one object`(key: String, isShared: Bool) {
    let item: PlistItem = .array([.dictionary([key: .bool(true)]), .dictionary([key: .bool(true)])])
    #expect(objects(item).count == (isShared ? 5 : 6))
  }

  @Test func `a long value is shared with the first equal key`() {
    let long = String(repeating: "x", count: 20)
    let item: PlistItem = .array([
      .dictionary([long: .string(long)]), .string(long), .dictionary([long: .string(long)]),
    ])
    // The array, two dictionaries, the first key with all values, and the second key.
    #expect(objects(item).count == 5)
    #expect(objects(.array([.string(long), .string(long)])).count == 2)
    #expect(objects(.array([.string("\u{e9}"), .string("e\u{301}")])).count == 3)
    #expect(objects(.array([.integer(5), .integer(5), .bool(true), .bool(true)])).count == 3)
  }
}
