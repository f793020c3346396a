@testable import Formats
@testable import System
import Foundation
import Support
import Testing

/// Tests binary property lists of other programs, and lists that only a hostile program would write.
@Suite(.noHang) struct BinaryPlistReaderTests {
  private static let item: PlistItem = .dictionary([
    "a": .array([
      .bool(true), .bool(false), .integer(-1), .integer(300), .integer(.max), .real(0.5), .date(7),
    ]),
    "é日": .string("ASCII"), "b": .string("日本é"), "c": .data([1, 2, 3]), "d": .dictionary([:]),
    "e": .array((0..<20).map { .integer($0) }),
  ])

  @Test func `what is written is read`() throws {
    let bytes = BinaryPlist.bytes(of: Self.item).array()
    #expect(try BinaryPlistReader.read(bytes) == Self.item)
  }

  @Test func `what Foundation writes is read`() throws {
    let object: [String: Any] = ["x": ["y": [1, 2.5, true, "z"]], "Größe": "ü", "n": -70000]
    let data = try PropertyListSerialization.data(fromPropertyList: object, format: .binary, options: 0)
    let expected: PlistItem = .dictionary([
      "x": .dictionary(["y": .array([.integer(1), .real(2.5), .bool(true), .string("z")])]),
      "Größe": .string("ü"), "n": .integer(-70000),
    ])
    #expect(try BinaryPlistReader.read(Array(data)) == expected)
  }

  @Test func `Foundation reads what is written`() throws {
    let bytes = BinaryPlist.bytes(of: Self.item).array()
    let object = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil) as? [String: Any]
    #expect(object?["b"] as? String == "日本é" && (object?["e"] as? [Int])?.count == 20)
  }

  /// The smallest list has a beginning of 8 bytes, an object and its offset of one byte each, and an end of 32 bytes.
  @Test func `the smallest list is read, and a smaller one is refused`() throws {
    func list(_ object: [UInt8]) -> [UInt8] {
      let counts: [UInt64] = [1, 0, 8 + UInt64(object.count)]
      return Array("bplist00".utf8) + object + [UInt8(8)] + [0, 0, 0, 0, 0, 0, 1, 1]
        + counts.flatMap { withUnsafeBytes(of: $0.bigEndian, Array.init) }
    }
    #expect(try BinaryPlistReader.read(list([9])) == .bool(true))
    #expect(throws: BinaryPlistReader.Damage.self) { try BinaryPlistReader.read(list([])) }
  }

  @Test func `every beginning and any byte changed ends in a value or a reason`() {
    let bytes = BinaryPlist.bytes(of: Self.item).array()
    for count in 0..<bytes.count {
      #expect(throws: BinaryPlistReader.Damage.self) { try BinaryPlistReader.read(Array(bytes[..<count])) }
    }
    var generator = SeededRandom(seed: 3)
    for _ in 0..<20_000 {
      var changed = bytes
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        changed[Int.random(in: changed.indices, using: &generator)] = UInt8.random(
          in: 0...255, using: &generator)
      }
      _ = try? BinaryPlistReader.read(changed)
    }
  }

  @Test func `objects that hold themselves, or one another many times, come to an end`() {
    // An array that contains itself.
    let own: [UInt8] = Array("bplist00".utf8) + [0xa1, 0] + [8] + [0, 0, 0, 0, 0, 0, 1, 1]
    let trailer = { (count: UInt8, table: UInt8) in
      [0, 0, 0, 0, 0, 0, 0, count] + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, table] as [UInt8]
    }
    #expect(throws: BinaryPlistReader.Damage.self) { try BinaryPlistReader.read(own + trailer(1, 10)) }
    // There are forty arrays, and each array contains the next array four times. Reading all of them would
    // produce 4^40 objects.
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for number in 0..<40 {
      offsets.append(UInt8(bytes.count))
      bytes += [0xa4] + Array(repeating: UInt8(min(number + 1, 39)), count: 4)
    }
    let table = UInt8(bytes.count)
    bytes += offsets + [0, 0, 0, 0, 0, 0, 1, 1] + trailer(40, table)
    #expect(throws: BinaryPlistReader.Damage.self) { try BinaryPlistReader.read(bytes) }
  }

  @Test func `data that many objects refer to is not copied without end`() {
    // An array contains a second array 250 times. The second array contains data of a million bytes 250
    // times.
    let size = 1_000_000
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    for next in [UInt8(1), 2] {
      offsets.append(bytes.count)
      bytes += [0xaf, 0x10, 250] + Array(repeating: next, count: 250)
    }
    offsets.append(bytes.count)
    bytes += [0x4f, 0x12] + bigEndian(size, 4) + Array(repeating: 7, count: size)
    let table = bytes.count
    for offset in offsets { bytes += bigEndian(offset, 4) }
    bytes += [0, 0, 0, 0, 0, 0, 4, 1] + bigEndian(3, 8) + bigEndian(0, 8) + bigEndian(table, 8)
    #expect(throws: BinaryPlistReader.Damage.self) { try BinaryPlistReader.read(bytes) }
  }

  /// Data can overlap the table and the trailer and reach to the last byte of the file, but it cannot go
  /// beyond that.
  @Test func `an object ends where the file ends`() throws {
    func list(dataSize: UInt8) -> [UInt8] {
      Array("bplist00".utf8) + [0x4f, 0x10, dataSize] + [8] + [0, 0, 0, 0, 0, 0, 1, 1] + bigEndian(1, 8)
        + bigEndian(0, 8) + bigEndian(11, 8)
    }
    #expect(try BinaryPlistReader.read(list(dataSize: 33)) == .data(Array(list(dataSize: 33)[11...])))
    #expect(throws: BinaryPlistReader.Damage.self) { try BinaryPlistReader.read(list(dataSize: 34)) }
  }

  /// The references of the array are the table of offsets and the trailer, each of whose bytes is the number of
  /// an object.
  @Test func `references end where the file ends`() throws {
    func list(count: UInt8) -> [UInt8] {
      var bytes = Array("bplist00".utf8) + [0x09, 0xaf, 0x11, 0x01, count]
      bytes += Array(repeating: 8, count: 256) + [9]
      bytes += [0, 0, 0, 0, 0, 0, 1, 1]
      return bytes + bigEndian(257, 8) + bigEndian(256, 8) + bigEndian(13, 8)
    }
    let whole = list(count: 0x21)
    #expect(whole.count == 302)
    #expect(try BinaryPlistReader.read(whole) == .array(Array(repeating: .bool(true), count: 289)))
    #expect(throws: BinaryPlistReader.Damage.self) { try BinaryPlistReader.read(list(count: 0x22)) }
  }

  private func bigEndian(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}
