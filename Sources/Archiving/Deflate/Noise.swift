extension RawSpan {
  /// Whether no byte is more or less common than among random ones: what was compressed or encrypted already.
  ///
  /// Pearson's chi-squared test with 255 degrees of freedom, within four standard deviations to both sides: what is
  /// more even than chance, such as a ramp, or repeats itself, fails it as text does. Fewer than 512 bytes say nothing.
  package var looksLikeNoise: Bool {
    let size = byteCount
    guard size >= 512 else { return false }
    return withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 256) { counts in
      counts.initialize(repeating: 0)
      withUnsafeBytes { for byte in $0 { counts[Int(byte)] &+= 1 } }
      let squares = counts.reduce(0.0) { $0 + Double($1) * Double($1) }
      let statistic = squares * 256 / Double(size) - Double(size)
      return abs(statistic - 255) <= 4 * 22.6
    }
  }
}
