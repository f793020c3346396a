@testable import System
import Support
import Testing

import Foundation

@Suite struct BinaryReaderTests {
  @Test func `what was appended is read back`() throws {
    let digest = sha256([1, 2, 3])
    var buffer = ByteBuffer()
    buffer.append(little: UInt8(7))
    buffer.append(little: Int64.min)
    buffer.append(counted: "né\u{0}")
    buffer.append(digest)
    buffer.append(counted: "")
    buffer.append(little: UInt16(0x0102))
    var reader = BinaryReader(buffer.array())
    #expect(try reader.integer() == 7 as UInt8)
    #expect(try reader.integer() == Int64.min)
    #expect(try reader.text() == "né\u{0}")
    #expect(try reader.digest() == digest)
    #expect(try reader.text() == "")
    #expect(try reader.integer() == 0x0102 as UInt16)
    #expect(throws: BinaryReader.Damage.self) { let _: UInt8 = try reader.integer() }
  }

  @Test func `a digest's bytes are those of its digits`() {
    var buffer = ByteBuffer()
    buffer.append(sha256([]))
    let hex = buffer.array().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    #expect(hex == sha256([]).hex)
    #expect(buffer[0] == 0xe3 && buffer[31] == 0x55)
  }

  @Test func `every cut is damage, never a crash`() {
    var buffer = ByteBuffer()
    buffer.append(counted: "text")
    buffer.append(sha256([]))
    buffer.append(little: UInt64(1))
    for count in 0..<buffer.count {
      var reader = BinaryReader(Array(buffer.array().prefix(count)))
      #expect(throws: BinaryReader.Damage.self) {
        _ = try reader.text()
        _ = try reader.digest()
        let _: UInt64 = try reader.integer()
      }
    }
  }

  @Test(arguments: [5, 0xffff_ffff] as [UInt32])
  func `a count of more than is left is damage`(count: UInt32) {
    var buffer = ByteBuffer()
    buffer.append(little: count)
    buffer.append("1234")
    var text = BinaryReader(buffer.array())
    #expect(throws: BinaryReader.Damage.self) { _ = try text.text() }
    var counted = BinaryReader(buffer.array())
    #expect(throws: BinaryReader.Damage.self) { _ = try counted.count(ofSize: 1) }
  }

  @Test func `things that have room are counted`() throws {
    var buffer = ByteBuffer()
    buffer.append(little: UInt32(2))
    buffer.append("12345678")
    var reader = BinaryReader(buffer.array())
    #expect(try reader.count(ofSize: 4) == 2)
    reader = BinaryReader(buffer.array())
    #expect(throws: BinaryReader.Damage.self) { _ = try reader.count(ofSize: 5) }
  }

  @Test func `a text that is not UTF-8 is damage`() {
    var buffer = ByteBuffer()
    buffer.append(little: UInt32(1))
    buffer.append(0xff)
    var reader = BinaryReader(buffer.array())
    #expect(throws: BinaryReader.Damage.self) { _ = try reader.text() }
  }

  /// Returns whether the reader contains exactly `count` strings and then a valid checksum.
  private func endsWell(_ reader: consuming BinaryReader, afterTexts count: Int) -> Bool {
    do {
      for _ in 0..<count { _ = try reader.text() }
      try reader.end()
      return true
    } catch {
      return false
    }
  }

  @Test func `the checksum at the end covers every byte before it`() {
    var buffer = ByteBuffer()
    buffer.append(counted: "some")
    buffer.append(counted: "bytes")
    buffer.append(little: Checksum(of: buffer.array()).value)
    #expect(endsWell(BinaryReader(buffer.array()), afterTexts: 2))
    #expect(!endsWell(BinaryReader(buffer.array()), afterTexts: 1))
    #expect(!endsWell(BinaryReader(buffer.array() + [0]), afterTexts: 2))
    for index in 0..<buffer.count {
      var damaged = buffer
      damaged.replaceByte(at: index) { $0 ^ 1 }
      #expect(!endsWell(BinaryReader(damaged.array()), afterTexts: 2))
    }
    #expect(!endsWell(BinaryReader([]), afterTexts: 0))
    #expect(!endsWell(BinaryReader([0, 0, 0]), afterTexts: 0))
    #expect(endsWell(BinaryReader([0, 0, 0, 0]), afterTexts: 0), "of nothing it is zero")
  }

  @Test func `a file is read window by window`() throws {
    let folder = try TemporaryFolder()
    var buffer = ByteBuffer()
    let texts =
      (0..<3_000).map { String(repeating: "\($0 % 7)", count: $0 % 700) } + [
        String(repeating: "x", count: 600_000)
      ]
    for text in texts { buffer.append(counted: text) }
    buffer.append(little: Checksum(of: buffer.array()).value)
    try folder.write("record", Data(buffer.array()))
    var reader = try BinaryReader(InputFile(folder.path("record")))
    for text in texts { #expect(try reader.text() == text) }
    try reader.end()
    try folder.write("record", Data(buffer.array().dropLast()))
    #expect(!endsWell(try BinaryReader(InputFile(folder.path("record"))), afterTexts: texts.count))
  }
}
