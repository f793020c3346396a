import System

/// Passes over the blocks of a deflate stream without inflating them.
///
/// No library tells where a block begins but by inflating all before it, which took zlib a fifth of the time of packing
/// large files.
struct BlockScanner {
  private var bits: BitReader
  /// What to pass by the next bits of a block: literals and lengths, and behind them distances.
  ///
  /// Each step has how many bits it passes in bits 0 to 5, in bit 11 whether a distance is next, and in bit 15 whether
  /// the code is too long for the table, ends the block, or is invalid: then it passes nothing.
  private var steps = [UInt16](repeating: missing, count: 2 * distances)

  /// The size in bits of an index, so that all of the table stays in the processor's nearest cache.
  private static let indexSize = 11
  private static let distances = 1 << indexSize
  private static let missing: UInt16 = 1 << 15

  init(_ stream: UnsafeRawBufferPointer) { bits = BitReader(stream) }

  var offset: Int { bits.offset }

  /// Passes over a block; whether it is the last, nil if it does not end.
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

  /// Fills a part of the table, by what a symbol has behind its code: how many bits, and the bit for a distance.
  private mutating func fillSteps(from start: Int, with code: PrefixCode, extraBits: (_ symbol: Int) -> Int?)
  {
    for index in start..<start + Self.distances { steps[index] = UInt16(start) | Self.missing }
    for (symbol, bits) in code.codes {
      let size = code.sizes[symbol]
      guard size <= Self.indexSize, let extraBits = extraBits(symbol) else { continue }
      // A code begins with its highest bit.
      let reversed = (0..<size).reduce(0) { $0 << 1 | bits >> $1 & 1 }
      for index in stride(from: start + reversed, to: start + Self.distances, by: 1 << size) {
        steps[index] = UInt16(size + extraBits)
      }
    }
  }

  /// Passes to behind the end of a block; false if it has none.
  private mutating func passSymbols(_ literals: PrefixCode, distances: PrefixCode) -> Bool {
    while true {
      let isAtDistance = passSteps()
      if bits.isBehindEnd { return false }
      if !isAtDistance {
        guard let symbol = literals.read(&bits) else { return false }
        if symbol == Symbols.blockEnd { return true }
        if symbol < Symbols.blockEnd { continue }
        _ = bits.read(Symbols.extraBits(ofLength: symbol))
      }
      guard let symbol = distances.read(&bits) else { return false }
      _ = bits.read(Symbols.extraBits(ofDistance: symbol))
    }
  }

  /// Passes symbols until the table lacks one or the stream ends; returns whether a distance is next.
  private mutating func passSteps() -> Bool {
    // The copy stays in registers.
    var bits = bits
    defer { self.bits = bits }
    return steps.withUnsafeBufferPointer { steps in
      var part = 0
      reading: while bits.fillByWord() {
        // Branches on what comes next would be guessed wrongly every few symbols. Two steps pass at most 40 bits.
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

/// The header of a block of a deflate stream (RFC 1951, 3.2.3).
struct BlockHeader {
  enum Content {
    case stored(byteCount: Int)
    case coded(literals: PrefixCode, distances: PrefixCode)
  }

  let isLast: Bool
  let content: Content

  /// Passes a header; nil if it is no sound one.
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

  /// The order of the sizes of the codes that all other sizes are written in.
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

/// The meaning of the symbols of a deflate stream's codes (RFC 1951, 3.2.5).
enum Symbols {
  /// The end of a block, behind the literals and before the lengths of matches.
  static let blockEnd = 256

  /// How many bits follow the code of a length to tell which it is.
  static func extraBits(ofLength symbol: Int) -> Int {
    symbol < 265 || symbol == 285 ? 0 : (symbol - 261) / 4
  }

  /// How many bits follow the code of a distance to tell which it is.
  static func extraBits(ofDistance symbol: Int) -> Int { symbol < 4 ? 0 : symbol / 2 - 1 }
}

/// Reads a deflate stream's bits, the lowest of each byte first; those behind its end are zero.
struct BitReader {
  private let bytes: UnsafeRawBufferPointer
  /// The offset of the first byte that is not whole among the bits that are ready.
  private var next = 0
  /// The bits that are ready; above them may stand some of the byte at `next`, which the next load sets again.
  private var bits: UInt64 = 0
  private var count = 0

  /// How many bits `fillSteps` makes ready at least.
  private static let ready = 56

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  var offset: Int { next * 8 - count }

  var isBehindEnd: Bool { offset > bytes.count * 8 }

  /// Makes 56 bits ready by one load; false, having done nothing, near the stream's end.
  @inline(__always)
  mutating func fillByWord() -> Bool {
    guard next &+ 8 <= bytes.count else { return false }
    let word = bytes.loadUnaligned(fromByteOffset: next, as: UInt64.self)
    bits |= UInt64(littleEndian: word) &<< UInt64(truncatingIfNeeded: count)
    // As many whole bytes as there was room for, after which 56 to 63 bits are ready.
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

  /// The next bits, of those that are ready.
  @inline(__always)
  func peek(_ size: Int) -> Int { Int(truncatingIfNeeded: bits & (1 &<< UInt64(size) &- 1)) }

  /// Passes bits that are ready.
  @inline(__always)
  mutating func skip(_ size: Int) {
    bits &>>= UInt64(truncatingIfNeeded: size)
    count &-= size
  }

  /// Passes a number of up to 16 bits.
  mutating func read(_ size: Int) -> Int {
    fill()
    defer { skip(size) }
    return peek(size)
  }

  /// Passes the rest of a byte.
  mutating func align() {
    next = (offset + 7) / 8
    bits = 0
    count = 0
  }

  /// Passes whole bytes, from the first bit of one.
  mutating func skip(bytes size: Int) {
    align()
    next += size
  }
}

/// A canonical prefix code of deflate (RFC 1951, 3.2.2): codes of one size follow one another, behind all shorter ones.
struct PrefixCode {
  static let maxSize = 15

  /// The size of each symbol's code in bits; 0 where it has none.
  let sizes: [Int]
  private let counts: [Int]
  private let symbols: [Int]

  /// A code by the size of each symbol's; nil if the sizes leave no room for all symbols.
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

  /// The symbols with their codes, whose first bit is the highest.
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

  /// Passes the code of a symbol; nil if no code begins with the next bits.
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
  /// Turns a whole deflate stream, the bytes from `start` to the end, into one that another may follow.
  ///
  /// libdeflate ends the stream of every buffer. This clears the final bit of the last block and adds an empty
  /// stored block up to a whole byte, so that blocks compressed on several threads join to one stream.
  package mutating func reopenDeflateStream(from start: Int) {
    guard let last = withBytes(start..<count, body: { LastBlock(of: $0) }) else {
      preconditionFailure("libdeflate made a damaged stream")
    }
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

/// The last block of a whole deflate stream.
struct LastBlock {
  /// Where it begins, in bits.
  let start: Int
  /// The number of unused bits in the stream's last byte.
  let unusedBits: Int

  /// The last block by passing over all before it; nil if the stream does not end with it.
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
