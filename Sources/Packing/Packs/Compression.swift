import Archiving
import PackKit

extension Compression {
  /// The level of libdeflate, for zip.
  var deflateLevel: Int {
    switch self {
    case .store: 0
    case .fast: 1
    // As small as zlib makes real assets at its 6, in a third of its time.
    case .default: 4
    case .best: 12
    }
  }

  /// How much work bytes are worth.
  enum Effort: Equatable {
    /// They are stored.
    case zero
    /// That of libdeflate's lowest level.
    case least
    /// That of the level that was asked for.
    case full
  }

  /// The effort that a file is worth as far as the randomness of its samples tells; nil where only a trial does.
  ///
  /// The numbers are from game data. A trial finds what is even and repeats itself, such as models; for small files it
  /// costs more than that saves.
  func effort(size: Int64, _ randomness: Randomness) -> Effort? {
    if self != .best && randomness.looksRandom(orUpTo: Self.randomExcess) { return .zero }
    let excess = randomness.excess
    switch self {
    case .store: return .zero
    case .fast:
      if excess > 2.5 || excess < 0 { return .full }
      // What keeps more takes a second for less than 20 MB.
      return size >= 1 << 16 ? nil : excess > 1.3 ? .full : .zero
    case .default:
      if excess > 7 { return .full }
      // Of what keeps more, level 4 takes half as long again as level 1 and saves 2 to 3 bytes of every hundred.
      return size < 1 << (excess > 1.5 ? 18 : 15) ? .least : nil
    // As small as can be: only a trial of all bytes tells.
    case .best: return nil
    }
  }

  /// The effort that bytes are worth that keep so many of every hundred, by a trial at the lowest level.
  func effort(shareKept: Int) -> Effort {
    switch self {
    case .store: .zero
    case .fast: shareKept < 82 ? .full : .zero
    case .default: shareKept < 65 ? .full : shareKept < Self.mostKept ? .least : .zero
    case .best: shareKept < Self.mostKept ? .full : .zero
    }
  }

  /// The effort that less than 4 KiB are worth that are no noise.
  var effortForFew: Effort {
    switch self {
    case .store: .zero
    // Level 4 takes a third to a half as long again and saves 1 to 3 bytes of every hundred: less than the headers of
    // so small an entry take.
    case .default: .least
    case .fast, .best: .full
    }
  }

  /// The excess of pairs up to which bytes count as compressed already.
  ///
  /// Such bytes have 7.94 bits of entropy. Of 2,244 large assets that shrink none has such samples alone.
  static let randomExcess = 0.084

  /// What a file must at most keep of every hundred bytes: saving less is not worth the time that devices take to
  /// inflate it.
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
