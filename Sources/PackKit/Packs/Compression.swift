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
    // Below, on game data: a second for each 25 MB saved, or for more. Above: for less.
    case .fast: 86
    case .default, .best: Self.mostKept
    }
  }

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
