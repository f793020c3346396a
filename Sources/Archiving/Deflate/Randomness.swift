/// Returns the range of a sample: the bytes in the middle of one of several equal parts.
package func sampleRange<Count: FixedWidthInteger>(
  inPart index: Count, of parts: Count, sampleSize: Count, totalSize count: Count
) -> Range<Count> {
  let part = count / parts
  let start = part * index + (part - sampleSize) / 2
  return start..<start + sampleSize
}

extension RawSpan {
  /// Returns how random a sample from the middle looks: its chi-squared minus the mean for random bytes,
  /// divided by the size of the sample.
  ///
  /// The result is 0 for random bytes, and 255 if all bytes are equal. It is 1 if two bytes are equal twice
  /// as often as two random bytes. It is negative for bytes that are distributed more evenly than random
  /// bytes, for example a ramp.
  ///
  /// For 256 values, chi-squared has the mean 255 and the standard deviation √510.
  package func chiSquaredExcess(ofMiddle size: Int) -> Float {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 256) { counts in
      counts.initialize(repeating: 0)
      // The sum of the squares of all counts. When a count n becomes n + 1, the sum grows by 2n + 1.
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
