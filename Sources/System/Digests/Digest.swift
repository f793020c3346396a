import CCrypto
import CDeflate

/// A SHA-256 digest.
package struct Digest: Sendable, Hashable {
  private let words: SIMD4<UInt64>

  /// 32 zero bytes.
  ///
  /// They are the placeholder for a digest that is not known yet.
  package static let zero = Digest(words: .zero)

  private init(words: SIMD4<UInt64>) { self.words = words }

  init(_ bytes: UnsafeRawBufferPointer) {
    precondition(bytes.count == 32)
    var words = SIMD4<UInt64>()
    for index in 0..<4 {
      words[index] = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
    }
    self.words = words
  }

  /// Creates a digest from the 32 bytes at an offset.
  package init(in bytes: RawSpan, at offset: Int) {
    self = bytes.extracting(offset..<offset + 32).withUnsafeBytes { Digest($0) }
  }

  package var bytes: [UInt8] {
    (0..<32).map { UInt8(truncatingIfNeeded: words[$0 / 8] >> UInt64(56 - $0 % 8 * 8)) }
  }

  /// Calls `body` with the 32 bytes, without allocating memory for them.
  func withBytes(_ body: (RawSpan) -> Void) {
    var big = words
    for index in 0..<4 { big[index] = words[index].bigEndian }
    withUnsafeBytes(of: big) { body($0.bytes) }
  }

  /// Reads a digest from 64 lower-case hex digits; nil for any other string.
  package init?(hex: some StringProtocol) { self.init(digits: Array(hex.utf8)[...]) }

  /// Reads a digest in the format of an index, which is "sha256:" and 64 hex digits; nil for any other
  /// string.
  package init?(prefixed text: ArraySlice<UInt8>) {
    let name = "sha256:".utf8
    guard text.starts(with: name) else { return nil }
    self.init(digits: text.dropFirst(name.count))
  }

  private init?(digits text: ArraySlice<UInt8>) {
    guard text.count == 64 else { return nil }
    var words = SIMD4<UInt64>()
    for index in 0..<4 {
      var word: UInt64 = 0
      for byte in text.dropFirst(index * 16).prefix(16) {
        guard let value = hexValue(byte) else { return nil }
        word = word << 4 | UInt64(value)
      }
      words[index] = word
    }
    self.words = words
  }

  /// The 64 hex digits in lower case.
  package var hex: String {
    String(unsafeUninitializedCapacity: 64) { buffer in
      write(into: UnsafeMutableRawBufferPointer(buffer))
      return 64
    }
  }

  /// The first 16 hex digits, used in the names of published files.
  package var short: String { String(hex.prefix(16)) }

  /// The digest in the format of an index: "sha256:" and 64 hex digits.
  package var prefixed: String { "sha256:\(hex)" }

  fileprivate func write(into buffer: UnsafeMutableRawBufferPointer) {
    for index in 0..<4 {
      let (front, back) = (hexDigits(words[index] >> 32), hexDigits(words[index] & 0xffff_ffff))
      buffer.storeBytes(of: front.bigEndian, toByteOffset: index * 16, as: UInt64.self)
      buffer.storeBytes(of: back.bigEndian, toByteOffset: index * 16 + 8, as: UInt64.self)
    }
  }
}

/// Returns the eight hex digits of a 32-bit number, with the first digit in the highest byte.
///
/// All eight digits are computed together, because a build of 200,000 files writes thirteen million digits.
private func hexDigits(_ number: UInt64) -> UInt64 {
  var digits = (number | number << 16) & 0x0000_ffff_0000_ffff
  digits = (digits | digits << 8) & 0x00ff_00ff_00ff_00ff
  digits = (digits | digits << 4) & 0x0f0f_0f0f_0f0f_0f0f
  let ones: UInt64 = 0x0101_0101_0101_0101
  // Adding 6 to a digit sets bit 4 exactly if the digit is 10 to 15.
  let letters = (digits + 6 * ones) >> 4 & ones
  return digits + UInt64(UInt8(ascii: "0")) * ones + letters
    * UInt64(UInt8(ascii: "a") - UInt8(ascii: "0") - 10)
}

extension ByteBuffer {
  /// Appends a digest's 64 hex digits without creating a string.
  package mutating func append(hexOf digest: Digest) {
    _ = append(atMost: 64) { space in
      digest.write(into: space)
      return 64
    }
  }
}

private func hexValue(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
  default: nil
  }
}

/// The CRC-32 that zip and gzip files contain, computed by libdeflate.
package struct Checksum: Sendable, Hashable {
  package private(set) var value: UInt32 = 0

  package init() {}

  /// Creates a checksum from a value that was computed earlier.
  package init(value: UInt32) { self.value = value }

  package mutating func update(_ bytes: RawSpan) {
    // libdeflate treats a null buffer as "start again".
    guard bytes.byteCount > 0 else { return }
    value = bytes.withUnsafeBytes { libdeflate_crc32(value, $0.baseAddress, $0.count) }
  }
}

/// The MD5 of a string, computed by libcrypto.
///
/// MD5 is not used for security, but only to name packs as Xcode does.
package enum MD5 {
  /// Returns the digest of a string's UTF-8 bytes as lower-case hex digits.
  package static func hex(of text: String) -> String {
    var text = text
    var digest = [UInt8](repeating: 0, count: 16)
    let done = text.withUTF8 {
      EVP_Digest($0.baseAddress, $0.count, &digest, nil, algorithm, nil)
    }
    precondition(done == 1)
    return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

/// The algorithm is looked up only once, because OpenSSL 3 acquires a lock each time it looks up an algorithm
/// by name.
nonisolated(unsafe) private let algorithm = EVP_MD_fetch(nil, "MD5", nil)!
