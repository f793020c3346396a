import Foundation
import Support
@testable import System
import Testing

@Suite struct DigestTests {
  /// The examples in FIPS 180-2, and the empty string.
  static let knownSHA256 = [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      String(repeating: "a", count: 1_000_000),
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    ),
  ]

  @Test(arguments: knownSHA256.indices)
  func `SHA-256 of known texts`(_ index: Int) {
    let (text, hex) = Self.knownSHA256[index]
    #expect(SHA256.digest(of: text.utf8Span.span.bytes).hex == hex)
  }

  @Test(arguments: [1, 3, 55, 56, 63, 64, 65, 1000])
  func `SHA-256 is the same in pieces`(_ step: Int) {
    let bytes = Content.random.bytes(4321)
    var digest = SHA256()
    for start in stride(from: 0, to: bytes.count, by: step) {
      digest.update(bytes.span.extracting(start..<min(start + step, bytes.count)).bytes)
      digest.update([UInt8]().span.bytes)
    }
    #expect(digest.finish() == sha256(bytes))
  }

  @Test(arguments: [0, 1, 59, 63, 64, 65, 127, 200])
  func `two digests at once are those of one after the other`(_ firstCount: Int) {
    let bytes = Content.random.bytes(1500)
    for secondCount in [0, 5, 64, 100, 191] {
      for count in [0, 1, 40, 63, 64, 65, 127, 128, 129, 300, 1000] {
        var first = SHA256()
        var second = SHA256()
        first.update(bytes.span.extracting(first: firstCount).bytes)
        second.update(bytes.span.extracting(first: secondCount).bytes)
        let shared = Array(bytes[200..<200 + count])
        SHA256.update(first: &first, second: &second, with: shared.span.bytes)
        first.update("end".utf8Span.span.bytes)
        #expect(first.finish() == sha256(bytes[..<firstCount] + shared + "end".utf8))
        #expect(second.finish() == sha256(bytes[..<secondCount] + shared))
      }
    }
  }

  @Test func `a finished digest starts again from nothing`() {
    var digest = SHA256()
    digest.update("abc".utf8Span.span.bytes)
    #expect(digest.finish().hex == Self.knownSHA256[1].1)
    #expect(digest.finish().hex == Self.knownSHA256[0].1)
    digest.update("abc".utf8Span.span.bytes)
    #expect(digest.finish().hex == Self.knownSHA256[1].1)
  }

  /// The examples in RFC 1321 and in packtool's specification.
  @Test(arguments: [
    ("", "d41d8cd98f00b204e9800998ecf8427e"), ("a", "0cc175b9c0f1b6a831c399e269772661"),
    ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
    (
      "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
      "57edf4a22be3c955ac49da2e2107b67a"
    ),
    ("foo", "acbd18db4cc2f85cedef654fccc4a4d8"), ("bar:foo", "8856328b99ee7881e9bf7205296e056d"),
    ("é", "66ddcd97cfdeabb2f6fb8a999b4bc76f"),
  ])
  func `MD5 of known texts`(_ text: String, _ hex: String) {
    #expect(MD5.hex(of: text) == hex)
  }

  @Test(arguments: [
    ("", 0), ("123456789", 0xcbf4_3926), ("The quick brown fox jumps over the lazy dog", 0x414f_a339),
    ("a", 0xe8b7_be43),
  ])
  func `CRC-32 of known texts`(_ text: String, _ value: UInt32) {
    var checksum = Checksum()
    checksum.update(text.utf8Span.span.bytes)
    #expect(checksum.value == value)
  }

  @Test func `CRC-32 is the same in pieces, some of them empty`() {
    var checksum = Checksum()
    for piece in ["1234", "", "5", "", "6789", ""] { checksum.update(piece.utf8Span.span.bytes) }
    #expect(checksum.value == 0xcbf4_3926)
  }

  @Test func `hex goes both ways`() {
    for seed in 1...200 as ClosedRange<UInt64> {
      let digest = sha256(Content.random.bytes(8, seed: seed))
      #expect(Digest(hex: digest.hex) == digest)
    }
    let hex = "00ff10" + String(repeating: "9a", count: 28) + "01"
    #expect(Digest(hex: hex)?.hex == hex)
    #expect(Digest(hex: "x\(hex)".dropFirst())?.short == "00ff109a9a9a9a9a")
    #expect(Digest(hex: hex)?.prefixed == "sha256:\(hex)")
    #expect(Digest.zero.hex == String(repeating: "0", count: 64))
    #expect(Digest(hex: String(repeating: "0", count: 64)) == .zero)
  }

  @Test func `a digest differs in its first, its middle and its last digit`() {
    let zeros = Array(repeating: Character("0"), count: 64)
    var seen: Set<Digest> = [.zero]
    for place in zeros.indices {
      var digits = zeros
      digits[place] = "8"
      seen.insert(Digest(hex: String(digits))!)
    }
    #expect(seen.count == 65)
  }

  @Test(arguments: [
    "", "0", String(repeating: "0", count: 63), String(repeating: "0", count: 65),
    String(repeating: "A", count: 64), String(repeating: "g", count: 64),
    String(repeating: "0", count: 62) + "é", String(repeating: "0", count: 63) + " ",
    "sha256:" + String(repeating: "0", count: 57), String(repeating: "/", count: 64),
    String(repeating: ":", count: 64), String(repeating: "`", count: 64),
  ])
  func `other texts are no digest`(_ text: String) {
    #expect(Digest(hex: text) == nil)
  }

  @Test func `a buffer takes the digits`() {
    var buffer = ByteBuffer()
    buffer.append("<")
    buffer.append(hexOf: SHA256.digest(of: "abc".utf8Span.span.bytes))
    buffer.append(">")
    #expect(String(decoding: buffer.array(), as: UTF8.self) == "<\(Self.knownSHA256[1].1)>")
  }

  @Test func `the digest of an open file is computed`() throws {
    let folder = try TemporaryFolder()
    for count in [0, 1, 1 << 20, 1 << 20 + 1, 2_500_000] {
      let bytes = Content.random.bytes(count)
      try folder.write("file", Data(bytes))
      #expect(try InputFile(folder.path("file")).digest() == sha256(bytes))
    }
  }
}
