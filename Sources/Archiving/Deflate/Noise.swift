extension RawSpan {
  /// Whether no byte is more or less common than among random ones: what was compressed or encrypted already.
  ///
  /// Within four standard deviations to both sides: what is more even than chance, such as a ramp, or repeats itself,
  /// fails as text does. Fewer than 512 bytes say nothing.
  package var looksLikeNoise: Bool {
    let least = 512
    guard byteCount >= least else { return false }
    // The middle is enough to see that text is none.
    let middle = (byteCount - least) / 2
    return extracting(middle..<middle + least).isEvenByChance && isEvenByChance
  }

  private var isEvenByChance: Bool { abs(chiSquared - 255) <= 4 * 22.6 }

  /// Pearson's chi-squared of the bytes against all values being equally common: for random bytes 255 on average,
  /// with a standard deviation of 22.6.
  package var chiSquared: Double {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 256) { counts in
      counts.initialize(repeating: 0)
      withUnsafeBytes { for byte in $0 { counts[Int(byte)] &+= 1 } }
      let squares = counts.reduce(0.0) { $0 + Double($1) * Double($1) }
      let size = Double(byteCount)
      return size == 0 ? 0 : squares * 256 / size - size
    }
  }
}
