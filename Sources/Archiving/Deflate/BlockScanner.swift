/// Passes over the blocks of a deflate stream without inflating them.
///
/// No library tells where a block begins but by inflating all before it, which took zlib a fifth of the time of packing
/// large files.
struct BlockScanner {
  private var bits: BitReader
  private var steps = Steps()

  init(_ stream: UnsafeRawBufferPointer) { bits = BitReader(stream) }

  var offset: Int { bits.offset }

  /// Passes over a block; whether it is the last, nil if it does not end.
  mutating func passBlock() -> Bool? {
    guard let header = BlockHeader(&bits) else { return nil }
    switch header.content {
    case .stored(let byteCount): bits.skip(bytes: byteCount)
    case .coded(let literals, let distances):
      steps.fill(literals: literals, distances: distances)
      guard passSymbols(literals, distances) else { return nil }
    }
    return bits.isBehindEnd ? nil : header.isLast
  }

  /// Passes to behind the end of a block; false if it has none.
  private mutating func passSymbols(_ literals: PrefixCode, _ distances: PrefixCode) -> Bool {
    while true {
      let next = steps.pass(&bits)
      if bits.isBehindEnd { return false }
      if next == .literals {
        guard let symbol = literals.read(&bits) else { return false }
        if symbol == Symbols.blockEnd { return true }
        if symbol < Symbols.blockEnd { continue }
        _ = bits.read(Symbols.extraBits(ofLength: symbol))
      }
      guard let symbol = distances.read(&bits) else { return false }
      _ = bits.read(Symbols.extraBits(ofDistance: symbol))
    }
  }
}

/// How many bits to pass for what comes next in a block, by its next bits.
///
/// One table has literals and lengths, and behind them distances.
struct Steps {
  /// A step of the scan: a literal, a length, or a distance.
  ///
  /// Its size stands in bits 0 to 5, the part that follows in bit 11, and whether it is missing in bit 15.
  struct Step {
    private let value: UInt16

    fileprivate init(size: Int, next: Part) { value = UInt16(size) | next.rawValue }

    /// The entry for long codes, the end of a block and invalid bits: skips nothing.
    fileprivate init(missingIn part: Part) { value = part.rawValue | 1 << 15 }

    var size: Int { Int(truncatingIfNeeded: value & 0x3f) }
    var isMissing: Bool { value & 1 << 15 != 0 }
    /// The offset of the part that the next step is found in; a missing one has its own.
    fileprivate var next: Int { Int(truncatingIfNeeded: value & Part.distances.rawValue) }
  }

  /// A part of the table, by the offset of its first step.
  enum Part: UInt16 {
    case literals = 0
    /// 1 << indexSize, as `Step` keeps it.
    case distances = 2048
  }

  /// The size in bits of an index of a part, so that all of the table stays in the processor's nearest cache.
  private static let indexSize = 11
  private static let partSize = 1 << indexSize

  private var table = [Step](repeating: Step(missingIn: .literals), count: 2 * partSize)

  mutating func fill(literals: PrefixCode, distances: PrefixCode) {
    fill(.literals, by: literals) { symbol in
      if symbol < Symbols.blockEnd { return (0, .literals) }
      return symbol == Symbols.blockEnd ? nil : (Symbols.extraBits(ofLength: symbol), .distances)
    }
    fill(.distances, by: distances) { (Symbols.extraBits(ofDistance: $0), .literals) }
  }

  private mutating func fill(
    _ part: Part, by code: PrefixCode, _ step: (_ symbol: Int) -> (extraBits: Int, next: Part)?
  ) {
    let start = Int(part.rawValue)
    for index in 0..<Self.partSize { table[start + index] = Step(missingIn: part) }
    for (symbol, bits) in code.codes {
      let size = code.sizes[symbol]
      guard size <= Self.indexSize, let (extraBits, next) = step(symbol) else { continue }
      // A code begins with its highest bit.
      let reversed = Int(UInt16(bits).bitReversed >> UInt16(16 - size))
      for index in stride(from: start + reversed, to: start + Self.partSize, by: 1 << size) {
        table[index] = Step(size: size + extraBits, next: next)
      }
    }
  }

  /// Skips symbols until the table lacks one or the stream ends; returns which code is next.
  func pass(_ reader: inout BitReader) -> Part {
    // The copy stays in registers.
    var bits = reader
    defer { reader = bits }
    return table.withUnsafeBufferPointer { table in
      var part = 0
      reading: while bits.fillByWord() {
        // Branches on what comes next would be guessed wrongly every few symbols. Two steps pass at most 40 bits.
        for _ in 0..<2 {
          let step = table[bits.peek(Self.indexSize) | part]
          bits.skip(step.size)
          part = step.next
          if step.isMissing { break reading }
        }
      }
      return part == 0 ? .literals : .distances
    }
  }
}

extension UInt16 {
  fileprivate var bitReversed: UInt16 {
    var bits = self
    bits = bits >> 1 & 0x5555 | bits << 1 & 0xaaaa
    bits = bits >> 2 & 0x3333 | bits << 2 & 0xcccc
    bits = bits >> 4 & 0x0f0f | bits << 4 & 0xf0f0
    return bits.byteSwapped
  }
}
