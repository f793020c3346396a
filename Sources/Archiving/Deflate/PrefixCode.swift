/// A canonical prefix code of deflate (RFC 1951, 3.2.2): codes of one size follow one another, behind all shorter ones.
struct PrefixCode {
  static let largestSize = 15

  /// The size of each symbol's code in bits; 0 where it has none.
  let sizes: [Int]
  private let counts: [Int]
  private let symbols: [Int]

  /// A code by the size of each symbol's; nil if the sizes leave no room for all symbols.
  init?(sizes: [Int]) {
    var counts = [Int](repeating: 0, count: Self.largestSize + 1)
    for size in sizes where size > 0 { counts[size] += 1 }
    let space = 1 << Self.largestSize
    guard sizes.reduce(0, { $0 + ($1 > 0 ? space >> $1 : 0) }) <= space else { return nil }
    var places = [Int](repeating: 0, count: Self.largestSize + 1)
    for size in 2...Self.largestSize { places[size] = places[size - 1] + counts[size - 1] }
    var symbols = [Int](repeating: 0, count: places[Self.largestSize] + counts[Self.largestSize])
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
    let ahead = bits.peek(Self.largestSize)
    var (code, first, place) = (0, 0, 0)
    for size in 1...Self.largestSize {
      code = code << 1 | ahead >> (size - 1) & 1
      if code - first < counts[size] {
        bits.skip(size)
        return symbols[place + code - first]
      }
      place += counts[size]
      first = (first + counts[size]) << 1
    }
    return nil
  }
}
