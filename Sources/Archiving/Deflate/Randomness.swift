/// The range of a sample in the middle of one of equal parts, each at least as long as a sample.
package func sampleRange<Count: FixedWidthInteger>(
  inPart index: Count, of parts: Count, sampleSize: Count, totalSize count: Count
) -> Range<Count> {
  let part = count / parts
  let start = part * index + (part - sampleSize) / 2
  return start..<start + sampleSize
}

extension RawSpan {
  /// How far chi-squared of a sample from the middle exceeds its mean for random bytes, per byte.
  ///
  /// It is 0 for random bytes, 1 if two of the bytes are equal twice as often as two random ones, 255 if all have
  /// one value, and below 0 for bytes more uniform than random ones, such as a ramp. For 256 values chi-squared has
  /// the mean 255 and the standard deviation √510.
  package func chiSquaredExcess(ofMiddle size: Int) -> Float {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 256) { counts in
      counts.initialize(repeating: 0)
      // The sum of the squares of all counts. A count n that becomes n + 1 adds 2n + 1 to it.
      var squares: UInt64 = 0
      extracting(sampleRange(inPart: 0, of: 1, sampleSize: size, totalSize: byteCount)).withUnsafeBytes {
        for byte in $0 {
          let count = counts[Int(byte)]
          squares &+= UInt64(2 &* count &+ 1)
          counts[Int(byte)] = count &+ 1
        }
      }
      let chiSquared = Float(squares) * 256 / Float(size) - Float(size)
      return (chiSquared - 255) / Float(size)
    }
  }
}
