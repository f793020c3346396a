import Archiving
import PackKit

extension Compression {
  /// The level of libdeflate, for zip.
  var deflateLevel: Int {
    switch self {
    case .store: 0
    case .fast: 1
    // On real assets as small as zlib's level 6, in a third of the time.
    case .default: 4
    case .best: 12
    }
  }

  /// How much effort is spent on compressing bytes.
  enum Effort: Equatable {
    /// Stored.
    case zero
    /// libdeflate's lowest level.
    case least
    /// The requested level.
    case full
    /// A level higher, for large files that gain by it.
    case more
  }

  /// The level of libdeflate for an effort of more.
  static let lazyLevel = 5

  /// Whether a large file is worth an effort of more, by the compressed sizes of its samples.
  ///
  /// From level 5 on a match waits for a longer one behind it. Meshes and raw pictures come out 7 to 9 percent smaller
  /// in a tenth to a quarter more time, text 1 percent in a third more.
  func isWorthMore(_ size: Int, inPlaceOf fullSize: Int) -> Bool {
    self == .default && size * 100 < fullSize * 97
  }

  /// The effort for a file by the randomness of its samples; nil if only a trial can decide.
  ///
  /// The thresholds were measured on game data. A trial finds repetitions in uniform data, such as models; for
  /// small files it costs more than it saves.
  func effort(size: Int64, _ randomness: Randomness) -> Effort? {
    if self != .best && randomness.looksRandom(orUpTo: Self.randomExcess) { return .zero }
    let excess = randomness.excess
    switch self {
    case .store: return .zero
    case .fast:
      if excess > 2.5 || excess < 0 { return .full }
      // Data that compresses less takes one second to save less than 20 MB.
      return size >= 1 << 16 ? nil : excess > 1.3 ? .full : .zero
    case .default:
      if excess > 7 { return .full }
      // On data that compresses less, level 4 takes 1.5 times as long as level 1 and saves 2 to 3 percent.
      return size < 1 << (excess > 1.5 ? 18 : 15) ? .least : nil
    // The smallest result needs a trial of all bytes.
    case .best: return nil
    }
  }

  /// The effort for bytes of which a trial at the lowest level keeps this percentage.
  func effort(shareKept: Int) -> Effort {
    switch self {
    case .store: .zero
    case .fast: shareKept < 82 ? .full : .zero
    case .default: shareKept < 65 ? .full : shareKept < Self.mostKept ? .least : .zero
    case .best: shareKept < Self.mostKept ? .full : .zero
    }
  }

  /// The effort for fewer than 4 KiB that do not look random.
  var effortForFew: Effort {
    switch self {
    case .store: .zero
    // Level 4 takes 1.3 to 1.5 times as long and saves 1 to 3 percent, which is less than the headers of such a
    // small entry.
    case .default: .least
    case .fast, .best: .full
    }
  }

  /// The excess of chi-squared up to which bytes count as compressed already.
  ///
  /// Such bytes have 7.94 bits of entropy. None of 2,244 large compressible assets has only such samples.
  static let randomExcess = 0.084

  /// The largest compressed size, in percent, that is worth the time that devices take to inflate.
  static let mostKept = 96

  /// The level of zlib, for tar.gz.
  var zlibLevel: Int {
    switch self {
    case .store: 0
    case .fast: 1
    case .default: 6
    case .best: 9
    }
  }

  /// The level of zstd, for tar.zst, which always compresses a little.
  var zstandardLevel: Int {
    switch self {
    case .store, .fast: 1
    case .default: 3
    case .best: 19
    }
  }
}
