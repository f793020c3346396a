import System

/// The header block of a tar entry, with exactly the bytes that libarchive writes for TarWriter.
struct TarHeader {
  /// The time of an entry as a header stores it: seconds since 1970 in octal digits.
  typealias Time = [UInt8]

  private(set) var bytes = [UInt8](repeating: 0, count: blockSize)

  /// The size of a header in bytes.
  ///
  /// Contents are padded to a multiple of this size.
  static let blockSize = 512
  /// The maximum length in bytes of a name that fits into a header.
  static let maxNameSize = 100
  static let nameField = 0..<maxNameSize
  static let sizeField = 124..<136
  static let timeField = 136..<147
  static let typeField = 156..<157
  private static let checksumField = 148..<156

  /// Returns the number of padding bytes after a content of this size.
  static func paddingSize(after size: Int64) -> Int { Int(-size & Int64(blockSize - 1)) }

  /// Creates the header of a file.
  init(name: ArraySlice<UInt8>, size: Int64, time: Time) {
    self.init(mode: "0000644", size: size, time: time, type: "0")
    put(name.prefix(Self.maxNameSize), at: Self.nameField.lowerBound)
    finish()
  }

  /// Creates the header that GNU tar writes before a name that is too long for a normal header.
  init(longName count: Int) {
    // The name is followed by a zero.
    self.init(
      mode: "0000000", size: Int64(count) + 1, time: Array(repeating: UInt8(ascii: "0"), count: 11), type: "L"
    )
    put("././@LongLink".utf8, at: Self.nameField.lowerBound)
    put("root".utf8, at: 265)
    put("wheel".utf8, at: 297)
    finish()
  }

  private init(mode: String, size: Int64, time: Time, type: String) {
    put(mode.utf8, at: 100)
    put("0000000".utf8, at: 108)
    put("0000000".utf8, at: 116)
    putSize(size)
    put(time, at: Self.timeField.lowerBound)
    put(type.utf8, at: Self.typeField.lowerBound)
    put("ustar  ".utf8, at: 257)
  }

  /// Writes the size in octal digits, or, if it needs more than eleven digits, as a binary number whose first
  /// bit is set.
  private mutating func putSize(_ size: Int64) {
    if size < 1 << 33 { return put(octal(size, digits: 11), at: Self.sizeField.lowerBound) }
    bytes[Self.sizeField.lowerBound] = 0x80
    put(withUnsafeBytes(of: size.bigEndian) { Array($0) }, at: Self.sizeField.upperBound - 8)
  }

  /// Writes the checksum, which is computed with spaces in its own field.
  private mutating func finish() {
    put(repeatElement(UInt8(ascii: " "), count: 8), at: Self.checksumField.lowerBound)
    let sum = bytes.reduce(0 as Int64) { $0 + Int64($1) }
    put(octal(sum, digits: 6) + [0], at: Self.checksumField.lowerBound)
  }

  private mutating func put(_ text: some Sequence<UInt8>, at start: Int) {
    for (index, byte) in zip(start..., text) { bytes[index] = byte }
  }

  private func octal(_ number: Int64, digits: Int) -> [UInt8] {
    let text = String(number, radix: 8)
    return Array(repeating: UInt8(ascii: "0"), count: max(digits - text.utf8.count, 0)) + text.utf8
  }
}
