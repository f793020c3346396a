import Archiving
import Model
import Pipeline

extension Compression {
  /// The effort that is spent on compressing bytes.
  enum Effort: Int, CaseIterable {
    /// The bytes are stored without compression.
    case zero
    /// The lowest compression level of libdeflate is used.
    case least
    /// The first match is used.
    case greedy
    /// A match is used only if no longer match begins at the next byte.
    case lazy
    /// The highest level of the chosen compression.
    case full
  }

  func level(_ effort: Effort) -> Int {
    switch effort {
    case .zero: 0
    case .least: 1
    case .greedy: 4
    case .lazy: 5
    // At level 6, libdeflate's output is as small as zlib's output for all kinds of assets, in half the time.
    case .full: self == .best ? 12 : 6
    }
  }

  /// The effort for a run of a whole file, from its chi-squared excess.
  ///
  /// The excess is 0 for random bytes and higher for bytes that compress well. We measured size and time with
  /// many assets. With an excess above 15, greedy output is 3 % larger than full output; otherwise it is 1 %
  /// larger. With an excess below 3, least output is 1 % larger than the output of all other efforts, in 67 %
  /// of the time. With an excess above 70, lazy output is 0.1 % larger than full output, in 80 % of the time.
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

  /// The effort for a large file, from the compressed sizes of its samples at three efforts.
  ///
  /// Greedy takes 1.5 times as long as least, and lazy takes up to 33 % longer than greedy. With lazy, meshes
  /// and raw images are 7 to 9 % smaller, text is 1 % smaller, and archives are not smaller.
  func effort(leastSize: Int, greedySize: Int, lazySize: Int) -> Effort {
    if lazySize * 100 < greedySize * 97 { return .lazy }
    return greedySize * 100 < leastSize * 98 ? .greedy : .least
  }

  /// Whether bytes are worth deflating, from their chi-squared excess.
  ///
  /// Bytes with a negative excess are more even than random bytes, such as a ramp.
  ///
  /// With an excess of 1.3, as in uncompressed sound, deflating saves about 17 %. With an excess of 2, it
  /// saves 25 %.
  func isWorthDeflating(_ chiSquaredExcess: Float) -> Bool {
    chiSquaredExcess < -0.4 || chiSquaredExcess > (self == .fast ? 2 : 1.3)
  }

  /// The maximum excess of bytes that are treated as already compressed.
  ///
  /// Such bytes have an entropy of 7.94 bits. None of 2,244 large compressible assets has only samples of
  /// this kind.
  static let randomExcess: Float = 0.084

  /// The maximum mean excess of a tar's samples at which entropy coding is not worth its time.
  ///
  /// Up to this excess, entropy coding would save at most about 2 %.
  static let uncodedExcess: Float = 0.25

  /// The maximum size in percent, in a trial at the lowest level, of bytes that are all worth deflating.
  var maxTrialPercent: Int {
    switch self {
    case .store, .fast: 82
    case .default: 97
    case .best: Self.maxDeflatedPercent
    }
  }

  /// The maximum compressed size, in percent, at which compression is worth the time that devices need for
  /// inflating.
  ///
  /// That time is short, because bytes that are compressed already are in stored blocks.
  static let maxDeflatedPercent = 99

  var zlibLevel: Int {
    switch self {
    case .store: 0
    case .fast: 1
    case .default: 6
    case .best: 9
    }
  }

  /// The compression level and the window of zstd for tar.zst.
  ///
  /// A tar.zst is always compressed at least a little.
  ///
  /// On large packs, a window of 8 MiB saves more than the next higher level, and takes 67 % of that level's
  /// time. In a test with 64 game packs, packs above 16 MiB were as small at level 2 as at level 3. Smaller
  /// packs were up to 4 % larger at level 2.
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
