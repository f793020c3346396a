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
