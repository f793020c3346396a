import System

/// How evenly some bytes are spread over all values: what is compressed already is as even as noise.
package struct Randomness {
  /// How much more often two of the bytes are the same than two random ones: 0 for noise, 1 where it is twice as often,
  /// 255 where all are one value, below 0 for what is more even than chance, such as a ramp.
  ///
  /// It is what Pearson's chi-squared, against all values being equally common, is over its average for each byte.
  package let excess: Double
  private let standardDeviation: Double

  /// The statistics of bytes by how often each value occurs among them.
  ///
  /// The average of chi-squared for 256 values is 255, its standard deviation the root of 510.
  fileprivate init(_ counts: UnsafeMutableBufferPointer<UInt32>, of count: Int) {
    let count = Double(count)
    let chiSquared = counts.reduce(0.0) { $0 + Double($1) * Double($1) } * 256 / count - count
    excess = (chiSquared - 255) / count
    standardDeviation = (510.0).squareRoot() / count
  }

  /// Whether the bytes are within four standard deviations of random ones, or less even by no more than some excess.
  package func looksRandom(orUpTo excess: Double = 0) -> Bool {
    let most = 4 * standardDeviation
    return (-most...max(most, excess)).contains(excess)
  }
}

/// The place of a sample, in the middle of one of equal parts, which are no shorter.
package func sampleRange<Count: FixedWidthInteger>(
  _ index: Count, of parts: Count, size: Count, in count: Count
) -> Range<Count> {
  let part = count / parts
  let start = part * index + (part - size) / 2
  return start..<start + size
}

extension RawSpan {
  /// The statistics of samples of some bytes, each from the middle of its part.
  package func randomness(samples: Int, of size: Int) -> Randomness {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 256) { counts in
      counts.initialize(repeating: 0)
      for index in 0..<samples {
        let place = sampleRange(index, of: samples, size: size, in: byteCount)
        extracting(place).withUnsafeBytes { for byte in $0 { counts[Int(byte)] &+= 1 } }
      }
      return Randomness(counts, of: samples * size)
    }
  }

  /// Whether no byte is more or less common than among random ones: what was compressed or encrypted already.
  ///
  /// What is more even than chance, or repeats itself, fails as text does. Fewer than 512 bytes say nothing.
  package var looksRandom: Bool {
    let least = 512
    guard byteCount >= least else { return false }
    // The middle is enough to see that text is none.
    return randomness(samples: 1, of: least).looksRandom() && randomness(samples: 1, of: byteCount).looksRandom()
  }
}
