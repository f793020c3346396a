/// Parses the frame headers of a Zstandard stream (RFC 8878) to know how much memory each frame needs before
/// unpacking.
package struct ZstandardFrames {
  /// The largest window in bytes: that of levels up to 19, which include packtool's.
  package static let largestWindow = 8 << 20

  /// The part of the stream that comes next.
  private enum Part {
    case magic
    /// The frame header descriptor: the byte that tells which fields follow.
    case descriptor
    /// The rest of a header.
    case header(windowBytes: Int, sizeBytes: Int, dictionaryBytes: Int, hasChecksum: Bool)
    case block(hasChecksum: Bool)
    /// The size of a skippable frame.
    case skippedSize
    /// No Zstandard stream; the decompressor reports what is wrong.
    case nothingKnown
  }

  private var part = Part.magic
  /// The bytes of the part so far.
  private var field: [UInt8] = []
  /// How many bytes to skip before the part begins.
  private var skipped: UInt64 = 0

  init() {}

  /// Parses the next bytes of the stream; false if a frame needs too large a window.
  mutating func pass(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      if case .nothingKnown = part { return true }
      let jump = Int(min(skipped, UInt64(rest.count)))
      skipped -= UInt64(jump)
      rest = rest.dropFirst(jump)
      let taken = rest.prefix(partSize - field.count)
      field += taken
      rest = rest.dropFirst(taken.count)
      if skipped == 0, field.count == partSize {
        if !finishPart() { return false }
        field = []
      }
    }
    return true
  }

  /// The size in bytes of the part that comes next.
  private var partSize: Int {
    switch part {
    case .magic, .skippedSize: 4
    case .descriptor: 1
    case .header(let window, let size, let dictionary, _): window + size + dictionary
    case .block: 3
    case .nothingKnown: 0
    }
  }

  /// Evaluates a complete part; false if it needs too large a window.
  private mutating func finishPart() -> Bool {
    switch part {
    case .magic: part = Self.part(behind: number(field[...]))
    case .descriptor: part = Self.header(by: field[0])
    case .header(let window, let size, let dictionary, let hasChecksum):
      part = .block(hasChecksum: hasChecksum)
      if window > 0 { return Self.window(by: field[0]) <= UInt64(Self.largestWindow) }
      // A frame without a window descriptor is a single segment: its window is its content size.
      let claimed = number(field[dictionary...]) + (size == 2 ? 256 : 0)
      return claimed <= UInt64(Self.largestWindow)
    case .block(let hasChecksum): passBlock(hasChecksum)
    case .skippedSize:
      skipped = number(field[...])
      part = .magic
    case .nothingKnown: break
    }
    return true
  }

  private mutating func passBlock(_ hasChecksum: Bool) {
    let header = number(field[...])
    let isRun = header >> 1 & 3 == 1
    skipped = isRun ? 1 : header >> 3
    if header & 1 == 1 {
      skipped += hasChecksum ? 4 : 0
      part = .magic
    }
  }

  private static func part(behind magic: UInt64) -> Part {
    if magic == 0xfd2f_b528 { return .descriptor }
    return magic & 0xffff_fff0 == 0x184d_2a50 ? .skippedSize : .nothingKnown
  }

  private static func header(by descriptor: UInt8) -> Part {
    let isSingle = descriptor & 0x20 != 0
    let sizeCode = Int(descriptor >> 6)
    return .header(
      windowBytes: isSingle ? 0 : 1, sizeBytes: sizeCode == 0 ? (isSingle ? 1 : 0) : 1 << sizeCode,
      dictionaryBytes: [0, 1, 2, 4][Int(descriptor & 3)], hasChecksum: descriptor & 4 != 0)
  }

  /// The size in bytes of a window by its descriptor, less than 2^42.
  private static func window(by descriptor: UInt8) -> UInt64 {
    let base = UInt64(1) << (10 + UInt64(descriptor >> 3))
    return base + base / 8 * UInt64(descriptor & 7)
  }

  /// A little-endian number of up to eight bytes; 0 without any.
  private func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
