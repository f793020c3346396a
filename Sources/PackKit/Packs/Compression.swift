import Archiving

/// How hard packs are compressed; the raw value is its name in manifests and flags.
package enum Compression: String, Sendable, CaseIterable {
  /// Not at all.
  case store
  case fast
  case `default`
  /// As small as the library can, at ten times the time.
  case best

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

  /// What samples must at most keep of every hundred bytes for a file to be deflated.
  var mostKept: Int {
    switch self {
    case .store: 0
    // Below, on game data: a second for each 20 MB saved, or for more. Above: for less.
    case .fast: 82
    case .default, .best: Self.mostKept
    }
  }

  /// Whether a file is worth deflating as far as the evenness of its samples tells; nil where only a trial does.
  func isWorthDeflating(size: Int, _ evenness: Evenness) -> Bool? {
    if evenness.isByChance(orUpTo: self == .best ? 0 : Self.noiseExcess) { return false }
    switch self {
    case .store: return false
    // A trial finds what is even and repeats itself, such as models. For small files it costs more than that saves.
    case .fast where evenness.excessOfPairs > 2.5: return true
    case .fast where size < 1 << 16: return evenness.excessOfPairs > 1.3
    case .default where size < 1 << 15, .best where size < 1 << 15: return true
    case .fast, .default, .best: return nil
    }
  }

  /// The excess of pairs up to which bytes count as compressed already.
  ///
  /// Such bytes have 7.94 bits of entropy. Of 2,244 large assets that shrink none has such samples alone.
  static let noiseExcess = 0.084

  /// What a file must at most keep of every hundred bytes: saving less is not worth the time that devices take to
  /// inflate it.
  static let mostKept = 96

  /// Whether more than the lowest level pays for a file of some bytes, of which samples keep so many of every hundred.
  func paysEffort(size: Int, shareKept: Int) -> Bool {
    switch self {
    // Where samples keep more, level 4 takes half as long again as level 1 and saves 2 to 3 bytes of every hundred; of
    // fewer bytes a third to a half as long, and 1 to 3: less than the headers of so small an entry take.
    case .default: shareKept < 65 && size >= 4096
    case .store, .fast, .best: true
    }
  }

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
