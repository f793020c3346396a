import System

/// Pearson's chi-squared of bytes against the uniform distribution: compressed data is as close to it as random
/// data.
package struct Randomness {
  /// How far chi-squared exceeds its mean for random bytes, per byte.
  ///
  /// It is 0 for random bytes, 1 if two of the bytes are equal twice as often as two random ones, 255 if all have
  /// one value, and below 0 for bytes more uniform than random ones, such as a ramp.
  package let excess: Double
  private let standardDeviation: Double

  /// The statistic from the count of each byte value.
  ///
  /// For 256 values chi-squared has the mean 255 and the standard deviation √510.
  fileprivate init(_ counts: UnsafeMutableBufferPointer<UInt32>, of count: Int) {
    let count = Double(count)
    let chiSquared = counts.reduce(0.0) { $0 + Double($1) * Double($1) } * 256 / count - count
    excess = (chiSquared - 255) / count
    standardDeviation = (510.0).squareRoot() / count
  }

  /// Whether chi-squared is within four standard deviations of its mean, or above it by an excess of at most `limit`.
  package func looksRandom(orUpTo limit: Double = 0) -> Bool {
    let most = 4 * standardDeviation
    return (-most...max(most, limit)).contains(excess)
  }
}

/// The range of a sample in the middle of one of equal parts, each at least as long as a sample.
package func sampleRange<Count: FixedWidthInteger>(
  _ index: Count, of parts: Count, size: Count, in count: Count
) -> Range<Count> {
  let part = count / parts
  let start = part * index + (part - size) / 2
  return start..<start + size
}

extension RawSpan {
  /// The statistic of samples, each from the middle of one of equal parts.
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

  /// Whether all byte values are about as frequent as in random data, as in compressed or encrypted data.
  ///
  /// False for data that is more uniform than random or repeats itself, and for fewer than 512 bytes, which are
  /// too few to judge.
  package var looksRandom: Bool {
    let least = 512
    guard byteCount >= least else { return false }
    // The middle alone is enough to reject text.
    return randomness(samples: 1, of: least).looksRandom()
      && randomness(samples: 1, of: byteCount).looksRandom()
  }
}
