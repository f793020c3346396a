/// How many bits to pass for what comes next in a block, by its next bits.
///
/// One table has literals and lengths, and behind them distances.
struct Steps {
  /// What is passed at once: some literals and a length behind them, or a distance.
  struct Step {
    private let value: UInt16

    fileprivate init(size: Int, next: Part) { value = UInt16(size) | next.rawValue }

    /// A step that passes nothing, for what the table has not: longer codes, and the end of a block.
    fileprivate init(longIn part: Part) { value = part.rawValue | 1 << 15 }

    /// In bits.
    var size: Int { Int(truncatingIfNeeded: value & 0x3f) }
    /// The part that the next step is found in; that of a long one is its own.
    var next: Part { part == 0 ? .literals : .distances }
    fileprivate var part: UInt16 { value & Part.distances.rawValue }
    var isLong: Bool { value & 1 << 15 != 0 }
  }

  /// A part of the table, by the offset of its first step.
  enum Part: UInt16 {
    case literals = 0
    case distances = 2048
  }

  /// The size in bits of an index of a part, so that all of the table stays in the processor's nearest cache.
  private static let indexSize = 11
  private static let partSize = 1 << indexSize

  private var table = [Step](repeating: Step(longIn: .literals), count: 2 * partSize)
  /// The size of the code alone at each index.
  private var codeSizes = [UInt8](repeating: 0, count: 2 * partSize)

  mutating func fill(literals: PrefixCode, distances: PrefixCode) {
    fill(.literals, by: literals) { symbol in
      if symbol < BlockHeader.blockEnd { return (0, .literals) }
      return symbol == BlockHeader.blockEnd ? nil : (BlockHeader.extraBits(ofLength: symbol), .distances)
    }
    fill(.distances, by: distances) { (BlockHeader.extraBits(ofDistance: $0), .literals) }
    joinLiterals()
  }

  private mutating func fill(
    _ part: Part, by code: PrefixCode, _ step: (_ symbol: Int) -> (extraBits: Int, next: Part)?
  ) {
    let start = Int(part.rawValue)
    for index in 0..<Self.partSize { table[start + index] = Step(longIn: part) }
    for (symbol, bits) in code.codes {
      let size = code.sizes[symbol]
      guard size <= Self.indexSize, let (extraBits, next) = step(symbol) else { continue }
      // A code begins with its highest bit.
      let reversed = Int(UInt16(bits).bitReversed >> UInt16(16 - size))
      for index in stride(from: start + reversed, to: start + Self.partSize, by: 1 << size) {
        table[index] = Step(size: size + extraBits, next: next)
        codeSizes[index] = UInt8(size)
      }
    }
  }

  /// Lets a literal's step pass the literals and the length behind it, too, as far as the index shows their codes.
  private mutating func joinLiterals() {
    // Those of lower indices are looked up and must not be joined yet.
    for index in (0..<Self.partSize).reversed() where !table[index].isLong {
      var (size, next) = (table[index].size, table[index].next)
      var shown = Int(codeSizes[index])
      while next == .literals {
        let behind = table[index >> shown]
        shown += Int(codeSizes[index >> shown])
        if behind.isLong || shown > Self.indexSize { break }
        size += behind.size
        next = behind.next
      }
      table[index] = Step(size: size, next: next)
    }
  }

  /// Passes what the table has, up to what it has not, or to the stream's last bytes; what comes next.
  func pass(_ reader: inout BitReader) -> Part {
    // The copy stays in registers.
    var bits = reader
    defer { reader = bits }
    return table.withUnsafeBufferPointer { table in
      var part = Part.literals.rawValue
      while bits.fillByWord() {
        // Branches on what comes next would be guessed wrongly every few symbols. Two steps pass at most 40 bits.
        for _ in 0..<2 {
          let step = table[bits.peek(Self.indexSize) | Int(part)]
          bits.skip(step.size)
          part = step.part
          if step.isLong { return step.next }
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
