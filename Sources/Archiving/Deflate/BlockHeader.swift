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
      guard let sizes = Self.readSizes(literalCount + distanceCount, &bits),
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

  private static func readSizes(_ count: Int, _ bits: inout BitReader) -> [Int]? {
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
