import System

extension ByteBuffer {
  /// Turns a whole deflate stream, the bytes from `start` to the end, into one that another may follow.
  ///
  /// libdeflate ends the stream of every buffer. This clears the final bit of the last block and adds an empty
  /// stored block up to a whole byte, so that blocks compressed on several threads join to one stream.
  package mutating func reopenDeflateStream(from start: Int) {
    let last = withBytes(start..<count) { LastBlock(of: $0) }
    let finalBit = start * 8 + last.start
    replaceByte(at: finalBit / 8) { $0 & ~(1 << UInt8(finalBit % 8)) }
    // The header of an empty stored block is three zero bits; libdeflate left the unused ones zero.
    if last.unusedBits < 3 { append(0) }
    let length: [UInt8] = [0x00, 0x00, 0xff, 0xff]
    append(length.span.bytes)
  }

  /// Appends bytes as stored blocks of a deflate stream that has come to the end of a byte, as they end with one.
  ///
  /// libdeflate's level 0 ends the stream, and to reopen it costs an empty block.
  package mutating func appendStoredBlocks(_ bytes: RawSpan, isLast: Bool) {
    var start = 0
    repeat {
      let end = min(start + Int(UInt16.max), bytes.byteCount)
      let size = UInt16(end - start)
      append(isLast && end == bytes.byteCount ? 1 : 0)
      append(UInt8(truncatingIfNeeded: size))
      append(UInt8(size >> 8))
      append(UInt8(truncatingIfNeeded: ~size))
      append(UInt8(~size >> 8))
      append(bytes.extracting(start..<end))
      start = end
    } while start < bytes.byteCount
  }
}

/// The last block of a whole deflate stream.
struct LastBlock: Equatable {
  /// Where it begins, in bits.
  let start: Int
  /// The number of unused bits in the stream's last byte.
  let unusedBits: Int

  /// The last block of a stream that libdeflate made.
  init(of stream: RawSpan) {
    guard let last = Self(onlyOneOf: stream) ?? Self(scanning: stream) else {
      preconditionFailure("libdeflate made a damaged stream")
    }
    self = last
  }

  /// The only block of a stream by its header; nil if there are several, if it is stored, or if the code of its end is
  /// but zeros.
  ///
  /// The last code is that of its end, so that the last set bit of the stream and the zeros at the end of that code
  /// tell where it ends.
  init?(onlyOneOf stream: RawSpan) {
    let header = stream.withUnsafeBytes { bytes -> BlockHeader? in
      var bits = BitReader(bytes)
      return BlockHeader(&bits)
    }
    guard let header, header.isLast, case .coded(let literals, _) = header.content,
      let endCode = literals.codes.first(where: { $0.symbol == Symbols.blockEnd })?.code, endCode != 0,
      let lastByte = stream.byteOffsets.last(where: {
        stream.unsafeLoad(fromByteOffset: $0, as: UInt8.self) != 0
      })
    else { return nil }
    let byte = stream.unsafeLoad(fromByteOffset: lastByte, as: UInt8.self)
    let end = (lastByte + 1) * 8 - byte.leadingZeroBitCount + endCode.trailingZeroBitCount
    start = 0
    unusedBits = stream.byteCount * 8 - end
    guard (0..<8).contains(unusedBits) else { return nil }
  }

  /// The last block by passing over all before it; nil if the stream does not end with it.
  init?(scanning stream: RawSpan) {
    let found = stream.withUnsafeBytes { bytes -> (start: Int, end: Int)? in
      var scanner = BlockScanner(bytes)
      while true {
        let start = scanner.offset
        guard let isLast = scanner.passBlock() else { return nil }
        if isLast { return (start, scanner.offset) }
      }
    }
    guard let found else { return nil }
    start = found.start
    unusedBits = stream.byteCount * 8 - found.end
    guard (0..<8).contains(unusedBits) else { return nil }
  }
}
