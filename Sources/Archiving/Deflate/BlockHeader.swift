/// Reads the header of a deflate stream's first block (RFC 1951, 3.2.7), whose numbers begin with their lowest bit.
///
/// Bits behind the stream's end are zero.
struct BlockHeader {
  private var offset = 0

  /// The order in which the sizes of the codes that sizes are written by are written themselves.
  private static let sizeOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
  private static let largestSize = 15
  /// The symbol for the end of a block, behind those of all bytes.
  private static let blockEnd = 256

  mutating func read(_ count: Int, in stream: RawSpan) -> Int {
    defer { offset += count }
    return next(count, in: stream)
  }

  private func next(_ count: Int, in stream: RawSpan) -> Int {
    var bits = 0
    for place in 0..<3 where offset / 8 + place < stream.byteCount {
      bits |= Int(stream.unsafeLoad(fromByteOffset: offset / 8 + place, as: UInt8.self)) << (place * 8)
    }
    return bits >> (offset % 8) & (1 << count - 1)
  }

  /// The code for the end of the block; nil if the header is no sound one.
  mutating func readEndCode(in stream: RawSpan) -> Int? {
    let symbolCount = read(5, in: stream) + Self.blockEnd + 1
    _ = read(5, in: stream)
    var codeSizes = [Int](repeating: 0, count: Self.sizeOrder.count)
    for symbol in Self.sizeOrder.prefix(read(4, in: stream) + 4) { codeSizes[symbol] = read(3, in: stream) }
    let symbols = Self.symbols(of: codeSizes)
    var sizes: [Int] = []
    while sizes.count < symbolCount {
      let symbol = symbols[next(7, in: stream)]
      if symbol < 0 { return nil }
      offset += codeSizes[symbol]
      switch symbol {
      case 16:
        guard let last = sizes.last else { return nil }
        sizes += repeatElement(last, count: read(2, in: stream) + 3)
      case 17: sizes += repeatElement(0, count: read(3, in: stream) + 3)
      case 18: sizes += repeatElement(0, count: read(7, in: stream) + 11)
      default: sizes.append(symbol)
      }
    }
    // Those behind belong to distances.
    return Self.codes(of: Array(sizes.prefix(symbolCount)))[Self.blockEnd]
  }

  /// The code of each symbol, nil where it has none; codes of one size follow one another, behind all smaller ones.
  private static func codes(of sizes: [Int]) -> [Int?] {
    var next = [Int](repeating: 0, count: largestSize + 1)
    for size in sizes where size > 0 && size < largestSize { next[size + 1] += 1 }
    for size in 1...largestSize { next[size] = (next[size - 1] + next[size]) << 1 }
    return sizes.map { size in
      if size == 0 { return nil }
      defer { next[size] += 1 }
      return next[size]
    }
  }

  /// The symbol whose code any seven bits begin with; negative where there is none.
  private static func symbols(of sizes: [Int]) -> [Int] {
    var symbols = [Int](repeating: -1, count: 1 << 7)
    for (symbol, code) in codes(of: sizes).enumerated() {
      guard let code, code >> sizes[symbol] == 0 else { continue }
      // A code begins with its highest bit.
      var reversed = 0
      for bit in 0..<sizes[symbol] where code >> bit & 1 == 1 { reversed |= 1 << (sizes[symbol] - 1 - bit) }
      for bits in stride(from: reversed, to: symbols.count, by: 1 << sizes[symbol]) { symbols[bits] = symbol }
    }
    return symbols
  }
}
