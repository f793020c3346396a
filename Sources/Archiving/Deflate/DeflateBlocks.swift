import System

/// Steps over the blocks of a deflate stream without decompressing them.
///
/// Other libraries find the beginning of a block only by decompressing everything before it. With zlib that
/// took 20 % of the time of packing large files.
struct BlockScanner {
  private var bits: BitReader
  /// A table with the number of bits to skip, indexed by the next bits of a block.
  ///
  /// The first half is for literals and lengths, the second half for distances. In each entry, bits 0 to 5
  /// are the number of bits to skip, and bit 11 is set if a distance code comes next. Bit 15 is set if the
  /// code is too long for the table, ends the block, or is invalid; in this case, nothing is skipped.
  private var steps = [UInt16](repeating: missing, count: 2 * distances)

  /// The size of a table index in bits, chosen so that the whole table fits into the processor's fastest
  /// cache.
  private static let indexSize = 11
  private static let distances = 1 << indexSize
  private static let missing: UInt16 = 1 << 15

  init(_ stream: UnsafeRawBufferPointer) { bits = BitReader(stream) }

  var offset: Int { bits.offset }

  /// Skips a block.
  ///
  /// Returns whether the block is the last block; nil if the block has no end.
  mutating func passBlock() -> Bool? {
    guard let header = BlockHeader(&bits) else { return nil }
    switch header.content {
    case .stored(let byteCount): bits.skip(bytes: byteCount)
    case .coded(let literals, let distances):
      fillSteps(from: 0, with: literals) { symbol in
        if symbol < Symbols.blockEnd { return 0 }
        return symbol == Symbols.blockEnd ? nil : Symbols.extraBits(ofLength: symbol) | Self.distances
      }
      fillSteps(from: Self.distances, with: distances) { Symbols.extraBits(ofDistance: $0) }
      guard passSymbols(literals, distances: distances) else { return nil }
    }
    return bits.isBehindEnd ? nil : header.isLast
  }

  /// Fills one half of the table.
  ///
  /// `extraBits` returns the number of bits that follow the code of a symbol, combined with the bit that
  /// announces a distance.
  private mutating func fillSteps(from start: Int, with code: PrefixCode, extraBits: (_ symbol: Int) -> Int?)
  {
    for index in start..<start + Self.distances { steps[index] = UInt16(start) | Self.missing }
    for (symbol, bits) in code.codes {
      let size = code.sizes[symbol]
      guard size <= Self.indexSize, let extraBits = extraBits(symbol) else { continue }
      // A code begins with its most significant bit.
      let reversed = (0..<size).reduce(0) { $0 << 1 | bits >> $1 & 1 }
      for index in stride(from: start + reversed, to: start + Self.distances, by: 1 << size) {
        steps[index] = UInt16(size + extraBits)
      }
    }
  }

  /// Skips everything up to and including the end of the block; returns false if it has no end.
  private mutating func passSymbols(_ literals: PrefixCode, distances: PrefixCode) -> Bool {
    while true {
      let isAtDistance = passSteps()
      if bits.isBehindEnd { return false }
      if !isAtDistance {
        guard let symbol = literals.read(&bits) else { return false }
        if symbol < Symbols.blockEnd { continue }
        if symbol == Symbols.blockEnd { return true }
        _ = bits.read(Symbols.extraBits(ofLength: symbol))
      }
      guard let symbol = distances.read(&bits) else { return false }
      _ = bits.read(Symbols.extraBits(ofDistance: symbol))
    }
  }

  /// Skips symbols until a symbol is not in the table or the stream ends.
  ///
  /// Returns whether a distance is next.
  private mutating func passSteps() -> Bool {
    // A local copy of the reader is used, because the compiler keeps it in registers.
    var bits = bits
    defer { self.bits = bits }
    return steps.withUnsafeBufferPointer { steps in
      var part = 0
      reading: while bits.fillByWord() {
        // Two symbols are skipped without a branch, because the processor would often mispredict a branch
        // that depends on the next symbol. Two steps skip at most 40 bits.
        for _ in 0..<2 {
          let step = Int(truncatingIfNeeded: steps[bits.peek(Self.indexSize) | part])
          bits.skip(step & 0x3f)
          part = step & Self.distances
          if step & Int(Self.missing) != 0 { break reading }
        }
      }
      return part != 0
    }
  }
}

/// The header of a block in a deflate stream (RFC 1951, 3.2.3).
struct BlockHeader {
  enum Content {
    case stored(byteCount: Int)
    case coded(literals: PrefixCode, distances: PrefixCode)
  }

  let isLast: Bool
  let content: Content

