/// Follows the frames of a Zstandard stream (RFC 8878) to know what each asks for before it is unpacked.
package struct ZstandardFrames {
  /// Bytes of a frame's window: what the levels up to 19 write, packtool among them.
  package static let largestWindow = 8 << 20

  /// What stands next.
  private enum Part {
    case magic
    /// The byte that says which fields a header has.
    case descriptor
    /// The rest of a header.
    case header(windowBytes: Int, sizeBytes: Int, dictionaryBytes: Int, hasChecksum: Bool)
    case block(hasChecksum: Bool)
    /// The number of bytes of a frame that is skipped.
    case skippedSize
    /// No stream of frames: whoever unpacks it says what is wrong.
    case nothingKnown
  }

  private var part = Part.magic
  /// Bytes of the part that were met.
  private var field: [UInt8] = []
  /// Bytes to be passed over before the part begins.
  private var skipped: UInt64 = 0

  init() {}

  /// Goes over the next bytes of the stream; false where a frame asks for too large a window.
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

  /// Bytes of the part that stands next.
  private var partSize: Int {
    switch part {
    case .magic, .skippedSize: 4
    case .descriptor: 1
    case .header(let window, let size, let dictionary, _): window + size + dictionary
    case .block: 3
    case .nothingKnown: 0
    }
  }

  /// Takes in a part that has been met whole; false where it asks for too much.
  private mutating func finishPart() -> Bool {
    switch part {
    case .magic: part = Self.part(behind: number(field[...]))
    case .descriptor: part = Self.header(by: field[0])
    case .header(let window, let size, let dictionary, let hasChecksum):
      part = .block(hasChecksum: hasChecksum)
      if window > 0 { return Self.window(by: field[0]) <= UInt64(Self.largestWindow) }
      // Without a window of its own a frame is unpacked into one piece.
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

  /// Bytes of a window by the byte that describes it, at most 2^42.
  private static func window(by descriptor: UInt8) -> UInt64 {
    let base = UInt64(1) << (10 + UInt64(descriptor >> 3))
    return base + base / 8 * UInt64(descriptor & 7)
  }

  /// A number of up to eight bytes, the lowest first; one that has none is 0.
  private func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
