import Archiving
import Model
import Pipeline

extension Compression {
  /// The effort that is spent on compressing bytes.
  enum Effort: Int, CaseIterable {
    /// The bytes are stored without compression.
    case zero
    /// libdeflate compresses with its lowest level.
    case least
    /// libdeflate uses the first match that it finds.
    case greedy
    /// libdeflate uses a match only if no longer match begins at the next byte.
    case lazy
    /// libdeflate uses the highest level that the chosen compression allows.
    case full
  }

  func level(_ effort: Effort) -> Int {
    switch effort {
    case .zero: 0
    case .least: 1
    case .greedy: 4
    case .lazy: 5
    // At level 6, libdeflate's output is as small as zlib's output for all kinds of assets, and compression
    // takes half the time.
    case .full: self == .best ? 12 : 6
    }
  }

  /// Returns the effort for compressing one run of bytes, based on the run's chi-squared excess.
  ///
  /// The excess is 0 for random bytes and higher for bytes that compress well. We measured size and time with
  /// many assets. With an excess above 15, greedy output is 3 % larger than full output; otherwise it is 1 %
  /// larger. With an excess below 3, least output is 1 % larger than the output of all other efforts, but
  /// takes 67 % of their time. With an excess above 70, lazy output is 0.1 % larger than full output, but
  /// takes 80 % of its time.
  func effort(chiSquaredExcess: Float) -> Effort {
    switch self {
    case .store: .zero
    case .fast: .least
    case .default:
      switch chiSquaredExcess {
      case ..<3: .least
      case ..<15: .greedy
      case ..<70: .full
      default: .lazy
      }
    case .best: .full
    }
  }

  /// Returns the effort for a large file, based on the compressed sizes of its samples at three efforts.
  ///
  /// The effort `greedy` takes 1.5 times as long as `least`, and `lazy` takes up to 33 % longer than
  /// `greedy`. With `lazy` instead of `greedy`, meshes and raw images are 7 to 9 % smaller, text is 1 %
  /// smaller, and archives are not smaller.
  func effort(leastSize: Int, greedySize: Int, lazySize: Int) -> Effort {
    if lazySize * 100 < greedySize * 97 { return .lazy }
    return greedySize * 100 < leastSize * 98 ? .greedy : .least
  }

  /// Whether bytes are worth deflating, judged by their chi-squared excess.
  ///
  /// Bytes with a negative excess, such as a ramp, are distributed more evenly than random bytes.
  ///
  /// With an excess of 1.3, as in uncompressed sound, deflating saves about 17 %. With an excess of 2, it
  /// saves 25 %.
  func isWorthDeflating(_ chiSquaredExcess: Float) -> Bool {
    chiSquaredExcess < -0.4 || chiSquaredExcess > (self == .fast ? 2 : 1.3)
  }

  /// Bytes with at most this excess are treated as already compressed.
  ///
  /// Such bytes have an entropy of 7.94 bits. We tested 2,244 large compressible assets. None of them has
  /// only samples of this kind.
  static let randomExcess: Float = 0.084

  /// If the mean excess of a tar's samples is at most this value, entropy coding is not worth its time.
  ///
  /// Entropy coding would then save at most about 2 %.
  static let uncodedExcess: Float = 0.25

  /// If a trial at the lowest level compresses bytes to at most this percentage of their size, all of them
  /// are worth deflating.
  var maxTrialPercent: Int {
    switch self {
    case .store, .fast: 82
    case .default: 97
    case .best: Self.maxDeflatedPercent
    }
  }

  /// A file is stored deflated if this reduces its size to at most this percentage.
  ///
  /// Otherwise, deflating is not worth the time that devices need for inflating. That time is short, because
  /// bytes that were already compressed are in stored blocks.
  static let maxDeflatedPercent = 99

  var zlibLevel: Int {
    switch self {
    case .store: 0
    case .fast: 1
    case .default: 6
    case .best: 9
    }
  }

  /// Returns the compression level and the window of Zstandard for a tar.zst pack.
  ///
  /// A tar.zst pack is always compressed at least a little.
  ///
  /// For large packs, a window of 8 MiB saves more than the next higher level would, and takes 67 % of the
  /// time of that level. In a test with 64 game packs, packs above 16 MiB were as small at level 2 as at
  /// level 3. Smaller packs were up to 4 % larger at level 2.
  ///
  /// For large packs that are `mostlyRandom`, level -1 takes 33 % of the time of level 2. Its output is up to
  /// 1 % larger. For other large packs, a minimum match length of 5 bytes saves up to 2 %.
  func zstandard(forTarOf size: Int64, mostlyRandom: () -> Bool) -> ZstandardSettings {
    // The smallest window that covers the whole tar.
    let largest = ZstandardSettings.maxWindowSize.trailingZeroBitCount
    let windowLog = min(max(Int64.bitWidth - size.leadingZeroBitCount, 10), largest)
    switch self {
    case .store, .fast: return ZstandardSettings(level: 1, windowLog: windowLog)
    case .default:
      if size < 16 << 20 { return ZstandardSettings(level: 3, windowLog: windowLog) }
      if mostlyRandom() { return ZstandardSettings(level: -1, windowLog: windowLog, hashLog: 17) }
      return ZstandardSettings(level: 2, windowLog: windowLog, hashLog: 17, minMatch: 5)
    case .best: return ZstandardSettings(level: 19, windowLog: windowLog)
    }
  }
}