  /// Reads a header; nil if it is damaged.
  init?(_ bits: inout BitReader) {
    isLast = bits.read(1) == 1
    switch bits.read(2) {
    case 0:
      bits.align()
      let byteCount = bits.read(16)
      guard bits.read(16) == ~byteCount & 0xffff else { return nil }
      content = .stored(byteCount: byteCount)
    case 1: content = .coded(literals: Self.fixedLiterals, distances: Self.fixedDistances)
    case 2:
      let literalCount = bits.read(5) + Symbols.blockEnd + 1
      let distanceCount = bits.read(5) + 1
      guard let sizes = Self.readSizes(literalCount + distanceCount, bits: &bits),
        let literals = PrefixCode(sizes: Array(sizes[..<literalCount])),
        let distances = PrefixCode(sizes: Array(sizes[literalCount...]))
      else { return nil }
      content = .coded(literals: literals, distances: distances)
    default: return nil
    }
  }

  private static let fixedLiterals = PrefixCode(
    sizes: (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })!
  private static let fixedDistances = PrefixCode(sizes: Array(repeating: 5, count: 30))!

  /// The order in which the stream stores the sizes of the code that encodes all other sizes.
  private static let sizeOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

  private static func readSizes(_ count: Int, bits: inout BitReader) -> [Int]? {
    var codeSizes = [Int](repeating: 0, count: sizeOrder.count)
    for symbol in sizeOrder.prefix(bits.read(4) + 4) { codeSizes[symbol] = bits.read(3) }
    guard let code = PrefixCode(sizes: codeSizes) else { return nil }
    var sizes: [Int] = []
    while sizes.count < count {
      switch code.read(&bits) {
      case 16?:
        guard let last = sizes.last else { return nil }
        sizes += repeatElement(last, count: bits.read(2) + 3)
      case 17?: sizes += repeatElement(0, count: bits.read(3) + 3)
      case 18?: sizes += repeatElement(0, count: bits.read(7) + 11)
      case let size?: sizes.append(size)
      case nil: return nil
      }
    }
    return sizes.count == count ? sizes : nil
  }
}

/// The meaning of the symbols in a deflate stream (RFC 1951, 3.2.5).
enum Symbols {
  /// The symbol for the end of a block.
  ///
  /// Lower symbols are literals, and higher symbols are lengths of matches.
  static let blockEnd = 256

  /// Returns how many extra bits follow the code of a length.
  static func extraBits(ofLength symbol: Int) -> Int {
    symbol < 265 || symbol == 285 ? 0 : (symbol - 261) / 4
  }

  /// Returns how many extra bits follow the code of a distance.
  static func extraBits(ofDistance symbol: Int) -> Int { symbol < 4 ? 0 : symbol / 2 - 1 }
}

/// Reads the bits of a deflate stream, starting with the lowest bit of each byte.
///
/// Bits after the end of the stream are 0.
struct BitReader {
  private let bytes: UnsafeRawBufferPointer
  /// The offset of the first byte whose bits have not all been loaded.
  private var next = 0
  /// The loaded bits.
  ///
  /// The bits above `count` can already contain bits of the byte at `next`. The next load sets them to the
  /// same values.
  private var bits: UInt64 = 0
  private var count = 0

  /// The minimum number of bits that `fill` loads.
  private static let ready = 56

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  var offset: Int { next * 8 - count }

  var isBehindEnd: Bool { offset > bytes.count * 8 }

  /// Loads at least 56 bits with one memory access.
  ///
  /// Returns false and does nothing near the end of the stream.
  @inline(__always)
  mutating func fillByWord() -> Bool {
    guard next &+ 8 <= bytes.count else { return false }
    let word = bytes.loadUnaligned(fromByteOffset: next, as: UInt64.self)
    bits |= UInt64(littleEndian: word) &<< UInt64(truncatingIfNeeded: count)
    // `next` advances by the number of whole bytes that were loaded. Afterwards, `bits` contains 56 to 63
    // loaded bits.
    next &+= (63 &- count) &>> 3
    count |= Self.ready
    return true
  }

  mutating func fill() {
    if fillByWord() { return }
    while count < Self.ready {
      if next < bytes.count { bits |= UInt64(bytes[next]) << UInt64(count) }
      next += 1
      count += 8
    }
  }

  /// Returns the next bits without skipping them.
  ///
  /// The bits must be loaded already.
  @inline(__always)
  func peek(_ size: Int) -> Int { Int(truncatingIfNeeded: bits & (1 &<< UInt64(size) &- 1)) }

  /// Skips bits, which must already be loaded.
  @inline(__always)
  mutating func skip(_ size: Int) {
    bits &>>= UInt64(truncatingIfNeeded: size)
    count &-= size
  }

  /// Reads a number of up to 16 bits.
  mutating func read(_ size: Int) -> Int {
    fill()
    defer { skip(size) }
    return peek(size)
  }

