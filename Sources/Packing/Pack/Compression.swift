import Archiving
import Model
import Pipeline

extension Compression {
  /// How much effort is spent on compressing bytes.
  enum Effort: Int, CaseIterable {
    /// Stored.
    case zero
    /// libdeflate's lowest level.
    case least
    /// The first match is taken.
    case greedy
    /// A match waits for a longer one behind it.
    case lazy
    /// The highest level that the compression takes.
    case full
  }

  func level(_ effort: Effort) -> Int {
    switch effort {
    case .zero: 0
    case .least: 1
    case .greedy: 4
    case .lazy: 5
    // Level 6 is as small as zlib's on all kinds of assets, in half the time.
    case .full: self == .best ? 12 : 6
    }
  }

  /// The effort for a run of a whole file by how far its bytes exceed chance.
  ///
  /// Of assets that exceed it by more than 15, the greedy level keeps 3 percent more than the full one, of others 1.
  /// Of those that exceed it by less than 3, the least keeps 1 percent more than all others, in two thirds of the time;
  /// of those that do by more than 70, the lazy keeps 0.1 percent more than the full one, in four fifths.
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

  /// The effort for a large file by the sizes of its samples at three of them.
  ///
  /// The greedy one takes 1.5 times as long as the least, the lazy one up to a third more. Meshes and raw pictures come
  /// out 7 to 9 percent smaller at the lazy one, text 1 percent, and archives at none.
  func effort(leastSize: Int, greedySize: Int, lazySize: Int) -> Effort {
    if lazySize * 100 < greedySize * 97 { return .lazy }
    return greedySize * 100 < leastSize * 98 ? .greedy : .least
  }

  /// Whether bytes are worth deflating by how far they exceed chance; those below it are ramps.
  ///
  /// At an excess of 1.3 a sixth is saved, as of sound that is not compressed; at 2 a quarter.
  func isWorthDeflating(_ chiSquaredExcess: Float) -> Bool {
    chiSquaredExcess < -0.4 || chiSquaredExcess > (self == .fast ? 2 : 1.3)
  }

  /// The excess up to which bytes count as compressed already.
  ///
  /// Such bytes have 7.94 bits of entropy. None of 2,244 large compressible assets has only such samples.
  static let randomExcess: Float = 0.084

  /// The mean excess of samples up to which a tar's bytes are worth no entropy coder, which would save two percent.
  static let uncodedExcess: Float = 0.25

  /// The largest size in percent, in a trial at the lowest level, of bytes that are all worth deflating.
  var maxTrialPercent: Int {
    switch self {
    case .store, .fast: 82
    case .default: 97
    case .best: Self.maxDeflatedPercent
    }
  }

  /// The largest compressed size, in percent, that is worth the time that devices take to inflate.
  ///
  /// It is little, since bytes that are compressed already are in stored blocks.
  static let maxDeflatedPercent = 99

  var zlibLevel: Int {
    switch self {
    case .store: 0
    case .fast: 1
    case .default: 6
    case .best: 9
    }
  }

  /// The level and the window of zstd for tar.zst, which always compresses a little.
  ///
  /// A window of 8 MiB saves more on large packs than a level, in two thirds of its time: of 64 packs of games those
  /// above 16 MiB come out as small at level 2 as at level 3, smaller ones up to 4 percent larger. Of large ones that are
  /// `mostlyRandom`, level -1 keeps up to 1 percent more than level 2, in a third of its time; of others matches of
  /// 5 bytes save up to 2 percent.
  func zstandard(forTarOf size: Int64, mostlyRandom: () -> Bool) -> ZstandardSettings {
    // The smallest one that reaches all of the tar.
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
