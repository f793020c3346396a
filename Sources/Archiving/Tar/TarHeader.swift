import System

/// The block in front of an entry of a tar archive, byte for byte as TarWriter lets libarchive write it.
struct TarHeader {
  /// The time of an entry as it stands in a header: seconds since 1970 in octal digits.
  typealias Time = [UInt8]

  private(set) var bytes = [UInt8](repeating: 0, count: blockSize)

  /// Bytes of a header, and of what all contents are filled up to.
  static let blockSize = 512
  /// Bytes of the longest name that stands in a header itself.
  static let longestName = 100
  static let nameField = 0..<longestName
  static let sizeField = 124..<136
  static let timeField = 136..<147
  static let typeField = 156..<157
  private static let checksumField = 148..<156

  /// The header of a file.
  init(name: ArraySlice<UInt8>, size: Int64, time: Time) {
    self.init(mode: "0000644", size: size, time: time, type: "0")
    put(name.prefix(Self.longestName), at: Self.nameField.lowerBound)
    finish()
  }

  /// The header in front of a name that is too long for a header, as GNU tar has it.
  init(longName count: Int) {
    // A zero stands behind the name.
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

  /// Sizes of more than eleven octal digits are numbers of twelve bytes, of which the first bit says so.
  private mutating func putSize(_ size: Int64) {
    if size < 1 << 33 { return put(octal(size, digits: 11), at: Self.sizeField.lowerBound) }
    bytes[Self.sizeField.lowerBound] = 0x80
    put(withUnsafeBytes(of: size.bigEndian) { Array($0) }, at: Self.sizeField.upperBound - 8)
  }

  /// Puts in the sum of all bytes, in which its own place counts as blanks.
  private mutating func finish() {
    put(repeatElement(UInt8(ascii: " "), count: 8), at: Self.checksumField.lowerBound)
    let sum = bytes.reduce(0 as Int64) { $0 + Int64($1) }
    put(octal(sum, digits: 6) + [0], at: Self.checksumField.lowerBound)
  }

  private mutating func put(_ text: some Sequence<UInt8>, at start: Int) {
    for (place, byte) in zip(start..., text) { bytes[place] = byte }
  }

  private func octal(_ number: Int64, digits: Int) -> [UInt8] {
    let text = String(number, radix: 8)
    return Array(repeating: UInt8(ascii: "0"), count: max(digits - text.utf8.count, 0)) + text.utf8
  }
}