  /// Skips the remaining bits of the current byte.
  mutating func align() {
    next = (offset + 7) / 8
    bits = 0
    count = 0
  }

  /// Skips the remaining bits of the current byte, and then `size` whole bytes.
  mutating func skip(bytes size: Int) {
    align()
    next += size
  }
}

/// A canonical prefix code of deflate (RFC 1951, 3.2.2).
///
/// Codes of the same size are consecutive numbers, and shorter codes come first.
struct PrefixCode {
  static let maxSize = 15

  /// The size of each symbol's code in bits; 0 if the symbol has no code.
  let sizes: [Int]
  private let counts: [Int]
  private let symbols: [Int]

  /// Creates a code from the size of each symbol's code; nil if the sizes leave no room for all symbols.
  init?(sizes: [Int]) {
    var counts = [Int](repeating: 0, count: Self.maxSize + 1)
    for size in sizes where size > 0 { counts[size] += 1 }
    let space = 1 << Self.maxSize
    guard sizes.reduce(0, { $0 + ($1 > 0 ? space >> $1 : 0) }) <= space else { return nil }
    var places = [Int](repeating: 0, count: Self.maxSize + 1)
    for size in 2...Self.maxSize { places[size] = places[size - 1] + counts[size - 1] }
    var symbols = [Int](repeating: 0, count: places[Self.maxSize] + counts[Self.maxSize])
    for (symbol, size) in sizes.enumerated() where size > 0 {
      symbols[places[size]] = symbol
      places[size] += 1
    }
    self.sizes = sizes
    self.counts = counts
    self.symbols = symbols
  }

  /// The symbols with their codes.
  ///
  /// The most significant bit of a code comes first in the stream.
  var codes: [(symbol: Int, code: Int)] {
    var code = 0
    var last = 0
    return symbols.map { symbol in
      code <<= sizes[symbol] - last
      last = sizes[symbol]
      defer { code += 1 }
      return (symbol, code)
    }
  }

  /// Reads the code of a symbol; nil if no code begins with the next bits.
  func read(_ bits: inout BitReader) -> Int? {
    bits.fill()
    let ahead = bits.peek(Self.maxSize)
    var (code, first, offset) = (0, 0, 0)
    for size in 1...Self.maxSize {
      code = code << 1 | ahead >> (size - 1) & 1
      if code - first < counts[size] {
        bits.skip(size)
        return symbols[offset + code - first]
      }
      offset += counts[size]
      first = (first + counts[size]) << 1
    }
    return nil
  }
}

extension ByteBuffer {
  /// Changes a complete deflate stream so that another stream can follow.
  ///
  /// The stream consists of the bytes from `start` to the end.
  ///
  /// libdeflate ends the stream of every buffer. This function clears the final bit of the last block and
  /// adds an empty stored block that ends at a byte boundary. As a result, blocks that several threads
  /// compressed can be joined into one stream.
  package mutating func reopenDeflateStream(from start: Int) {
    guard let last = withBytes(start..<count, body: { LastBlock(of: $0) }) else {
      preconditionFailure("libdeflate made a damaged stream")
    }
    let finalBit = start * 8 + last.start
    replaceByte(at: finalBit / 8) { $0 & ~(1 << UInt8(finalBit % 8)) }
    // The header of an empty stored block is three zero bits. The unused bits are already zero, because
    // libdeflate leaves them zero.
    if last.unusedBits < 3 { append(0) }
    let length: [UInt8] = [0x00, 0x00, 0xff, 0xff]
    append(length.span.bytes)
  }

  /// Appends bytes as stored blocks of a deflate stream.
  ///
  /// The stream must end at a byte boundary before the call, and it ends at one after the call.
  ///
  /// libdeflate's level 0 would end the stream, and reopening it costs an empty block.
  package mutating func appendStoredBlocks(_ bytes: RawSpan, part: StreamPart) {
    var start = 0
    repeat {
      let end = min(start + Int(UInt16.max), bytes.byteCount)
      let size = UInt16(end - start)
      append(part == .last && end == bytes.byteCount ? 1 : 0)
      append(UInt8(truncatingIfNeeded: size))
      append(UInt8(size >> 8))
      append(UInt8(truncatingIfNeeded: ~size))
      append(UInt8(~size >> 8))
      append(bytes.extracting(start..<end))
      start = end
    } while start < bytes.byteCount
  }
}

/// The last block of a complete deflate stream.
struct LastBlock {
  /// The offset of the block in bits.
  let start: Int
  /// The number of unused bits in the stream's last byte.
  let unusedBits: Int

  /// Finds the last block by stepping over all blocks before it; nil if the stream has bytes after that
  /// block.
  init?(of stream: RawSpan) {
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
